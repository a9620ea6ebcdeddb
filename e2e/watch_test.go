package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// watching is a script that looks at the page from within: at every message
// that is sent, in every frame from its keydown on.
const watching = `(() => {
	const followed = new Set(), faults = [], requests = [], sent = []
	let frames = 0, listed = 0
	const visible = (row) => {
		const folded = row.closest("details:not([open])") // a folded row is shown by its header
		return folded ? folded.querySelector("summary").checkVisibility() : row.checkVisibility()
	}
	const rows = (id) => [...document.querySelectorAll("[data-request-id=" + CSS.escape(id) + "]")].filter(visible)
	const written = () => new FormData(document.getElementById("composer")).get("text")
	const look = (when) => {
		for (const id of followed) {
			const shown = rows(id)
			if (shown.length !== 1) faults.push(when + ": " + shown.length + " of " + id)
			else if (shown[0].querySelector(".message-content").textContent === "") faults.push(when + ": " + id + " is empty")
		}
	}
	// Sending a message from the box takes those along that failed and came back there.
	let failed = []
	addEventListener("keydown", () => { failed = [...document.querySelectorAll("article[data-state=failed]")] }, true)
	// The last listener of a keydown: what it sees is what the task has made of the page.
	addEventListener("keydown", (event) => {
		if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
		const fresh = [...document.querySelectorAll("article[data-state=sending]")].filter((row) => !followed.has(row.dataset.requestId))
		for (const row of fresh) followed.add(row.dataset.requestId)
		for (const row of failed) if (!row.isConnected) followed.delete(row.dataset.requestId)
		sent.push({ ids: fresh.map((row) => row.dataset.requestId), left: written(), text: fresh.map((row) => row.querySelector(".message-content").textContent).join() })
		look("keydown")
	})
	const real = window.fetch
	window.fetch = (url, init) => {
		if (init?.method === "POST" && /\/(messages|sessions)$/.test(url)) {
			const { requestId } = JSON.parse(new TextDecoder().decode(init.body))
			requests.push({ id: requestId, rows: rows(requestId).length, left: written() })
		}
		const answer = real(url, init)
		// The list of messages that were sent, and has been read.
		if (init?.method === "GET" && /\/messages$/.test(url)) answer.then((a) => a.clone().text()).then(() => setTimeout(() => listed++), () => {})
		return answer
	}
	const frame = () => {
		frames++
		look("frame " + frames)
		requestAnimationFrame(frame)
	}
	requestAnimationFrame(frame)
	// Between frames too, after each task that changed the page.
	const between = new MessageChannel
	let due = false
	between.port1.onmessage = () => { due = false; look("after frame " + frames) }
	document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
		if (!due) between.port2.postMessage(due = true)
	}).observe(document.body, { childList: true, subtree: true, attributes: true }))
	window.watch = { followed, faults, requests, sent, get frames() { return frames }, get listed() { return listed } }
})()`

// watch has every document of a tab looked at from its beginning.
func (b *tab) watch() {
	b.Helper()
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watching}); err != nil {
		b.Fatal(err)
	}
}

// watched is what was seen since the document was loaded.
type watched struct {
	Followed []string
	Faults   []string
	// Requests are those that send a message, as they left: the rows that were
	// shown for it, and what was left in the message box.
	Requests []struct {
		ID   string
		Rows int
		Left string
	}
	// Sent is what each Enter made of the page by the end of its task.
	Sent []struct {
		IDs  []string
		Left string
		Text string
	}
	Frames int
}

func (b *tab) watched() watched {
	b.Helper()
	w := get(b, chromedp.Evaluate[watched](`(({ followed, ...rest }) => ({ followed: [...followed], ...rest, frames: watch.frames }))(watch)`))
	if len(w.Faults) > 0 {
		b.Errorf("a message was not shown exactly once, %d times: %s", len(w.Faults), strings.Join(w.Faults[:min(5, len(w.Faults))], "; "))
	}
	return w
}

// openWatched opens a watched tab in a browser of its own; requests may fail.
func openWatched(t *testing.T) *tab {
	t.Helper()
	b := failingTab(openBrowserFor(t, 10*time.Minute))
	b.watch()
	return b
}

// failingTab opens a tab in which requests fail on purpose: the browser and
// htmx write that to the console. All else there fails the test.
func failingTab(beside *tab) *tab {
	t := beside.T
	t.Helper()
	ctx, cancel := chromedp.NewContext(beside.ctx)
	b := &tab{t, ctx}
	b.do(chromedp.Navigate("about:blank"))
	var reading sync.WaitGroup
	messages := chromedp.Console(ctx)
	reading.Go(func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			bad := m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException || m.Type == chromedp.ConsoleWarning
			lost := m.Source == "network" || strings.HasPrefix(m.Text, "htmx: htmx:error: Failed to fetch")
			if bad && !lost {
				t.Errorf("the console says %s: %s (%s)", m.Type, m.Text, m.URL)
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		reading.Wait()
	})
	return b
}

// say writes a message with the keyboard and sends it with Enter.
func (b *tab) say(text string) {
	b.Helper()
	b.focus(messageBox)
	b.insert(text)
	b.press("Enter")
}

// messageBox is the box to write in, plain or rich.
const messageBox = `#composer [role="textbox"], #composer textarea:not([hidden])`

// ready waits until the rich message box is there.
func (b *tab) ready() {
	b.Helper()
	b.waits(`document.querySelector('#composer [role="textbox"]') !== null`)
}

// written is what stands in the message box.
func (b *tab) written() string {
	b.Helper()
	return get(b, chromedp.Evaluate[string](`new FormData(document.getElementById("composer")).get("text")`))
}

// row is one message's place and state on the page.
type row struct {
	ID, State, In, Text, Words string
	Chips, Actions             []string
}

// rows are the messages on the page, in order, those in the log and others.
func (b *tab) rows() []row {
	b.Helper()
	return get(b, chromedp.Evaluate[[]row](`[...document.querySelectorAll('article[data-request-id]')].map((row) => ({
		ID: row.dataset.requestId, State: row.dataset.state,
		In: row.closest("#queue") ? "queue" : "transcript",
		Text: row.querySelector(".message-content").textContent,
		Words: [...row.querySelectorAll(":scope > .state, :scope > .state-detail")].filter((p) => !p.hidden).map((p) => p.textContent).join(" "),
		Chips: [...row.querySelectorAll(".message-content .chip")].map((chip) => chip.textContent),
		Actions: [...row.querySelectorAll("[data-action]")].filter((b) => !b.hidden).map((b) => b.dataset.action),
	}))`))
}

// waitsFor waits until the message with a text is in a state.
func (b *tab) waitsFor(text, state string) {
	b.Helper()
	b.waits(fmt.Sprintf(`[...document.querySelectorAll("article[data-request-id]")].some((row) => row.dataset.state === %s && row.querySelector(".message-content").textContent === %s)`, quote(state), quote(text)))
}

// act presses a button of the message with a text.
func (b *tab) act(text, action string) {
	b.Helper()
	at := fmt.Sprintf(`[...document.querySelectorAll("article[data-request-id]")].find((row) => row.querySelector(".message-content").textContent === %s)?.querySelector("[data-action=%s]:not([hidden])")`, quote(text), action)
	b.waits(at + " != null")
	if action == "edit" {
		b.run("watch.followed.delete(" + at + ".closest('article').dataset.requestId)") // its row is to go
	}
	b.run(at + ".click()")
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
