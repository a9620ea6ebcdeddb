package handlers_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"webshell/internal/logfile"
)

// keep imports a file as the owner's session.
func (s *site) keep(file string) (id string) {
	s.Helper()
	records, err := logfile.Read(strings.NewReader(file))
	if err != nil {
		s.Fatal(err)
	}
	id, _, err = s.store.Import(s.Context(), s.owner, "demo", records)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

// TestALogFromElsewhereIsShownWhole: unknown producers and kinds, annotations
// that are wrong, events whose counterparts are missing.
func TestALogFromElsewhereIsShownWhole(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	file, err := os.ReadFile("testdata/foreign.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	id := s.keep(string(file))
	a := s.request("GET", "/sessions/"+id, "", "", acceptHTML)
	if a.StatusCode != http.StatusOK {
		t.Fatal(a)
	}
	doc := parse(t, a.body)
	transcript := all(doc, byAttr("id", "transcript"))[0]
	var roles []string
	for _, row := range all(transcript, byTag("article")) {
		roles = append(roles, attr(row, "data-role"))
	}
	if got := strings.Join(roles, " "); got != "user context context context context unknown unknown tool permission assistant assistant notice" {
		t.Errorf("rows are %s", got)
	}
	text := textOf(transcript)
	for _, said := range []string{
		"compare @Makefile with the other one", "Recalled session: An older plan", "what was recalled", "3 messages kept", "9 messages left out",
		"weather-station", "roof", "four degrees and light rain", `"depth": 3`, "a producer that is no object", "from an odd source", "from no source",
		"compaction/marked", "the marker's own text", "a compaction", "tool/call", "a body that does not fit", "lost-call", "output of a call that is missing",
		"the-option", "the answer", "<script>alert(1)</script>", "under the same name", "evaporated", "its own reason",
	} {
		if !strings.Contains(text, said) {
			t.Errorf("%q is not shown", said)
		}
	}
	if chips := all(transcript, byClass("chip")); len(chips) != 1 || attr(chips[0], "data-id") != "f" {
		t.Errorf("%d chips", len(chips))
	}
	if strings.Contains(s.request("GET", "/sessions/"+id+"/events", "", "", acceptJSON).body, "onclick") {
		t.Error("an unknown member of an annotation was kept")
	}
	// The stream draws what the page does.
	r, screen := s.follow(id, "0"), newScreen(t)
	for screen.cursor != "12" {
		screen.apply(r.next())
	}
	if got, want := screen.text(), s.reloaded(id); got != want {
		t.Errorf("streamed:\n%s\nreloaded:\n%s", got, want)
	}
}

// TestAnExportShowsTheSamePageElsewhere, with chips and every kind of context.
func TestAnExportShowsTheSamePageElsewhere(t *testing.T) {
	t.Parallel()
	here, elsewhere := newSite(t), newSite(t)
	here.runner()
	id := here.newSession()
	here.send(id, map[string]any{"text": "see @Makefile\r\n", "tags": []map[string]any{{"id": "f", "kind": "file", "value": "Makefile", "serialized": "@Makefile", "start": 4, "end": 13}}})
	here.awaitNth(id, "turn/ended", 1)
	for i, text := range []string{"/context", "/think", "/tool", "/fail"} {
		here.send(id, map[string]any{"text": text})
		here.awaitNth(id, "turn/ended", i+2)
	}
	file := here.request("GET", "/sessions/"+id+"/export", "", "")
	moved := elsewhere.keep(file.body)
	// Beside the session's own addresses the pages are the same.
	page := func(s *site, id string) string {
		body := s.request("GET", "/sessions/"+id, "", "", acceptHTML).body
		_, body, _ = strings.Cut(body, `id="transcript"`)
		body, _, _ = strings.Cut(body, `id="run-line"`)
		return strings.ReplaceAll(body, id, "SESSION")
	}
	if got, want := page(elsewhere, moved), page(here, id); got != want || !strings.Contains(want, "data-context-form") || !strings.Contains(want, `class="chip"`) {
		t.Errorf("here:\n%s\nelsewhere:\n%s", want, got)
	}
	if again := elsewhere.request("GET", "/sessions/"+moved+"/export", "", ""); again.body != file.body {
		t.Error("exported again it is another file")
	}
	if a := elsewhere.post("/sessions/"+moved+"/retry", map[string]any{}, nil); a.StatusCode != http.StatusOK && a.StatusCode != http.StatusNoContent {
		t.Errorf("the failed turn cannot be run again: %s", a)
	}
}

func TestAnExportIsAFileToKeep(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	s.send(id, map[string]any{"text": "<script>alert(1)</script>"})
	a := s.request("GET", "/sessions/"+id+"/export", "", "", acceptHTML)
	for name, want := range map[string]string{
		"Content-Type":            "application/jsonl",
		"Content-Disposition":     `attachment; filename="webshell-` + id + `.jsonl"`,
		"Content-Security-Policy": "default-src 'none'; sandbox",
		"X-Content-Type-Options":  "nosniff",
		"Cache-Control":           "no-store",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if records, err := logfile.Read(strings.NewReader(a.body)); err != nil || len(records) != len(s.events(id)) {
		t.Errorf("%d events, %v", len(records), err)
	}
	for _, path := range []string{uuid.NewString(), "none"} {
		if a := s.request("GET", "/sessions/"+path+"/export", "", "", acceptJSON); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, a)
		}
	}
}
