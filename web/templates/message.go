package templates

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"webshell/composer"
)

// escaper writes text so that it reads back from the page exactly. Beside the
// characters that would be markup it spells out CR, which a browser's parser
// turns into LF where it stands bare.
var escaper = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\r", "&#13;",
)

// exact is text that is written with escaper, for places where every character
// counts; templ's own escaping loses CR.
type exact string

// Render implements templ.Component.
func (e exact) Render(_ context.Context, w io.Writer) error {
	_, err := escaper.WriteString(w, string(e))
	return err
}

// drawn is HTML that is safe to send as it is: ours, or already cleaned.
type drawn string

// Render implements templ.Component.
func (d drawn) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(d))
	return err
}

// Render implements templ.Component.
func (g glyph) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(g))
	return err
}

// messageContent is the inside of .message-content: the host's drawing where
// there is one, else text and chips. The empty bubble that waits for a script
// to fill it is no message: the host never sees it.
func messageContent(ctx context.Context, v View, m UserMessage) templ.Component {
	if v.UserContent != nil && m.ID != "" {
		if c := v.UserContent(ctx, m); c != nil {
			return c
		}
	}
	return runs{icons: v.Icons, content: m.Content, annotations: m.Annotations}
}

// runs draws a message as text and chips. It is written by hand, without a
// templ file, because a long conversation spends most of its time here: one
// allocation for the runs, none for what is written.
type runs struct {
	icons       *IconSet
	content     string
	annotations []composer.Annotation
}

// Render implements templ.Component.
func (r runs) Render(_ context.Context, w io.Writer) error {
	out := chipWriter{w: w}
	for _, span := range composer.Spans(r.content, r.annotations) {
		if span.Annotation == nil {
			out.text(span.Text)
		} else {
			out.chip(composer.ChipOf(*span.Annotation), r.icons)
		}
	}
	if strings.HasSuffix(r.content, "\n") || strings.HasSuffix(r.content, "\r") {
		// Without something behind it, a browser's selection leaves the last
		// line break out.
		out.raw(`<span class="message-end"></span>`)
	}
	return out.err
}

// chipWriter keeps the first error, so that drawing reads as a list.
type chipWriter struct {
	w   io.Writer
	err error
}

func (o *chipWriter) raw(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

func (o *chipWriter) text(s string) {
	if o.err == nil {
		_, o.err = escaper.WriteString(o.w, s)
	}
}

// chip draws one reference. The covered text is the chip's only text, so that
// the message's text is its content; label and value are drawn by the style
// sheet from attributes. The name for assistive technology is kind and text.
func (o *chipWriter) chip(c composer.Chip, icons *IconSet) {
	o.raw(`<bdi class="chip" role="img" aria-label="`)
	if c.Kind != "" {
		o.text(c.Kind)
		o.raw(` `)
	}
	o.text(c.Text)
	o.attribute(`" title="`, c.Text)
	o.attribute(`" data-kind="`, c.Kind)
	o.attribute(`" data-id="`, c.ID)
	o.attribute(`" data-start="`, strconv.Itoa(c.Start))
	o.attribute(`" data-end="`, strconv.Itoa(c.End))
	o.raw(`">`)
	o.raw(string(icons.icon(c.Kind)))
	o.face(c)
	o.raw(`<span class="chip-text">`)
	o.text(c.Text)
	o.raw(`</span></bdi>`)
}

// emptyChip is the markup of a chip for a script to fill.
var emptyChip = func() drawn {
	var b strings.Builder
	(&chipWriter{w: &b}).chip(composer.Chip{}, nil)
	return drawn(b.String())
}()

// face is what is seen of a chip: label and value, or else the covered text.
func (o *chipWriter) face(c composer.Chip) {
	o.raw(`<span class="chip-face"`)
	switch {
	case c.Label != "" && c.Value != "":
		o.attribute(` data-label="`, c.Label)
		o.attribute(`" data-value="`, c.Value)
	case c.Label != "":
		o.attribute(` data-value="`, c.Label)
	case c.Value != "":
		o.attribute(` data-value="`, c.Value)
	default:
		o.attribute(` data-value="`, visible(c.Text))
	}
	o.raw(`"></span>`)
}

func (o *chipWriter) attribute(open, value string) {
	o.raw(open)
	o.text(value)
}
