package markdown

import (
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// emphasisParser reads *, _ and ~~ marks.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte { return []byte{'*', '_', '~'} }

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	var node *parser.Delimiter
	if line[0] == '~' {
		node = parser.ScanDelimiter(line, before, 1, strikethrough{})
	} else {
		node = parser.ScanDelimiter(line, before, 1, emphasis{})
	}
	run := segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	if line[0] != '_' {
		after := rune(' ')
		if node.OriginalLength < len(line) {
			after = util.ToRune(line, node.OriginalLength)
		}
		node.CanOpen, node.CanClose = cjkFlanking(before, after, node.CanOpen, node.CanClose)
	}
	state := pc.(*parseState)
	if !node.CanOpen && !node.CanClose || node.OriginalLength > maxDelimiterRun ||
		line[0] == '~' && node.OriginalLength != 2 || state.delimiters >= maxDelimiters {
		// The whole run: it would be read again from each of its characters.
		return ast.NewTextSegment(run)
	}
	state.delimiters++
	node.Segment = run
	pc.PushDelimiter(node)
	return node
}

func (emphasisParser) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) {
	pc.(*parseState).endParagraph()
}

// cjkFlanking adds to CommonMark's rules for what may open and close emphasis.
// These look for white space or punctuation around a mark, which text without
// spaces between words does not have: in "**注意：**请" the second mark stands
// between punctuation and a letter and would close nothing. As in the
// "CJK-friendly emphasis" amendment to CommonMark, East Asian punctuation counts
// as a letter, and an East Asian character is as good as a space.
func cjkFlanking(before, after rune, open, closes bool) (canOpen, canClose bool) {
	beforeWide, afterWide := eastAsian(before), eastAsian(after)
	if !beforeWide && !afterWide {
		return open, closes
	}
	if !util.IsSpaceRune(after) && (afterWide || beforeWide) {
		open = true
	}
	if !util.IsSpaceRune(before) && (beforeWide || afterWide) {
		closes = true
	}
	return open, closes
}

// eastAsian reports whether r is a character or punctuation mark of scripts
// that are set in full cells, by Unicode's East Asian Width (UAX 11).
func eastAsian(r rune) bool {
	if r < 0x1100 {
		return false
	}
	switch util.EastAsianWidth(r) {
	case "F", "W", "H":
		return true
	}
	return false
}

type emphasis struct{}

func (emphasis) IsDelimiter(b byte) bool { return b == '*' || b == '_' }
func (emphasis) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}
func (emphasis) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

type strikethrough struct{}

func (strikethrough) IsDelimiter(b byte) bool { return b == '~' }
func (strikethrough) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}
func (strikethrough) OnMatch(int) ast.Node { return extast.NewStrikethrough() }

// linkParser bounds the link labels a paragraph opens.
type linkParser struct{ parser.InlineParser }

func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); line[0] != ']' {
		state := pc.(*parseState)
		if state.brackets >= maxBrackets {
			return nil
		}
		if line[0] == '[' || len(line) > 1 && line[1] == '[' {
			state.brackets++
		}
	}
	return p.InlineParser.Parse(parent, block, pc)
}

func (p linkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// autoLinkParser takes <https://…> as a link, but leaves <std::string> and
// other targets that would not become links as the text they are.
type autoLinkParser struct{ parser.InlineParser }

func (p autoLinkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	node := p.InlineParser.Parse(parent, block, pc)
	link, ok := node.(*ast.AutoLink)
	if !ok {
		return nil
	}
	if link.AutoLinkType == ast.AutoLinkURL && safeURL(link.URL(block.Source())) == "" {
		return nil
	}
	return link
}

// lineBreak is a <br> in the text. Tables have no other way to write one.
type lineBreak struct{ ast.BaseInline }

var kindLineBreak = ast.NewNodeKind("LineBreak")

func (*lineBreak) Kind() ast.NodeKind { return kindLineBreak }

func (b *lineBreak) Dump(source []byte, level int) {
	ast.DumpHelper(b, source, level, nil, nil)
}

type lineBreakParser struct{}

func (lineBreakParser) Trigger() []byte { return []byte{'<'} }

func (lineBreakParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if len(line) < 4 || line[1]|0x20 != 'b' || line[2]|0x20 != 'r' {
		return nil
	}
	i := 3
	for i < len(line) && line[i] == ' ' {
		i++
	}
	if i < len(line) && line[i] == '/' {
		i++
	}
	if i == len(line) || line[i] != '>' {
		return nil
	}
	block.Advance(i + 1)
	return &lineBreak{}
}
