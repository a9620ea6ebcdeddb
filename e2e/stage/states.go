package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"
)

// States is the table of all states.
func States() []State {
	return slices.Concat(doorStates(), pageStates(), plainStates(), scriptStates())
}

func at(path string) func(*Set) string { return func(*Set) string { return path } }

func talkAt(name, query string) func(*Set) string {
	return func(s *Set) string { return "/sessions/" + s.Talks[name] + query }
}

// in is a state of a conversation's page.
func in(talk, name string, steps ...step) State {
	phase := Talked
	if slices.ContainsFunc(live(), func(l conversation) bool { return l.name == talk }) {
		phase = Live
	}
	return State{Name: name, Phase: phase, Path: talkAt(talk, ""), Steps: steps}
}

// doorStates are those of whom the server does not know yet, and its welcome.
func doorStates() []State {
	return []State{
		{Name: "sign-in", Path: func(s *Set) string { return strings.TrimPrefix(s.Link, s.URL) }},
		{Name: "sign-in-expired", Path: at("/login?token=expired")},
		{Name: "sign-in-none", Path: at("/login")},
		{Name: "home-first", Phase: Fresh, Path: at("/")},
	}
}

// pageStates are pages as they are loaded, and what opens on them.
func pageStates() []State {
	states := []State{
		{Name: "home", Phase: Talked, Path: at("/")},
		{Name: "missing", Phase: Talked, Path: at("/nothing/here"), Fails: true},
		{Name: "older", Phase: Talked, Path: talkAt("rows", "?before=40")},
		in("rows", "rows-open", openAll),
		in("words", "words-open", openAll),
		in("context", "context"),
		in("context", "context-open", openAll),
		in("running", "queue-open", openAll),
		in("long", "long-open", openAll),
		{Name: "drawer", Phase: Talked, Path: talkAt("session", ""), Narrow: true,
			Steps: []step{run(`document.querySelector("#bar [popovertarget]").click()`), shows("#sessions")}},
	}
	for _, talk := range []string{"empty", "markdown", "rtl", "words", "failed", "long", "asks", "answered", "stopped", "queued", "running", "interrupted", "rows", "session"} {
		states = append(states, in(talk, talk))
	}
	return states
}

// plainStates are pages in browsers without script.
func plainStates() []State {
	return []State{
		{Name: "home-plain", Phase: Talked, Plain: true, Path: at("/")},
		{Name: "rows-plain", Phase: Talked, Plain: true, Path: talkAt("rows", "")},
		{Name: "running-plain", Phase: Live, Plain: true, Path: talkAt("running", "")},
		{Name: "asks-plain", Phase: Talked, Plain: true, Path: talkAt("asks", "")},
		// The one view that loads itself again is asked for by its own link, and
		// another leads back. It is stopped, to hold still.
		{Name: "watch", Phase: Live, Plain: true, Path: talkAt("running", "?watch"), Meant: []string{"meta-refresh"}, Steps: []step{run(`stop()`)}},
		{Name: "kept", Phase: Talked, Plain: true, Path: talkAt("session", ""), Fails: true, Steps: []step{refused, chromedp.WaitVisible(chromedp.CSS(`[data-view="error"]`))}},
	}
}

// refused sends a form that the server refuses: its request id belongs to
// another message.
var refused = run(fmt.Sprintf(`{
	const form = document.querySelector("#composer");
	form.querySelector("[name=request_id]").value = document.querySelector("[data-role=user]").dataset.requestId;
	form.querySelector("[name=text]").value = %q;
	form.querySelector(".send").click();
}`, "a text that the person would be sorry to lose"))
