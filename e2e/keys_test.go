package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// What a person does at a keyboard, with an input method, the clipboard and a
// mouse, as the browser gets it from the system.

// Modifier keys, as the protocol adds them up.
const (
	alt   = 1
	ctrl  = 2
	meta  = 4
	shift = 8
)

var modifiers = map[string]int64{"Alt": alt, "Control": ctrl, "Meta": meta, "Shift": shift}

// keyCodes are the Windows virtual key codes of keys that have names.
var keyCodes = map[string]int64{
	"Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
	"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46,
}

// editing are the commands that the system's shortcuts carry; the browser
// alone would do nothing with the keys.
var editing = map[string]string{
	"Control+c": "copy", "Control+x": "cut", "Control+v": "paste", "Control+a": "selectAll", "Control+z": "undo", "Control+Shift+z": "redo", "Control+y": "redo",
}

// press presses and releases a key: "a", "Enter", "Shift+ArrowLeft",
// "Control+z". One event of type keyDown carries the character, so that a page
// that prevents it gets none.
func (b *tab) press(keys ...string) {
	b.Helper()
	for _, key := range keys {
		down, up := keyEvents(key)
		b.dispatch(down)
		b.dispatch(up)
	}
}

func (b *tab) dispatch(event input.DispatchKeyEventParams) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, event); err != nil {
		b.Fatal(err)
	}
}

func keyEvents(name string) (down, up input.DispatchKeyEventParams) {
	parts := strings.Split(name, "+")
	key := parts[len(parts)-1]
	event := input.DispatchKeyEventParams{Key: key, Code: key, WindowsVirtualKeyCode: keyCodes[key]}
	for _, part := range parts[:len(parts)-1] {
		event.Modifiers += modifiers[part]
	}
	if len(key) == 1 && unicode.IsLetter(rune(key[0])) { // the codes of other characters are other keys'
		upper := strings.ToUpper(key)
		event.Code, event.WindowsVirtualKeyCode = "Key"+upper, int64(upper[0])
		if event.Modifiers&shift != 0 {
			event.Key = upper
		}
	}
	down, up = event, event
	up.Type = input.DispatchKeyEventTypeKeyUp
	down.Type = input.DispatchKeyEventTypeRawKeyDown
	if command := editing[name]; command != "" {
		down.Commands = []string{command}
	}
	switch text := event.Key; {
	case event.Modifiers&(ctrl|meta|alt) != 0 && key != "Enter":
	case key == "Enter":
		down.Type, down.Text = input.DispatchKeyEventTypeKeyDown, "\r"
	case utf8.RuneCountInString(text) == 1:
		down.Type, down.Text = input.DispatchKeyEventTypeKeyDown, text
	}
	return down, up
}

// typeText types a text where the focus is: keys for what a keyboard has, what
// else there is as an emoji picker puts it in. A line break is Shift+Enter.
func (b *tab) typeText(text string) {
	b.Helper()
	for _, r := range text {
		switch {
		case r == '\n':
			b.press("Shift+Enter")
		case r == '+': // what joins the names of keys
			b.insert("+")
		case r >= ' ' && r < 0x7f:
			b.press(string(r))
		default:
			b.insert(string(r))
		}
	}
}

// insert puts a text in without keys.
func (b *tab) insert(text string) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		b.Fatal(err)
	}
}

// imeKey is a key that an input method takes for itself.
func (b *tab) imeKey(eventType input.DispatchKeyEventType) {
	b.Helper()
	b.dispatch(input.DispatchKeyEventParams{Type: eventType, Key: "Process", WindowsVirtualKeyCode: 229})
}

// imeCompose begins a composition, or goes on with it: text is underlined at
// the caret.
func (b *tab) imeCompose(text string) {
	b.Helper()
	b.imeKey(input.DispatchKeyEventTypeRawKeyDown)
	end := int64(len([]rune(text)))
	if _, err := chromedp.Call(b.ctx, input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: end, SelectionEnd: end}); err != nil {
		b.Fatal(err)
	}
	b.imeKey(input.DispatchKeyEventTypeKeyUp)
}

// imeCommit ends the composition with text in its place.
func (b *tab) imeCommit(text string) {
	b.Helper()
	b.imeKey(input.DispatchKeyEventTypeRawKeyDown)
	b.insert(text)
	b.imeKey(input.DispatchKeyEventTypeKeyUp)
}

