package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// menuFiles are the workspace of the menus' tests.
var menuFiles = []string{
	"Makefile", "LICENSE.md", "src/Makefile", "src/main.go", "my notes.txt", `back\slash.txt`, "ignored.txt",
	"文档/说明.md", "😀 计划.md", ".qwen/settings.json", "deep/one/two/three/leaf.txt",
}

// menuWorkspace makes a folder with names that are easy and odd.
func menuWorkspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, content string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range menuFiles {
		write(name, name)
	}
	for i := range 40 {
		write(fmt.Sprintf("many/item%02d.txt", i), "")
	}
	write(".gitignore", "ignored.txt\n")
	return dir
}

// menuBox is a tab with a message box that has its menus.
type menuBox struct {
	*tab
	api     *client
	session string
}

// openMenuBox opens the page of a session of its own, so that no draft of
// another test is in the box.
func openMenuBox(t *testing.T, browser *tab, c *client) *menuBox {
	t.Helper()
	var made struct{ ID string }
	c.must("POST", "/sessions", map[string]any{}, &made)
	b := &menuBox{newTab(t, browser.ctx), c, made.ID}
	b.do(chromedp.Navigate(c.url + "/sessions/" + made.ID))
	b.focusBox()
	return b
}

const menuInput = `#message[contenteditable]`

func (b *menuBox) focusBox() {
	b.Helper()
	b.do(chromedp.WaitReady(chromedp.CSS(menuInput)))
	b.run(`document.querySelector("` + menuInput + `").focus()`)
}

// values are the options' values, in order.
func (b *menuBox) values() []string {
	b.Helper()
	return get(b.tab, chromedp.Evaluate[[]string](`[...document.querySelectorAll("[role=listbox]:not([hidden]) [role=option]")].map(o => o.dataset.value)`))
}

// waits is tab.waits that says what there is instead.
func (b *menuBox) waits(expression string) {
	b.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression)); err != nil {
		text, marks := b.draft()
		b.Fatalf("waiting for %s: %v; options are %q, the message is %q, %+v", expression, err, b.values(), text, marks)
	}
}

// shows waits until exactly these options are shown.
func (b *menuBox) shows(values ...string) {
	b.Helper()
	want, _ := json.Marshal(values)
	b.waits(fmt.Sprintf(`JSON.stringify([...document.querySelectorAll("[role=listbox]:not([hidden]) [role=option]")].map(o => o.dataset.value)) === JSON.stringify(%s)`, want))
}

// selects waits until the option is the selected one, as the textbox says too.
func (b *menuBox) selects(value string) {
	b.Helper()
	b.waits(fmt.Sprintf(`(() => {
		const box = document.querySelector(%q), list = document.getElementById(box.getAttribute("aria-controls"))
		const all = list ? [...list.querySelectorAll("[role=option][aria-selected=true]")] : []
		return all.length === 1 && all[0].dataset.value === %q && all[0].id === box.getAttribute("aria-activedescendant")
			&& list.getAttribute("role") === "listbox" && !box.hasAttribute("aria-expanded")
	})()`, menuInput, value))
}

// closed checks that no menu is there, and that the textbox says so.
func (b *menuBox) closed() {
	b.Helper()
	const left = `document.querySelector("[role=listbox], .menu") || document.querySelector("` + menuInput + `").matches("[aria-controls], [aria-activedescendant], [aria-expanded]")`
	if get(b.tab, chromedp.Evaluate[bool](`!!(`+left+`)`)) {
		b.Errorf("a menu is still there, or the textbox says so")
	}
}

// note waits for words below the list, or instead of it.
func (b *menuBox) note(words string) {
	b.Helper()
	b.waits(fmt.Sprintf(`document.querySelector(".menu-note:not([hidden])")?.textContent === %q`, words))
}

// textBetween is the part of a text between two offsets of the browser's.
func textBetween(text string, from, to int) string {
	return string(utf16.Decode(utf16.Encode([]rune(text))[from:to]))
}

type boxMark struct {
	Type, ID, Kind, Value, Serialized string
	Start, End                        int
	Command                           struct{ Name string }
	SubcommandPath                    []string
}

