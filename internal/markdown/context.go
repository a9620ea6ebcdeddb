package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

const (
	// maxReferences bounds the link definitions kept for one text.
	maxReferences = 1000
	// minReferenceUse is how many bytes of link targets may be inserted through
	// definitions whatever the text's length. A long target that is defined
	// once and used often would multiply the text otherwise.
	minReferenceUse = 64 << 10
)

// references are link definitions by their normalised label. The first
// definition of a label counts.
type references struct {
	byLabel map[string]parser.Reference
}

func (r *references) get(label string) (parser.Reference, bool) {
	if r == nil {
		return nil, false
	}
	ref, ok := r.byLabel[label]
	return ref, ok
}

func (r *references) add(label string, ref parser.Reference) {
	if r.byLabel == nil {
		r.byLabel = make(map[string]parser.Reference)
	}
	if _, ok := r.byLabel[label]; !ok && len(r.byLabel) < maxReferences {
		r.byLabel[label] = ref
	}
}

// addAll takes over definitions whose text is about to be reused or dropped.
func (r *references) addAll(from references) {
	for label, ref := range from.byLabel {
		own := func(b []byte) []byte { return append([]byte(nil), b...) }
		r.add(label, parser.NewReference(own(ref.Label()), own(ref.Destination()), own(ref.Title())))
	}
}

// parseState is the parser's context with this package's counters. Definitions
// found in the text go to refs; earlier holds those of the text before it.
type parseState struct {
	parser.Context
	refs         references
	earlier      *references
	referenceUse int // bytes left
	delimiters   int // in the paragraph being parsed
	brackets     int
	escapedPipes int // in the whole text
}

func newParseState(size int, earlier *references) *parseState {
	return &parseState{
		Context:      parser.NewContext(parser.WithIDs(noIDs{})),
		earlier:      earlier,
		referenceUse: minReferenceUse + size,
	}
}

func (s *parseState) AddReference(ref parser.Reference) {
	s.refs.add(util.ToLinkReference(ref.Label()), ref)
}

func (s *parseState) Reference(label string) (parser.Reference, bool) {
	ref, ok := s.earlier.get(label)
	if !ok {
		ref, ok = s.refs.get(label)
	}
	if !ok {
		return nil, false
	}
	size := len(ref.Destination()) + len(ref.Title())
	if size > s.referenceUse {
		return nil, false
	}
	s.referenceUse -= size
	return ref, true
}

func (s *parseState) References() []parser.Reference {
	refs := make([]parser.Reference, 0, len(s.refs.byLabel))
	for _, ref := range s.refs.byLabel {
		refs = append(refs, ref)
	}
	return refs
}

// endParagraph resets what is counted by paragraph.
func (s *parseState) endParagraph() { s.delimiters, s.brackets = 0, 0 }

// noIDs gives no heading an id: it could clash with one of the page.
type noIDs struct{}

func (noIDs) Generate([]byte, ast.NodeKind) []byte { return nil }
func (noIDs) Put([]byte)                           {}
