package templates

import "webshell/composer"

// visible spells out the characters that hide or reorder what stands around
// them, so that a title, a command to be allowed or a name shows what it is.
// Line breaks and tabs stay.
func visible(s string) string { return composer.Visible(s, "\n\t") }
