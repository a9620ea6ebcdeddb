package composer

// Report counts what Sanitize or Build left out, for the metrics. The zero
// value means nothing was.
type Report struct {
	// Lists is 1 where a whole list was ignored: not JSON, no list, too long or
	// too deep. Its entries are not counted then.
	Lists int
	// Dropped is the number of entries dropped, the sum of the five reasons below.
	Dropped int
	// Fields is the number of optional fields dropped from entries that were kept
	// or might have been.
	Fields int

	// Shape: no object, a key twice, an unknown type, a required field missing
	// or unusable.
	Shape int
	// Range: offsets that are no offsets, or that do not cover exactly the text.
	Range int
	// Text: covered text too long for a chip, with a line break, or blank.
	Text int
	// Overlap: an earlier annotation of the same type has the place.
	Overlap int
	// Excess: entries after the first MaxEntries.
	Excess int
}

func (r *Report) drop(reason *int) {
	*reason++
	r.Dropped++
}
