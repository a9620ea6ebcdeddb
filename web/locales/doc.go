// Package locales holds every word the product shows, in each language it
// speaks, and picks the language for a person. It knows no HTML: what T
// returns is plain text, to be escaped like any other.
package locales
