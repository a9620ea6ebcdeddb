package locales

import "golang.org/x/text/language"

// Lang names a language the product speaks, as a BCP 47 tag.
type Lang string

// The languages. English is the first choice where nothing fits.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// Name is the language's name in itself.
func (l Lang) Name() string {
	if l == Chinese {
		return "简体中文"
	}
	return "English"
}

// Langs lists the languages, in the matcher's order of preference.
func Langs() []Lang { return []Lang{English, Chinese} }

var matcher = language.NewMatcher([]language.Tag{
	language.MustParse(string(English)),
	language.MustParse(string(Chinese)),
})

// maxPreference bounds one preference in bytes: real Accept-Language headers
// stay far below, and parsing is not free.
const maxPreference = 512

// Match picks the language for a person's preferences, the strongest first:
// an explicit choice, if there is one, then the request's Accept-Language.
// Each may be a tag or a whole Accept-Language value; one that is empty,
// malformed or over 512 bytes says nothing.
func Match(preferences ...string) Lang {
	usable := make([]string, 0, len(preferences))
	for _, p := range preferences {
		if p != "" && len(p) <= maxPreference {
			usable = append(usable, p)
		}
	}
	_, i := language.MatchStrings(matcher, usable...)
	return Langs()[i]
}
