package templates

// glyph is a drawing of ours as inline SVG: 16 units square, in the colour of
// the text around it, hidden from assistive technology.
type glyph string

// line draws a glyph with the pen of the style sheet. The size is for a page
// whose style sheet did not load.
func line(paths string) glyph {
	return glyph(`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">` + paths + `</svg>`)
}

// The glyphs of the interface. Icons of references are in icons.go.
var (
	glyphPlus    = line(`<path d="M8 3v10M3 8h10"/>`)
	glyphSend    = line(`<path d="M8 13V3.5M4 7.2l4-4 4 4"/>`)
	glyphStop    = line(`<rect x="4" y="4" width="8" height="8" rx="1"/>`)
	glyphMenu    = line(`<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>`)
	glyphClose   = line(`<path d="M4 4l8 8M12 4l-8 8"/>`)
	glyphCopy    = line(`<path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z"/>`)
	glyphUp      = line(`<path d="M4 10l4-4 4 4"/>`)
	glyphDown    = line(`<path d="M4 6l4 4 4-4"/>`)
	glyphChevron = glyph(`<svg class="icon chevron" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M6 3.5l4.5 4.5L6 12.5"/></svg>`)
	glyphContext = line(`<rect x="3" y="2" width="10" height="12" rx="1"/><path d="M5.5 6h5M5.5 9h5"/>`)
	glyphRecall  = line(`<path d="M2.5 3.5h11v8H8l-3 2.5V11.5H2.5z"/>`)
	glyphThought = line(`<path d="M5.8 10.2a4 4 0 1 1 4.4 0v1.3H5.8zM6.5 14h3"/>`)
	glyphSteer   = line(`<path d="M2 8h8M7 4.5L10.5 8 7 11.5M13.5 3.5v9"/>`)
	glyphPlan    = line(`<path d="M2.5 4l1 1L5.5 3M2.5 8.5l1 1 2-2M8 4.5h5.5M8 9h5.5M3 13h.5M8 13h5.5"/>`)
	glyphAsk     = line(`<path d="M8 1.8l5 2v4c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4v-4zM8 5v3.5M8 10.8v.2"/>`)
	glyphInfo    = line(`<circle cx="8" cy="8" r="6"/><path d="M8 7.5V11M8 5v.2"/>`)
	glyphWarn    = line(`<path d="M8 2.5l6 11H2zM8 6.5V10M8 11.8v.2"/>`)
	glyphUnknown = line(`<rect x="2.5" y="2.5" width="11" height="11" rx="2"/><path d="M6.3 6.5a1.7 1.7 0 1 1 2.4 1.5c-.5.3-.7.6-.7 1.2M8 11.3v.2"/>`)

	glyphWaiting = line(`<circle cx="8" cy="8" r="5.5" stroke-dasharray="2.4 2.2"/>`)
	glyphRunning = glyph(`<svg class="icon spin" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M8 2.5A5.5 5.5 0 1 1 2.5 8"/></svg>`)
	glyphDone    = line(`<path d="M3 8.5L6.5 12 13 4.5"/>`)
	glyphFailed  = line(`<path d="M4 4l8 8M12 4l-8 8"/>`)
	glyphStopped = line(`<circle cx="8" cy="8" r="5.5"/><path d="M4.2 11.8l7.6-7.6"/>`)
)

// statusGlyph is the glyph of a tool call's or a plan entry's state; a state
// that this build does not know is drawn like one that waits.
func statusGlyph(status string) glyph {
	switch status {
	case "in_progress":
		return glyphRunning
	case "completed":
		return glyphDone
	case "failed":
		return glyphFailed
	case "cancelled":
		return glyphStopped
	}
	return glyphWaiting
}
