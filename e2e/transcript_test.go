package e2e

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// talk begins a session with a message.
func (c *client) talk(text string) (session string) {
	c.Helper()
	var opened struct{ SessionID string }
	c.must("POST", "/sessions", map[string]any{"requestId": uuid.NewString(), "text": text}, &opened)
	return opened.SessionID
}

// say sends one more message to a session.
func (c *client) say(session, text string) {
	c.Helper()
	c.must("POST", "/sessions/"+session+"/messages", map[string]any{"requestId": uuid.NewString(), "text": text}, nil)
}

// open shows a session, whose stream is open then.
func (b *tab) open(s *server, session string) {
	b.Helper()
	b.do(chromedp.Navigate(s.url + "/sessions/" + session))
	b.connected()
}

func (b *tab) connected() {
	b.Helper()
	b.waits(`document.querySelector(".app")?.dataset.connection === "open"`)
}

// eval is what an expression gives in the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	return get(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// database is the server's own, for logs longer than a test could talk.
func (s *server) database(ctx context.Context) *pgx.Conn {
	s.Helper()
	sockets, err := filepath.Glob(filepath.Join(s.data, "postgres", "run", ".s.PGSQL.*"))
	if err != nil || len(sockets) == 0 {
		s.Fatalf("no socket: %v", err)
	}
	q := url.Values{"host": {filepath.Dir(sockets[0])}, "user": {"webshell"}, "dbname": {"webshell"}}
	conn, err := pgx.Connect(ctx, "postgres://?"+q.Encode())
	if err != nil {
		s.Fatal(err)
	}
	return conn
}

// logTurns are turns of a conversation, from one to before another: each has a message, an answer and
// its two marks.
const logTurns = `
insert into events (session_id, seq, kind, source, rpc_id, content, annotations, body)
select $1, t * 4 + e.n, e.kind,
	case when e.n = 1 then jsonb_build_object('kind', 'user', 'rpcId', ids.rpc) end,
	case when e.n = 1 then ids.rpc end,
	case e.n when 1 then 'question ' || t when 3 then 'answer ' || t || E'\n\n' || repeat('It goes on for a while. ', 5 + t % 20) end,
	case when e.n = 1 then '[]'::jsonb end,
	case e.n when 1 then '{}'::jsonb
		when 2 then jsonb_build_object('turn', ids.turn, 'message', t * 4 + 1, 'agent', 'demo', 'attempt', 1)
		when 3 then jsonb_build_object('turn', ids.turn, 'block', 0)
		else jsonb_build_object('turn', ids.turn, 'outcome', 'completed') end
from generate_series($2::int, $3 - 1) t,
	lateral (select gen_random_uuid() rpc, gen_random_uuid() turn where t is not null) ids,
	(values (1, 'user/message'), (2, 'turn/started'), (3, 'assistant/message'), (4, 'turn/ended')) e (n, kind)`

// seed makes a session that has had so many turns already.
func (s *server) seed(c *client, turns int) (session string) {
	s.Helper()
	var made struct{ ID string }
	c.must("POST", "/sessions", map[string]any{}, &made)
	s.log(made.ID, 0, turns)
	return made.ID
}

