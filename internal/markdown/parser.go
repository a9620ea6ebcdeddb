package markdown

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Limits that keep the parser's work proportional to the text. Each stands far
// above what people or models write; beyond it the characters are plain text.
const (
	// maxNesting bounds lists and quotes inside each other: every line is
	// tried against every open one.
	maxNesting = 40
	// maxDelimiters bounds emphasis marks, and maxBrackets opened link labels,
	// in one paragraph: each closing one is tried against the open ones.
	maxDelimiters = 512
	maxBrackets   = 256
	// maxDelimiterRun bounds the length of one mark: each pair of characters
	// nests another element.
	maxDelimiterRun = 16
	// maxEmptyCells is how many cells a table may have beyond its bytes: short
	// rows are filled up to the width of the header.
	maxEmptyCells = 4096
	// maxDefinitionWork bounds, in one paragraph, the lines that start like a
	// link definition times all lines: for each definition the lines are moved.
	maxDefinitionWork = 1 << 20
	// maxEscapedPipes bounds \| in the tables of one text: each is compared
	// with all others.
	maxEscapedPipes = 256
)

// newParser builds the parser on first use: it is not needed in a server that
// idles.
var newParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(nesting{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(nesting{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(linkParser{parser.NewLinkParser()}, 200),
			util.Prioritized(lineBreakParser{}, 290),
			util.Prioritized(autoLinkParser{parser.NewAutoLinkParser()}, 300),
			util.Prioritized(emphasisParser{}, 500),
			util.Prioritized(extension.NewLinkifyParser(
				extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(definitions{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
		),
	)
})

// parse reads text, resolving links by the definitions in it and in refs.
func parse(src []byte, refs *references) (ast.Node, *parseState) {
	state := newParseState(len(src), refs)
	doc := newParser().Parse(text.NewReader(src), parser.WithContext(state))
	return doc, state
}

// nesting stops a container parser from opening blocks deeper than maxNesting.
type nesting struct{ parser.BlockParser }

func (n nesting) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	// The list parser keeps track of its own items here and opens nothing.
	if parent.Kind() != ast.KindList && depth(parent) >= maxNesting {
		return nil, parser.NoChildren
	}
	return n.BlockParser.Open(parent, reader, pc)
}

func depth(n ast.Node) int {
	d := 0
	for ; n != nil && d < maxNesting; n = n.Parent() {
		if k := n.Kind(); k == ast.KindList || k == ast.KindBlockquote {
			d++
		}
	}
	return d
}

// definitions takes link definitions out of paragraphs, unless they are
// absurdly many.
type definitions struct{ parser.ParagraphTransformer }

func (d definitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, source := node.Lines(), reader.Source()
	count := 0
	for i := range lines.Len() {
		seg := lines.At(i)
		if bytes.HasPrefix(bytes.TrimLeft(seg.Value(source), " "), []byte{'['}) {
			count++
		}
	}
	if count == 0 || count*lines.Len() > maxDefinitionWork {
		return
	}
	d.ParagraphTransformer.Transform(node, reader, pc)
}

// tables turns paragraphs into tables, unless the table would be much larger
// than its text.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, source := node.Lines(), reader.Source()
	columns, size, pipes := 0, 0, 0
	for i := range lines.Len() {
		seg := lines.At(i)
		line := seg.Value(source)
		size += len(line)
		if isDelimiterRow(line) {
			columns = max(columns, bytes.Count(line, []byte{'|'})+1)
		}
	}
	if columns == 0 {
		return
	}
	if columns*lines.Len() > size+maxEmptyCells {
		return
	}
	for i := range lines.Len() {
		seg := lines.At(i)
		pipes += bytes.Count(seg.Value(source), []byte(`\|`))
	}
	state := pc.(*parseState)
	if state.escapedPipes += pipes; state.escapedPipes > maxEscapedPipes {
		return
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}

// isDelimiterRow reports whether line may be the second row of a table.
func isDelimiterRow(line []byte) bool {
	dash := false
	for _, c := range line {
		switch c {
		case '-':
			dash = true
		case '|', ':', ' ', '\t', '\n':
		default:
			return false
		}
	}
	return dash
}
