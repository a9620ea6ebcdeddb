package templates

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"webshell/web/static"
)

// URLs builds every address of the product. Base is the path that a proxy
// serves it under: "" or "/prefix", without a slash at its end.
type URLs struct{ Base string }

// Home is the start page.
func (u URLs) Home() string { return u.Base + "/" }

// NewSession takes a new session's first message.
func (u URLs) NewSession() string { return u.Base + "/sessions" }

// SessionList is the list of sessions, with current marked as the one on the
// page; "" marks none.
func (u URLs) SessionList(current string) string {
	if current == "" {
		return u.NewSession()
	}
	return u.NewSession() + "?current=" + url.QueryEscape(current)
}

// Session is a session's page.
func (u URLs) Session(id string) string { return u.Base + "/sessions/" + url.PathEscape(id) }

// SessionNewest is a session's page, opened at its end.
func (u URLs) SessionNewest(id string) string { return u.Session(id) + "#end" }

// SessionAnew is SessionNewest to be loaded again. A link to the address that
// a page already has, "#end" and all, would only scroll: the moment at which
// the link was drawn makes it another one.
func (u URLs) SessionAnew(id string, drawn time.Time) string {
	return u.Session(id) + "?at=" + strconv.FormatInt(drawn.UnixMilli(), 10) + "#end"
}

// SessionBefore is the page of the transcript before the event seq.
func (u URLs) SessionBefore(id string, seq int64) string {
	return u.Session(id) + "?before=" + strconv.FormatInt(seq, 10)
}

// SessionWatch is the view that refreshes itself and only shows.
func (u URLs) SessionWatch(id string) string { return u.Session(id) + "?watch" }

// idPlace stands for a session's id in an address that a script completes.
const idPlace = "{id}"

// SessionOf is Session with the place for its id, "/sessions/{id}": what
// belongs to a session follows it, as /messages.
func (u URLs) SessionOf() string { return u.ofAny(URLs.Session) }

// ofAny is an address of a session's with the place for its id.
func (u URLs) ofAny(address func(URLs, string) string) string {
	return strings.Replace(address(u, idPlace), url.PathEscape(idPlace), idPlace, 1)
}

// forScripts are the addresses that a page's script needs whatever it shows, as
// data attributes.
func (u URLs) forScripts() templ.OrderedAttributes {
	return templ.OrderedAttributes{
		{Key: "data-session-url", Value: u.SessionOf()},
		{Key: "data-sessions", Value: u.NewSession()},
		{Key: "data-mentions", Value: u.Mentions()},
		{Key: "data-commands", Value: u.Commands("")},
		{Key: "data-status", Value: u.Status()},
		{Key: "data-login", Value: u.Login()},
	}
}

// Messages takes a session's messages.
func (u URLs) Messages(id string) string { return u.Session(id) + "/messages" }

// Events is a session's log as JSON.
func (u URLs) Events(id string) string { return u.Session(id) + "/events" }

// Stream is a session's live fragments; ?after= names the cursor to go on from.
func (u URLs) Stream(id string) string { return u.Session(id) + "/stream" }

// Stop ends the running turn.
func (u URLs) Stop(id string) string { return u.Session(id) + "/stop" }

// Retry runs the last turn again.
func (u URLs) Retry(id string) string { return u.Session(id) + "/retry" }

// QueueRow takes what is to be done with a message that waits.
func (u URLs) QueueRow(id, requestID string) string {
	return u.Session(id) + "/queue/" + url.PathEscape(requestID)
}

// QueueResume lets a paused queue go on.
func (u URLs) QueueResume(id string) string { return u.Session(id) + "/queue/resume" }

// QueueEdit is the session's page with a form to edit a message that waits.
func (u URLs) QueueEdit(id, requestID, hold string) string {
	return u.Session(id) + "?edit=" + url.QueryEscape(requestID) + "&hold=" + url.QueryEscape(hold) + "#queue-edit"
}

// Permission takes the answer to a question. The id is the agent's own word:
// it is escaped as one path segment, and must be unescaped once by the router.
func (u URLs) Permission(id, permissionID string) string {
	return u.Session(id) + "/permissions/" + url.PathEscape(permissionID)
}

// Draft keeps what was written in a session and not sent.
func (u URLs) Draft(id string) string { return u.Session(id) + "/draft" }

// HomeDraft keeps what was written on the start page and not sent.
func (u URLs) HomeDraft() string { return u.Base + "/draft" }

// Login is the sign-in page.
func (u URLs) Login() string { return u.Base + "/login" }

// LoginThen is the sign-in page that leads on to next, an address of ours.
func (u URLs) LoginThen(next string) string { return u.Login() + "?next=" + url.QueryEscape(next) }

// LoginLink is the sign-in page of a link's token.
func (u URLs) LoginLink(token string) string { return u.Login() + "?token=" + url.QueryEscape(token) }

// Settings takes a person's choice of language and theme.
func (u URLs) Settings() string { return u.Base + "/settings" }

// Preferences takes what a person prefers on every browser.
func (u URLs) Preferences() string { return u.Base + "/preferences" }

// Status tells what runs and what waits for the person, as JSON.
func (u URLs) Status() string { return u.Base + "/status" }

// Mentions is the data of the @ menu, as JSON.
func (u URLs) Mentions() string { return u.Base + "/mentions" }

// Logout signs out.
func (u URLs) Logout() string { return u.Base + "/logout" }

// Static is a file of web/static, by its plain name.
func (u URLs) Static(name string) string { return static.URL(u.Base, name) }

// Commands is the data of the / menu; an empty session asks for those of a
// session yet to begin.
func (u URLs) Commands(sessionID string) string {
	if sessionID == "" {
		return u.Base + "/commands"
	}
	return u.Base + "/commands?session=" + url.QueryEscape(sessionID)
}