// log writes turns into a session's log that has none beyond.
func (s *server) log(session string, from, to int) {
	s.Helper()
	conn := s.database(s.Context())
	defer conn.Close(s.Context())
	tx, err := conn.Begin(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	if _, err := tx.Exec(s.Context(), logTurns, session, from, to); err != nil {
		s.Fatal(err)
	}
	if _, err := tx.Exec(s.Context(), `update sessions set last_seq = $2 where id = $1`, session, to*4); err != nil {
		s.Fatal(err)
	}
	if err := tx.Commit(s.Context()); err != nil {
		s.Fatal(err)
	}
}

// answers is all that the agent has said so far.
const answers = `[...document.querySelectorAll('#transcript article[data-role="assistant"] .answer')].map((a) => a.textContent.trim()).join(" ")`

// grows waits until the answer is longer than it was.
func (b *tab) grows() {
	b.Helper()
	b.waits(fmt.Sprintf("(%s).length > %d", answers, eval[int](b, "("+answers+").length")))
}

// A page that is loaded again in mid-answer shows all of it, and goes on; so do
// two tabs at once, and what both show at the end is what a fresh page shows.
func TestAnAnswerGoesOnAfterARefreshAndInASecondTab(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("/slow 600")
	b.open(s, session)
	b.grows()
	before := eval[string](b, answers)
	b.do(chromedp.Reload())
	b.connected()
	if after := eval[string](b, answers); !strings.HasPrefix(after, strings.TrimSpace(before)) {
		t.Errorf("%q became %q", before, after)
	}
	second := newTab(t, b.ctx)
	second.open(s, session)
	second.grows()
	b.grows()
	c.must("POST", "/sessions/"+session+"/stop", nil, nil)
	c.until(session, "the turn's end", ended(1))
	for _, each := range []*tab{b, second} {
		each.waits(`document.querySelector("#run-line").hidden && !document.querySelector("[data-open]")`)
	}
	first, other := eval[string](b, shownRows), eval[string](second, shownRows)
	b.do(chromedp.Reload())
	b.connected()
	if fresh := eval[string](b, shownRows); fresh != first || fresh != other {
		t.Errorf("fresh page:\n%s\nfirst tab:\n%s\nsecond tab:\n%s", fresh, first, other)
	}
	s.interrupt()
}

// shownRows is each row with its role, number and text.
const shownRows = `[...document.querySelectorAll("#transcript article")].map((row) =>
	[row.id, row.dataset.role, row.dataset.seq, row.querySelector(".message-content, .answer, .card, .line")?.textContent.replace(/\s+/g, " ").trim()].join(" | ")).join("\n")`

// What the reader opened stays open while its row and others change.
func TestOpenDetailsStayOpen(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("/think")
	b.open(s, session)
	b.waits(`!!document.querySelector('[data-role="thought"] details')`)
	b.run(`document.querySelector('[data-role="thought"] details').open = true; globalThis.kept = document.querySelector('[data-role="thought"]')`)
	c.until(session, "the turn's end", ended(1))
	c.say(session, "/tool")
	b.waits(`!!document.querySelector('[data-role="tool"] details')`)
	b.run(`document.querySelector('[data-role="tool"] details').open = true; globalThis.tool = document.querySelector('[data-role="tool"]')`)
	c.until(session, "the second turn's end", ended(2))
	b.waits(`document.querySelector('[data-role="tool"]').dataset.status === "completed" && document.querySelector("#run-line").hidden`)
	if !eval[bool](b, `kept.isConnected && kept.querySelector("details").open && !kept.hasAttribute("data-open")`) {
		t.Error("the thought was closed, or drawn anew")
	}
	if !eval[bool](b, `tool.isConnected && tool.querySelector("details").open`) {
		t.Error("the tool's card was closed, or drawn anew")
	}
	s.interrupt()
}

// What the reader has selected stays selected while the answer grows, and when
// its block closes.
func TestASelectionStaysWhileAnAnswerGrows(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("/slow 600")
	b.open(s, session)
	b.waits(`document.querySelector("[data-open] .tail p")?.firstChild.data.length > 20`)
	b.run(`globalThis.block = document.querySelector("[data-open]")
		const text = block.querySelector(".tail p").firstChild
		getSelection().setBaseAndExtent(text, 0, text, 8)
		globalThis.selected = getSelection().toString()`)
	b.waits(`!block.hasAttribute("data-open")`)
	b.grows()
	if got, want := eval[string](b, "getSelection().toString()"), eval[string](b, "selected"); got != want || want == "" {
		t.Errorf("selected is %q, was %q", got, want)
	}
	s.interrupt()
}

// A question that comes with the stream is answered in place: its buttons are
// htmx' like those of the page.
func TestAnsweringAQuestionInPlace(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	c := s.client()
	b := openBrowser(t)
	b.signIn(s.link)
	session := c.talk("hello")
	c.until(session, "the turn's end", ended(1))
	if _, err := chromedp.Call(b.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"}); err != nil {
		t.Fatal(err)
	}
	b.open(s, session)
	b.run("globalThis.same = true")
	c.say(session, "/ask")
	b.do(chromedp.Click(chromedp.CSS("[data-waiting] .answers button")))
	b.waits(`!document.querySelector("[data-waiting]") && !!document.querySelector('[data-role="permission"] .answered')`)
	c.until(session, "the second turn's end", ended(2))
	b.waits(`document.querySelector("#run-line").hidden`)
	if !eval[bool](b, "globalThis.same === true") {
		t.Error("a document was loaded")
	}
	b.waits(`document.activeElement.matches(".composer [role=textbox]")`) // the button that had the focus is gone
	b.run(`document.activeElement.blur()`)
	b.typeText("typed anywhere")
	b.waits(`document.activeElement.matches(".composer [role=textbox]") && document.activeElement.textContent === "typed anywhere"`)
	// Times are the reader's, on rows of the page and of the stream.
	tokyo := time.FixedZone("Tokyo", 9*60*60)
	times := eval[[][2]string](b, `[...document.querySelectorAll("#transcript time.at")].map((time) => [time.dateTime, time.textContent])`)
	if len(times) < 4 {
		t.Errorf("%d times", len(times))
	}
	for _, each := range times {
		at, err := time.Parse(time.RFC3339, each[0])
		if err != nil || !strings.HasSuffix(each[1], at.In(tokyo).Format("15:04")) {
			t.Errorf("%s reads %q, %v", each[0], each[1], err)
		}
	}
	s.interrupt()
}
