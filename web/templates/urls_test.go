package templates

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"", "/a/prefix"} {
		u := URLs{Base: base}
		for got, want := range map[string]string{
			u.Home():                               "/",
			u.NewSession():                         "/sessions",
			u.Session("s1"):                        "/sessions/s1",
			u.SessionNewest("s1"):                  "/sessions/s1#end",
			u.SessionAnew("s1", time.UnixMilli(7)): "/sessions/s1?at=7#end",
			u.LoginThen("/a?b=c&d"):                "/login?next=%2Fa%3Fb%3Dc%26d",
			u.LoginLink("a+b"):                     "/login?token=a%2Bb",
			u.SessionBefore("s1", 42):              "/sessions/s1?before=42",
			u.SessionWatch("s1"):                   "/sessions/s1?watch",
			u.Messages("s1"):                       "/sessions/s1/messages",
			u.Events("s1"):                         "/sessions/s1/events",
			u.Stream("s1"):                         "/sessions/s1/stream",
			u.SessionOf():                          "/sessions/{id}",
			u.ofAny(URLs.Stop):                     "/sessions/{id}/stop",
			u.SessionList(""):                      "/sessions",
			u.SessionList("s 1"):                   "/sessions?current=s+1",
			u.Settings():                           "/settings",
			u.Status():                             "/status",
			u.Mentions():                           "/mentions",
			u.Stop("s1"):                           "/sessions/s1/stop",
			u.Retry("s1"):                          "/sessions/s1/retry",
			u.Permission("s1", "p"):                "/sessions/s1/permissions/p",
			u.QueueRow("s1", "q/1"):                "/sessions/s1/queue/q%2F1",
			u.QueueResume("s1"):                    "/sessions/s1/queue/resume",
			u.QueueEdit("s1", "q1", "h1"):          "/sessions/s1?edit=q1&hold=h1#queue-edit",
			u.Preferences():                        "/preferences",
			u.Draft("s1"):                          "/sessions/s1/draft",
			u.HomeDraft():                          "/draft",
			u.Login():                              "/login",
			u.Logout():                             "/logout",
			u.Commands(""):                         "/commands",
			u.Commands("s 1"):                      "/commands?session=s+1",
			u.Static("nothing"):                    "/static/nothing",
			u.Permission("s1", "a/b?c"):            "/sessions/s1/permissions/a%2Fb%3Fc",
		} {
			if got != base+want {
				t.Errorf("got %s, want %s", got, base+want)
			}
		}
	}
}

// TestURLsEscape: an id never leaves its path segment.
func TestURLsEscape(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a/b", "a?b", "a#b", "a b", "a%2Fb", `"><b>`, "会话", "a\r\nb", "javascript:x"} {
		got := URLs{}.Permission("s", id)
		parsed, err := url.Parse(got)
		if err != nil || parsed.RawQuery != "" || parsed.Fragment != "" || strings.Count(got, "/") != 4 {
			t.Errorf("%q gives %q", id, got)
			continue
		}
		if back, err := url.PathUnescape(got[strings.LastIndex(got, "/")+1:]); err != nil || back != id {
			t.Errorf("%q comes back as %q", id, back)
		}
	}
}
