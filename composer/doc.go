// Package composer turns what a person submits into a message: the text an
// agent gets, byte for byte, and annotations beside it that say which parts of
// that text were chips.
//
//	Canonical, CanonicalForm   text as it arrives → text every range counts in
//	Build                      text + the composer's tags → Message
//	Sanitize                   text + a program's annotations → those that hold
//	Check                      may this message be accepted as a whole?
//	Encode, ReadStored         annotations → stored JSON → annotations
//	Spans, ChipOf              content + annotations → what a template loops over
//
// Two rules decide every doubtful case. A fault in metadata costs the
// annotation, or one optional field of it, and never a character of the text.
// No text is ever searched for chips: without a range there is no chip.
//
// Nothing here trims, folds case or normalises Unicode, since each of these
// changes lengths and so moves ranges.
//
// The package is pure: the standard library only, no clock, no I/O, no state.
package composer
