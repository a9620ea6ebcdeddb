package markdown

import (
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// A tokenStyle is how one kind of token looks. Kinds are few: a reader tells
// about ten colours apart, and each span costs bytes and time.
type tokenStyle struct {
	name        string // of the custom property, --chroma-<name>
	light, dark string
	extra       string // declarations besides the colour
	types       []chroma.TokenType
}

// Backgrounds and plain text of code, as in the page's own palette.
const (
	lightBackground, lightText = "#f3f1ec", "#1f1d1a"
	darkBackground, darkText   = "#121210", "#ecebe6"
)

// palette lists the styles. A token type that is not listed looks like its
// subcategory, else like its category, else like plain text. Every colour has a
// contrast of at least 4.5:1 to its background, which a test holds.
var palette = []tokenStyle{
	{"keyword", "#7a2f74", "#d6a3de", "", []chroma.TokenType{chroma.Keyword, chroma.OperatorWord}},
	{"type", "#0d6355", "#5cc4ae", "", []chroma.TokenType{chroma.KeywordType, chroma.NameClass, chroma.NameNamespace}},
	{"constant", "#8f3a12", "#e5a67b", "", []chroma.TokenType{chroma.KeywordConstant, chroma.NameConstant, chroma.LiteralNumber}},
	{"function", "#1f5796", "#8fb7ee", "", []chroma.TokenType{chroma.NameFunction, chroma.NameDecorator}},
	{"builtin", "#0b6069", "#79c6d4", "", []chroma.TokenType{chroma.NameBuiltin}},
	{"string", "#42600f", "#b3cd88", "", []chroma.TokenType{chroma.LiteralString, chroma.LiteralDate}},
	{"escape", "#7a4a00", "#ddbb76", "", []chroma.TokenType{chroma.LiteralStringEscape, chroma.LiteralStringRegex, chroma.LiteralStringInterpol}},
	{"comment", "#69645b", "#9d998f", "font-style:italic", []chroma.TokenType{chroma.Comment}},
	{"meta", "#665200", "#cfbd76", "", []chroma.TokenType{chroma.CommentPreproc, chroma.GenericPrompt}},
	{"tag", "#8d2d2d", "#ee9c9c", "", []chroma.TokenType{chroma.NameTag}},
	{"attribute", "#6f4a00", "#dcbf84", "", []chroma.TokenType{chroma.NameAttribute, chroma.NameVariable}},
	{"heading", "#1f1d1a", "#ecebe6", "font-weight:600", []chroma.TokenType{chroma.GenericHeading, chroma.GenericSubheading, chroma.GenericStrong}},
	{"deleted", "#9c2320", "#f09a94", "", []chroma.TokenType{chroma.GenericDeleted}},
	{"inserted", "#1c672c", "#8bcf97", "", []chroma.TokenType{chroma.GenericInserted}},
	{"output", "#69645b", "#9d998f", "", []chroma.TokenType{chroma.GenericOutput}},
}

// classes maps listed token types to chroma's names for them.
var classes = sync.OnceValue(func() map[chroma.TokenType]string {
	m := make(map[chroma.TokenType]string)
	for _, s := range palette {
		for _, t := range s.types {
			m[t] = chroma.StandardTypes[t]
		}
	}
	return m
})

// tokenClass returns the class of a token, or "" where it is plain text.
func tokenClass(t chroma.TokenType) string {
	m := classes()
	for _, t := range []chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if class, ok := m[t]; ok {
			return class
		}
	}
	return ""
}

// tokenClasses lists all classes a token can have.
func tokenClasses() []string {
	var list []string
	for _, s := range palette {
		for _, t := range s.types {
			list = append(list, chroma.StandardTypes[t])
		}
	}
	return list
}