// draft is what the form would send.
func (b *menuBox) draft() (text string, marks []boxMark) {
	b.Helper()
	type draft struct{ Text, Tags string }
	d := get(b.tab, chromedp.Evaluate[draft](`(() => { const d = new FormData(document.getElementById("composer")); return { Text: d.get("text"), Tags: d.get("tags") } })()`))
	if err := json.Unmarshal([]byte(d.Tags), &marks); err != nil {
		b.Fatal(err)
	}
	return d.Text, marks
}

// says checks the message so far, and what its chips and commands cover.
func (b *menuBox) says(want string, covered ...string) []boxMark {
	b.Helper()
	text, marks := b.draft()
	if text != want {
		b.Errorf("the message is %q, want %q", text, want)
	}
	var got []string
	for _, m := range marks {
		part := textBetween(text, m.Start, m.End)
		if m.Type != "command" && part != m.Serialized {
			b.Errorf("the chip %q covers %q", m.Serialized, part)
		}
		got = append(got, part)
	}
	if !slices.Equal(got, covered) {
		b.Errorf("covered are %q, want %q", got, covered)
	}
	return marks
}

// menuMessage is a message in the log.
type menuMessage struct {
	text        string
	annotations []struct {
		Type, Text     string
		Start, End     int
		SubcommandPath []string
	}
}

// sent waits for the first message in the session's log.
func (b *menuBox) sent() menuMessage {
	b.Helper()
	var m menuMessage
	b.api.until(b.session, "the message", func(events []event) bool {
		i := slices.IndexFunc(events, func(e event) bool { return e.Kind == "user/message" })
		if i < 0 {
			return false
		}
		m.text = events[i].Content
		if raw := events[i].Annotations; len(raw) > 0 {
			if err := json.Unmarshal(raw, &m.annotations); err != nil {
				b.Fatal(err)
			}
		}
		return true
	})
	return m
}

// clear empties the box as a person does.
func (b *menuBox) clear() {
	b.Helper()
	b.press("Control+a", "Backspace")
	b.closed()
}

// looks sets the window's size, and whether a finger is the pointer.
func (b *menuBox) looks(width, height int64, touch bool) {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: touch}); err != nil {
		b.Fatal(err)
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: touch}); err != nil {
		b.Fatal(err)
	}
	b.waits(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, width, height))
}

// TestMenus walks through the menus in the real program: one server and one
// browser, a tab and a session for each walk.
func TestMenus(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "WEBSHELL_WORKSPACE="+menuWorkspace(t))
	c := s.client()
	browser := openBrowserFor(t, 10*time.Minute)
	browser.signIn(s.link)
	for _, w := range []struct {
		name string
		walk func(*menuBox)
	}{
		{"pick by keyboard", walkKeyboard},
		{"where it was picked", walkOwnRange},
		{"odd names", walkOddNames},
		{"into folders", walkFolders},
		{"after other scripts", walkScripts},
		{"no trigger", walkNoTrigger},
		{"escape", walkEscape},
		{"mouse", walkMouse},
		{"touch", walkTouch},
		{"input method", walkInputMethod},
		{"soft keyboard", walkSoftKeyboard},
		{"late answers", walkLateAnswers},
		{"enter too early", walkHeldEnter},
		{"commands too late", walkLateCommands},
		{"failures", walkFailures},
		{"placement", walkPlacement},
		{"commands", walkCommands},
		{"command sent at once", walkCommandAtOnce},
		{"subcommands", walkSubcommands},
		{"announced", walkAnnounced},
		{"looks", walkLooks},
	} {
		t.Run(w.name, func(t *testing.T) {
			w.walk(openMenuBox(t, browser, c))
		})
	}
	t.Run("a session yet to begin", func(t *testing.T) {
		b := &menuBox{newTab(t, browser.ctx), c, ""}
		b.do(chromedp.Navigate(s.url + "/"))
		b.focusBox()
		b.typeText("compare @Mak")
		b.shows("Makefile", "src/Makefile")
		b.selects("Makefile")
		b.press("Enter")
		b.says("compare @Makefile ", "@Makefile")
		b.clear()
		b.typeText("/")
		b.waits(`!!document.querySelector("#command-menu [data-value=slow]")`)
		b.clear()
	})
	s.interrupt()
}