// paste pastes data by type where the focus is, as from another program.
func (b *tab) paste(data map[string]string) {
	b.Helper()
	raw, err := json.Marshal(data)
	if err != nil {
		b.Fatal(err)
	}
	b.run(fmt.Sprintf(`{
		const data = new DataTransfer
		for (const [type, text] of Object.entries(%s)) data.setData(type, text)
		document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
	}`, raw))
}

// run runs a script in the page, for what it does.
func (b *tab) run(script string) {
	b.Helper()
	get(b, chromedp.Evaluate[json.RawMessage]("(() => {"+script+"; return null })()"))
}

// point is a place on the page, in CSS pixels of the window.
type point struct{ X, Y float64 }

// middle is the middle of an element, moved by a share of its size: 0, 0 is the
// middle, -0.5 the start edge.
func (b *tab) middle(selector string, right, down float64) point {
	b.Helper()
	return get(b, chromedp.Evaluate[point](fmt.Sprintf(`(() => {
		const box = document.querySelector(%q).getBoundingClientRect()
		return { X: box.x + box.width * (0.5 + %f), Y: box.y + box.height * (0.5 + %f) }
	})()`, selector, right, down)))
}

func (b *tab) mouse(kind input.DispatchMouseEventType, at point, held int64) {
	b.Helper()
	event := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Buttons: held, ClickCount: 1, Button: input.MouseButtonLeft}
	if kind == input.DispatchMouseEventTypeMouseMoved && held == 0 {
		event.Button, event.ClickCount = input.MouseButtonNone, 0
	}
	if _, err := chromedp.Call(b.ctx, input.DispatchMouseEvent, event); err != nil {
		b.Fatal(err)
	}
}

// clickAt clicks a place, also one that is inside an element's text.
func (b *tab) clickAt(at point) {
	b.Helper()
	b.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	b.mouse(input.DispatchMouseEventTypeMousePressed, at, 1)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, at, 0)
}

// drag drags what is at one place to another.
func (b *tab) drag(from, to point) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		b.Fatal(err)
	}
	soon, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	begun := chromedp.Events(soon, input.DragIntercepted)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, from, 0)
	b.mouse(input.DispatchMouseEventTypeMousePressed, from, 1)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, point{from.X + 12, from.Y + 2}, 1)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, to, 1)
	for event, err := range begun {
		if err != nil {
			b.Fatal(err)
		}
		for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
			if _, err := chromedp.Call(b.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: to.X, Y: to.Y, Data: event.Data}); err != nil {
				b.Fatal(err)
			}
		}
		break
	}
	b.mouse(input.DispatchMouseEventTypeMouseReleased, to, 0)
	if _, err := chromedp.Call(b.ctx, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false}); err != nil {
		b.Fatal(err)
	}
}

// focus puts the keyboard into an element once it is there: the message box is
// another element when the rich editor has come.
func (b *tab) focus(selector string) {
	b.Helper()
	b.waits(fmt.Sprintf(`(() => {
		const element = document.querySelector(%q)
		element?.focus()
		return element !== null && document.activeElement === element
	})()`, selector))
}

// waits waits until an expression in the page is true, also while another page
// takes its place.
func (b *tab) waits(expression string) {
	b.Helper()
	for {
		_, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression))
		if err == nil {
			return
		}
		if !isLeft(err) {
			b.Fatalf("waiting for %s: %v", expression, err)
		}
	}
}

// isLeft tells that the page was left in which a script was to run.
func isLeft(err error) bool {
	for _, words := range []string{"Cannot find context with specified id", "Inspected target navigated or closed", "Execution context was destroyed"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

func TestKeyNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]input.DispatchKeyEventParams{
		"Enter":           {Type: "keyDown", Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r"},
		"Shift+ArrowLeft": {Type: "rawKeyDown", Key: "ArrowLeft", Code: "ArrowLeft", WindowsVirtualKeyCode: 37, Modifiers: shift},
		"a":               {Type: "keyDown", Key: "a", Code: "KeyA", WindowsVirtualKeyCode: 65, Text: "a"},
		"Control+Shift+z": {Type: "rawKeyDown", Key: "Z", Code: "KeyZ", WindowsVirtualKeyCode: 90, Modifiers: ctrl | shift, Commands: []string{"redo"}},
	} {
		down, _ := keyEvents(name)
		if fmt.Sprint(down) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, want %+v", name, down, want)
		}
	}
}
