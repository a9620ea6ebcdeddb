package e2e

import (
	"slices"

	"github.com/chromedp/chromedp"
)

func walkCommands(b *menuBox) {
	b.typeText("/")
	b.shows("slow", "tool", "ask", "think", "markdown", "context", "fail")
	const group = `document.querySelector("#command-menu [role=group]").getAttribute("aria-label")`
	if got := get(b.tab, chromedp.Evaluate[string](group)); got != "System" {
		b.Errorf("the group is %q", got)
	}
	const line = `document.querySelector("#command-menu [data-value=slow]").textContent`
	if got := get(b.tab, chromedp.Evaluate[string](line)); got != "/slow SECONDS Say words for so many seconds, and take steering each second" {
		b.Errorf("the line reads %q", got)
	}
	b.typeText("k") // anywhere in the name
	b.shows("ask", "think", "markdown")
	b.press("Backspace")
	b.typeText("slo")
	b.selects("slow")
	b.press("Tab")
	b.closed()
	b.says("/slow ", "/slow")
	hint := `document.querySelector(".menu-hint")`
	if got := get(b.tab, chromedp.Evaluate[string](hint+`.textContent + " " + `+hint+`.getAttribute("aria-hidden")`)); got != "SECONDS true" {
		b.Errorf("the hint is %q", got)
	}
	b.typeText("0 @mak")
	if get(b.tab, chromedp.Evaluate[bool](hint+" !== null")) {
		b.Error("the hint is still there")
	}
	b.selects("Makefile") // references go with commands
	b.press("Enter", "Enter")
	m := b.sent()
	if m.text != "/slow 0 @Makefile " || len(m.annotations) != 2 || m.annotations[0].Type != "command" || m.annotations[0].Text != "/slow" || m.annotations[1].Start != 8 {
		b.Errorf("stored %+v", m)
	}
}

// A command that was written to its end, and takes nothing more, needs one
// Enter.
func walkCommandAtOnce(b *menuBox) {
	b.typeText("/think")
	b.selects("think")
	b.press("Enter")
	m := b.sent()
	if m.text != "/think" || len(m.annotations) != 1 || m.annotations[0].Type != "command" {
		b.Errorf("stored %+v", m)
	}
	b.waits(`new FormData(document.getElementById("composer")).get("text") === ""`)
	b.closed()
}

func walkSubcommands(b *menuBox) {
	g := b.hold("/commands")
	b.typeText("/")
	id, _ := g.next()
	g.answer(id, 200, `{"commands":[
		{"name":"git","description":"Versions","argumentHint":"ARGS","displayCategory":"custom","subcommands":["add","commit","remote add"]},
		{"name":"review","displayCategory":"skill"},{"name":"help","displayCategory":"system"},{"name":"other","displayCategory":"odd"},{"name":5},null]}`)
	g.open()
	b.shows("git", "review", "help", "other")
	groups := get(b.tab, chromedp.Evaluate[[]string](`[...document.querySelectorAll("#command-menu [role=group]")].map(g => g.getAttribute("aria-label") + " " + g.querySelector(".menu-label").textContent)`))
	if !slices.Equal(groups, []string{"Custom Custom", "Skills Skills", "System System", "Commands Commands"}) {
		b.Errorf("the groups are %q", groups)
	}
	b.press("Enter")
	b.shows("add", "commit", "remote add")
	b.says("/git ", "/git")
	b.typeText("rem")
	b.selects("remote add")
	b.press("Enter")
	b.closed()
	marks := b.says("/git remote add ", "/git remote add")
	if !slices.Equal(marks[0].SubcommandPath, []string{"remote add"}) || marks[0].Command.Name != "git" {
		b.Errorf("the mark is %+v", marks[0])
	}
	b.press("Control+z")
	b.says("/git rem", "/git")
	b.press("Control+z")
	b.clear()
	b.typeText("/git ") // written by hand
	b.shows("add", "commit", "remote add")
	b.press("Escape")
	b.closed()
	b.typeText("c")
	b.closed()
	b.clear()
}
