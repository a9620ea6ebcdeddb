package composer

// The two types of annotation. No other is stored.
const (
	TypeReference = "reference"
	TypeCommand   = "command"
)

// Annotation says what one part of a message's content was in the composer.
// Values made by this package are always valid for their content: in order of
// Start, and not overlapping another of the same type.
type Annotation struct {
	// Type is TypeReference or TypeCommand; it decides which of Reference and
	// Command is set.
	Type string `json:"type"`
	// Start and End are offsets into the content in UTF-16 code units, half open.
	Start int `json:"start"`
	End   int `json:"end"`
	// Text is the content from Start to End.
	Text      string     `json:"text"`
	Reference *Reference `json:"reference,omitempty"`
	Command   *Command   `json:"command,omitempty"`
	// SubcommandPath belongs to commands; nil means absent, an empty list is a value.
	SubcommandPath []string `json:"subcommandPath,omitzero"`
}

// Reference is what a chip refers to: the fields of the composer's tag.
// A nil pointer means the field is absent; "" and false are values.
type Reference struct {
	ID         string  `json:"id"`
	Kind       *string `json:"kind,omitempty"`
	Label      *string `json:"label,omitempty"`
	Value      *string `json:"value,omitempty"`
	Serialized *string `json:"serialized,omitempty"`
	// Removable false asks the composer for no remove button; Backspace steps
	// over such a chip.
	Removable *bool `json:"removable,omitempty"`
}

// Command is a slash command taken from the menu. It is stored and returned,
// and not drawn. A nil pointer or list means the field is absent.
type Command struct {
	Name         string  `json:"name"`
	Description  *string `json:"description,omitempty"`
	ArgumentHint *string `json:"argumentHint,omitempty"`
	Source       *string `json:"source,omitempty"`
	// DisplayCategory is "custom", "skill" or "system".
	DisplayCategory *string  `json:"displayCategory,omitempty"`
	Subcommands     []string `json:"subcommands,omitzero"`
}

// Message is a submission ready to be checked and stored. Content is the text
// an agent gets; annotations are never part of it.
type Message struct {
	Content     string       `json:"content"`
	Annotations []Annotation `json:"annotations"`
}
