package composer

import "strings"

// Chip is what a template shows of a reference.
type Chip struct {
	// Kind picks the icon and is safe in an attribute; "" where there is none.
	Kind string
	ID   string
	// Label and Value are shown, in this order, where they are not empty; where
	// both are, Text is shown.
	Label, Value string
	// Text is the covered content, exactly: accessible name, tooltip and what
	// copying gives.
	Text string
	// Start and End are UTF-16 offsets into the content, half open.
	Start, End int
}

// ChipOf returns the chip of a reference annotation. Built-in kinds (file,
// extension, mcp, session, skill) show the value, or the label where there is
// no value; other kinds show label and value. A field that would show nothing
// counts as missing.
//
// Characters that hide or reorder what stands around them are spelled out, as
// Visible does.
func ChipOf(a Annotation) Chip {
	chip := Chip{Text: a.Text, Start: a.Start, End: a.End}
	if a.Reference == nil {
		return chip
	}
	chip.ID = a.Reference.ID
	chip.Kind = valueOf(a.Reference.Kind)
	chip.Label = shown(valueOf(a.Reference.Label))
	chip.Value = shown(valueOf(a.Reference.Value))
	if builtIn(chip.Kind) && chip.Value != "" {
		chip.Label = ""
	}
	return chip
}

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func builtIn(kind string) bool {
	switch kind {
	case "file", "extension", "mcp", "session", "skill":
		return true
	}
	return false
}

// shown is what a reader sees of s, or "" where that is nothing.
func shown(s string) string {
	if strings.IndexFunc(s, seen) < 0 {
		return ""
	}
	return Visible(s, "")
}
