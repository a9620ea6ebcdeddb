package composer

// Limits of what is accepted from outside. Bytes are UTF-8 bytes as received,
// units are UTF-16 code units.
const (
	// MaxText is the most content of one message, in bytes.
	MaxText = 1 << 20
	// MaxList is the most JSON of tags or annotations, in bytes as received.
	// What was stored is read without it, since it may re-encode longer.
	MaxList = 256 << 10
	// MaxEntries is the most tags, or the most annotations considered.
	MaxEntries = 256
	// MaxDepth is the deepest nesting of such a list, itself counting as 1.
	MaxDepth = 32
)

const (
	maxID    = 256  // units of a reference's id or a command's name
	maxLabel = 256  // units of a label
	maxValue = 1024 // units of every other string, the covered text included
	maxKind  = 64   // units of a kind
)
