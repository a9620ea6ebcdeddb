package composer

import "errors"

// What Check refuses.
var (
	// ErrTextTooLarge means content over MaxText bytes (status 413).
	ErrTextTooLarge = errors.New("the message is too long: send at most 1 MiB of text")
	// ErrBlank means content that is empty or only white space (status 422). It
	// is the last thing checked: a message with an image may pass over it.
	ErrBlank = errors.New("the message is empty: write something or attach an image")
)

// Check tells whether a message may be accepted as a whole: ErrTextTooLarge,
// ErrBlank or nil. White space is what unicode.IsSpace says.
func Check(m Message) error {
	if len(m.Content) > MaxText {
		return ErrTextTooLarge
	}
	if blank(m.Content) {
		return ErrBlank
	}
	return nil
}
