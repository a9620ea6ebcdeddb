package stage

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
)

// States is the table of all states.
func States() []State {
	at := func(path string) func(*Set) string { return func(*Set) string { return path } }
	talk := func(name string) func(*Set) string {
		return func(s *Set) string { return "/sessions/" + s.Talks[name] }
	}
	plain := func(name string, steps ...chromedp.Action[chromedp.Void]) State {
		return State{Name: name, Phase: Talked, Path: talk(name), Steps: steps}
	}
	with := func(s State, name string, steps ...chromedp.Action[chromedp.Void]) State {
		s.Name, s.Steps = name, steps
		return s
	}
	states := []State{
		{Name: "sign-in", Path: func(s *Set) string { return strings.TrimPrefix(s.Link, s.URL) }},
		{Name: "sign-in-expired", Path: at("/login?token=expired")},
		{Name: "sign-in-none", Path: at("/login")},
		{Name: "home-first", Phase: Fresh, Path: at("/")},
		{Name: "home", Phase: Talked, Path: at("/")},
		{Name: "missing", Phase: Talked, Path: at("/nothing/here"), Fails: true},
		{Name: "older", Phase: Talked, Path: func(s *Set) string { return talk("session")(s) + "?before=40" }},
		// The one view that loads itself again is asked for by its own link, and
		// another leads back. It is stopped, to hold still.
		{Name: "watch", Phase: Talked, Path: func(s *Set) string { return talk("running")(s) + "?watch" },
			Meant: []string{"meta-refresh"}, Steps: []chromedp.Action[chromedp.Void]{run(`stop()`)}},
	}
	for _, name := range []string{"empty", "markdown", "rtl", "words", "failed", "long", "asks", "answered", "stopped", "queued", "running", "interrupted", "session"} {
		states = append(states, plain(name))
	}
	kept := with(plain("session"), "kept", refused())
	kept.Fails = true
	drawer := with(plain("session"), "drawer", chromedp.Click(chromedp.CSS(`#bar [popovertarget]`)), chromedp.WaitVisible(chromedp.CSS(`#sessions`)))
	drawer.Narrow = true
	return append(states, kept, drawer,
		with(plain("session"), "session-open", openAll),
		with(plain("words"), "words-open", openAll),
		with(plain("running"), "queue-open", openAll),
		with(plain("long"), "long-open", openAll),
	)
}

// openAll opens everything that opens.
var openAll = run(`document.querySelectorAll("details").forEach(d => d.open = true)`)

// refused sends a form that the server refuses: its request id belongs to
// another message.
func refused() chromedp.Action[chromedp.Void] {
	const reuse = `{
		const form = document.querySelector("#composer");
		form.querySelector("[name=request_id]").value = document.querySelector("[data-role=user]").dataset.requestId;
		form.querySelector("[name=text]").value = %q;
		form.querySelector(".send").click();
	}`
	return chromedp.Steps(
		run(fmt.Sprintf(reuse, "a text that the person would be sorry to lose")),
		chromedp.WaitVisible(chromedp.CSS(`[data-view="error"]`)),
	)
}
