package templates

import (
	"encoding/json"

	"webshell/web/locales"
)

// frame is what differs between the documents of the pages.
type frame struct {
	// Refresh is the number of seconds after which the page loads itself again;
	// 0, as everywhere but in the watch view, is never.
	Refresh  int
	Composes bool // there is a composer on the page
}

// scripts tells a page that runs scripts. One that loads itself again is for
// browsers without.
func (f frame) scripts() bool { return f.Refresh == 0 }

// documentTitle is the title of a page's document.
func documentTitle(v View, title string) string {
	return titleOf(v, title) + " · " + v.P.T("app.name")
}

// colorScheme is the value of the meta element that colours the page before
// its style sheet is there.
func (v View) colorScheme() string {
	if v.Theme != "" {
		return v.Theme
	}
	return "light dark"
}

// htmxConfig is htmx' configuration. Sessions' addresses are ours to change,
// its styles for indicators are not used, and an answer with an error changes
// no more than its <hx-partial> elements say. What the reader opened stays open
// when markup is morphed. Attributes whose values htmx would run as code
// (filters, "js:") are refused by the pages' content security policy.
const htmxConfig = `{"history":false,"includeIndicatorCSS":false,"prefix":"","noSwap":[204,304,"4xx","5xx"],"morphIgnore":["data-htmx-powered","open"]}`

// clientWords hands the words of scripts over, as JSON.
func clientWords(v View) drawn { return clientWordsIn[v.P.Lang()] }

var clientWordsIn = func() map[locales.Lang]drawn {
	all := make(map[locales.Lang]drawn)
	for _, l := range locales.Langs() {
		all[l] = wordsElement(locales.For(l).Under("client."))
	}
	return all
}()

// wordsElement is a script element with words that a script reads and the
// browser does not run. encoding/json writes <, > and & as escapes, so that no
// text can end the element.
func wordsElement(words map[string]string) drawn {
	raw, err := json.Marshal(words)
	if err != nil {
		panic("templates: strings always encode: " + err.Error())
	}
	return drawn(`<script type="application/json" id="words">` + string(raw) + `</script>`)
}
