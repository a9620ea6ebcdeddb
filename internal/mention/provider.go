// Package mention finds what a person can refer to with @: files of the
// workspace, and whatever else a Provider offers.
package mention

import (
	"context"
	"errors"

	"webshell/composer"
)

// Limits of one question.
const (
	// MaxItems is the most items of one provider.
	MaxItems = 50
	// MaxQuery is the longest query in bytes of UTF-8: the longest path that can
	// be a reference, escaped.
	MaxQuery = 4 << 10
)

// ErrPartial comes with items that are right as far as they go: not all there
// is has been searched.
var ErrPartial = errors.New("not everything was searched")

// Provider offers one kind of thing to refer to.
type Provider interface {
	// ID names the provider in requests and answers; it never changes.
	ID() string
	// Label is the heading of its group, in English.
	Label() string
	// Search returns what fits a query, the best first. The query is what the
	// person typed after the @, at most MaxQuery bytes of UTF-8, and may be
	// empty. Search gives up when ctx ends. Items may come with ErrPartial;
	// with any other error they are not looked at.
	Search(ctx context.Context, query string) ([]Item, error)
}

// Item is one row of the menu.
type Item struct {
	// Tag is what the chip becomes. Its id tells items apart; a chip gets an id
	// of its own.
	Tag composer.Reference `json:"tag"`
	// Title and Detail are shown, in that order: of a file its name and the
	// folder it is in.
	Title  string `json:"title"`
	Detail string `json:"detail"`
	// Directory is set where a query of the tag's value lists what is in it.
	Directory bool `json:"directory"`
	// Matches are the parts of Title, and DetailMatches those of Detail, that
	// fit the query: in order, half open, in UTF-16 units, whole characters as a
	// reader sees them.
	Matches       [][2]int `json:"matches"`
	DetailMatches [][2]int `json:"detailMatches,omitempty"`
}
