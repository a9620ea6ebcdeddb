package handlers_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
)

const fileTag = `{"id":"f","kind":"file","value":"Makefile","serialized":"@Makefile","start":8,"end":17}`
const fileAnnotation = `[{"type":"reference","start":8,"end":17,"text":"@Makefile","reference":{"id":"f","kind":"file","value":"Makefile","serialized":"@Makefile"}}]`

func TestAProgramSubmitsTagsAndThePageShowsChips(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	request := uuid.NewString()
	fields := map[string]any{"requestId": request, "text": "compare @Makefile", "tags": json.RawMessage("[" + fileTag + "]")}
	r, a := s.send(id, fields)
	if a.StatusCode != http.StatusCreated || r.State != "logged" || r.Seq != 1 || r.RequestID != request || r.Content != "compare @Makefile" || string(r.Annotations) != fileAnnotation {
		t.Errorf("%s", a)
	}
	again, a := s.send(id, fields)
	if a.StatusCode != http.StatusOK || again.Seq != r.Seq || again.State != r.State || string(again.Annotations) != fileAnnotation {
		t.Errorf("again: %s", a)
	}
	fields["text"] = "compare @Makefilf"
	if _, a := s.send(id, fields); a.StatusCode != http.StatusConflict {
		t.Errorf("another text: %s", a)
	} else if code, _ := s.fault(a); code != "request_id_reused" {
		t.Errorf("code %s", code)
	}

	page := s.request("GET", "/sessions/"+id, "", "", acceptHTML)
	chips := all(all(parse(t, page.body), byAttr("id", "transcript"))[0], byClass("chip"))
	if len(chips) != 1 {
		t.Fatalf("%d chips", len(chips))
	}
	for name, want := range map[string]string{"data-kind": "file", "data-id": "f", "data-start": "8", "data-end": "17"} {
		if got := attr(chips[0], name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	content := all(parse(t, page.body), byClass("message-content"))
	if len(content) == 0 || textOf(content[0]) != "compare @Makefile" {
		t.Errorf("the bubble's text is not the content")
	}
	row := all(parse(t, page.body), byAttr("data-request-id", request))
	if len(row) != 1 || attr(row[0], "data-state") != "logged" || attr(row[0], "data-seq") != "1" || attr(row[0], "data-role") != "user" {
		t.Errorf("%d rows for the request", len(row))
	}
	if e := s.events(id)[0]; e.Kind != "user/message" || e.RPCID != request || *e.Content != "compare @Makefile" || string(e.Annotations) != fileAnnotation {
		t.Errorf("logged %+v", e)
	}
}

func TestInputAnnotationsAreSanitizedAndTagsWin(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	hostile := `[{"type":"reference","start":8,"end":17,"text":"@Makefile","onclick":"x","reference":{"id":"f","kind":"file","value":"Makefile","serialized":"@Makefile","icon":"javascript:1","metadata":{"a":1}}},
		{"type":"reference","start":0,"end":1e400,"text":"c","reference":{"id":"x"}},5]`
	r, a := s.send(id, map[string]any{"text": "compare @Makefile", "inputAnnotations": json.RawMessage(hostile)})
	if a.StatusCode != http.StatusCreated || string(r.Annotations) != fileAnnotation {
		t.Errorf("%s", a)
	}
	r, a = s.send(id, map[string]any{"text": "compare @Makefile", "inputAnnotations": json.RawMessage(hostile), "tags": json.RawMessage("[]")})
	if a.StatusCode != http.StatusCreated || string(r.Annotations) != "[]" {
		t.Errorf("tags did not count: %s", a)
	}
	for _, ignored := range []string{"null", "5", `"x"`, "{}", strings.Repeat("[", 40) + strings.Repeat("]", 40)} {
		if _, a := s.send(id, map[string]any{"text": "hello", "inputAnnotations": json.RawMessage(ignored)}); a.StatusCode != http.StatusCreated {
			t.Errorf("inputAnnotations %s: %s", ignored, a)
		}
	}
	metrics := s.request("GET", "/metrics", "", "").body
	for _, want := range []string{`webshell_sanitizer_dropped_total{what="entry"} 2`, `webshell_sanitizer_dropped_total{what="list"} 5`, `webshell_submissions_total{state="logged"} 1`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

func TestBadSubmissionsAreRefusedInWords(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	path := "/sessions/" + id + "/messages"
	request := uuid.NewString()
	body := func(text string) string {
		raw, err := json.Marshal(map[string]any{"requestId": uuid.NewString(), "text": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	with := func(field, value string) string {
		return `{"requestId":"` + uuid.NewString() + `","text":"x","` + field + `":` + value + `}`
	}
	for _, c := range []struct {
		name, body  string
		status      int
		code, field string
	}{
		{"no JSON", `{`, 400, "bad_request", ""},
		{"a list", `[]`, 400, "bad_request", ""},
		{"null", `null`, 400, "bad_request", ""},
		{"invalid UTF-8", "{\"requestId\":\"" + request + "\",\"text\":\"\xff\"}", 400, "bad_request", ""},
		{"no request id", `{"text":"x"}`, 400, "bad_request", "requestId"},
		{"a request id that is no UUID", `{"requestId":"1","text":"x"}`, 400, "bad_request", "requestId"},
		{"a request id in braces", `{"requestId":"{` + request + `}","text":"x"}`, 400, "bad_request", "requestId"},
		{"text of another type", `{"requestId":"` + request + `","text":5}`, 400, "bad_request", "text"},
		{"null text", `{"requestId":"` + request + `","text":null}`, 400, "bad_request", "text"},
		{"text in the wrong case", `{"requestId":"` + request + `","TEXT":"x"}`, 422, "blank", "text"},
		{"blank", body(" \n\u00a0\u3000"), 422, "blank", "text"},
		{"tags no list", with("tags", `{}`), 422, "bad_tags", "tags"},
		{"tags null", with("tags", `null`), 422, "bad_tags", "tags"},
		{"tags too deep", with("tags", strings.Repeat("[", 33)+strings.Repeat("]", 33)), 422, "bad_tags", "tags"},
		{"too many tags", with("tags", "["+strings.Repeat(`{"id":"a"},`, 256)+`{"id":"a"}]`), 422, "bad_tags", "tags"},
		{"tags too large", with("tags", `[{"id":"`+strings.Repeat("a", 256<<10)+`"}]`), 413, "tags_too_large", "tags"},
		{"a mode that is none", with("mode", `"now"`), 400, "bad_request", "mode"},
		{"text too large", body(strings.Repeat("x", 1<<20+1)), 413, "too_large", "text"},
		{"a body too large", body(strings.Repeat("x", 9<<20)), 413, "too_large", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.request("POST", path, "application/json", c.body, acceptJSON)
			code, field := s.fault(a)
			if a.StatusCode != c.status || code != c.code || field != c.field {
				t.Errorf("%d %s %s, want %d %s %s", a.StatusCode, code, field, c.status, c.code, c.field)
			}
		})
	}
	if n := len(s.events(id)); n != 0 {
		t.Errorf("%d events were logged", n)
	}
	if a := s.request("POST", path, "text/plain", "x", acceptJSON); a.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("text/plain: %s", a)
	}
	if a := s.request("POST", path, "application/json", body(strings.Repeat("\u00e9", 1<<19)), acceptJSON); a.StatusCode != http.StatusCreated {
		t.Errorf("1 MiB of text: %d", a.StatusCode)
	}
}

func TestUnknownSessionsAreNotFound(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	row := "/queue/" + uuid.NewString()
	for _, id := range []string{uuid.NewString(), "nope", "..", "%00", "1;drop"} {
		for _, c := range [][2]string{
			{"GET", ""}, {"GET", "/events"}, {"GET", "/stream"}, {"GET", "/export"}, {"POST", "/messages"}, {"POST", "/stop"}, {"POST", "/retry"}, {"POST", "/permissions/p"}, {"PUT", "/draft"},
			{"POST", "/queue/order"}, {"POST", "/queue/resume"}, {"POST", row}, {"PATCH", row}, {"DELETE", row},
		} {
			body := `{"requestId":"` + uuid.NewString() + `","text":"x","option":"y","action":"steer","requestIds":["` + uuid.NewString() + `"],"session":"` + uuid.NewString() + `"}`
			a := s.request(c[0], "/sessions/"+id+c[1], "application/json", body, acceptJSON)
			if a.StatusCode != http.StatusNotFound {
				t.Errorf("%s %s%s: %d %s", c[0], id, c[1], a.StatusCode, a.body)
			}
		}
	}
}

// Text is the same whichever way it came, and no unit of it drifts: white
// space stays, a textarea's CRLF is LF again before ranges are used, NUL is
// U+FFFD, and nothing is normalised or folded.
func TestTextIsCanonicalOnceAndRangesHold(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	tagAt := func(start, end string) string {
		return `[{"id":"f","serialized":"@a","start":` + start + `,"end":` + end + `}]`
	}
	type sent struct{ text, tags string }
	for _, c := range []struct {
		name         string
		form         bool
		in           sent
		content      string
		start, chips int
	}{
		{"emoji before", false, sent{"\U0001F600 @a", tagAt("3", "5")}, "\U0001F600 @a", 3, 1},
		{"code points are no units", false, sent{"\U0001F600 @a", tagAt("2", "4")}, "\U0001F600 @a", 0, 0},
		{"inside a pair", false, sent{"\U0001F600@a", tagAt("1", "3")}, "\U0001F600@a", 0, 0},
		{"leading white space", false, sent{"  \n@a \n", tagAt("3", "5")}, "  \n@a \n", 3, 1},
		{"a textarea's line ends", true, sent{"x\r\ny\r\n@a", tagAt("4", "6")}, "x\ny\n@a", 4, 1},
		{"a program's line ends", false, sent{"x\r\n@a", tagAt("3", "5")}, "x\r\n@a", 3, 1},
		{"an inverted range", false, sent{"x @a", tagAt("4", "2")}, "x @a", 0, 0},
		{"dotted I", false, sent{"\u0130\uFB01 @a", tagAt("3", "5")}, "\u0130\uFB01 @a", 3, 1},
		{"NUL", false, sent{"a\x00b @a", tagAt("4", "6")}, "a\uFFFDb @a", 4, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := uuid.NewString()
			if c.form {
				a := s.request("POST", "/sessions/"+id+"/messages", "application/x-www-form-urlencoded",
					url.Values{"request_id": {request}, "text": {c.in.text}, "tags": {c.in.tags}}.Encode())
				if a.StatusCode != http.StatusSeeOther {
					t.Fatalf("%s", a)
				}
			} else if _, a := s.send(id, map[string]any{"requestId": request, "text": c.in.text, "tags": json.RawMessage(c.in.tags)}); a.StatusCode != http.StatusCreated {
				t.Fatalf("%s", a)
			}
			again, a := s.send(id, map[string]any{"requestId": request, "text": c.content, "tags": json.RawMessage(c.in.tags)})
			if a.StatusCode != http.StatusOK {
				t.Fatalf("what is stored is not %q: %s", c.content, a)
			}
			var chips []struct {
				Start int
				Text  string
			}
			if err := json.Unmarshal(again.Annotations, &chips); err != nil || len(chips) != c.chips {
				t.Fatalf("annotations %s, %v", again.Annotations, err)
			}
			if c.chips == 1 && (chips[0].Start != c.start || chips[0].Text != "@a") {
				t.Errorf("annotations %s", again.Annotations)
			}
		})
	}
}

func TestMultipartForms(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, value := range map[string]string{"request_id": uuid.NewString(), "text": "one\r\ntwo @Makefile", "tags": ""} {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a := s.request("POST", "/sessions/"+id+"/messages", w.FormDataContentType(), body.String())
	if a.StatusCode != http.StatusSeeOther || *s.events(id)[0].Content != "one\ntwo @Makefile" {
		t.Errorf("%s", a)
	}
	if a := s.request("POST", "/sessions/"+id+"/messages", "multipart/form-data; boundary=x", "--x\r\nbroken"); a.StatusCode != http.StatusBadRequest {
		t.Errorf("a broken body: %d", a.StatusCode)
	}
}

func TestDraftsAreKeptOverHTTP(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	for _, at := range []struct{ put, page string }{{"/draft", "/"}, {"/sessions/" + id + "/draft", "/sessions/" + id}} {
		put := func(body string) answer { return s.request("PUT", at.put, "application/json", body, acceptJSON) }
		if a := put(`{"text":"compare @Makefile","tags":[` + fileTag + `]}`); a.StatusCode != http.StatusNoContent {
			t.Fatalf("%s", a)
		}
		doc := parse(t, s.request("GET", at.page, "", "", acceptHTML).body)
		box := all(doc, byAttr("name", "text"))
		tags := all(doc, byAttr("name", "tags"))
		if len(box) != 1 || textOf(box[0]) != "compare @Makefile" || len(tags) != 1 || attr(tags[0], "value") != "["+fileTag+"]" {
			t.Errorf("%s does not show the draft", at.page)
		}
		b := s.browser()
		b.signIn()
		action, fields := b.fill(b.open(at.page), "sent")
		b.submit(action, fields)
		if _, fields := b.fill(b.open(at.page), "x"); fields.Get("tags") != "" {
			t.Errorf("%s still shows the draft that was sent", at.page)
		}
		if a := put(`{"text":"x","tags":{}}`); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("tags that are no list: %s", a)
		}
		if a := put(`{"text":"","tags":[]}`); a.StatusCode != http.StatusNoContent {
			t.Fatalf("%s", a)
		}
		doc = parse(t, s.request("GET", at.page, "", "", acceptHTML).body)
		if box := all(doc, byAttr("name", "text")); textOf(box[0]) != "" {
			t.Errorf("%s still shows the draft", at.page)
		}
	}
}

// What looks like our markup in a person's text stays text.
func TestUserTextIsNoMarkup(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	harmless, hostile := s.newSession(), s.newSession()
	tag := func(label string) json.RawMessage {
		raw, err := json.Marshal([]map[string]any{{"id": label, "kind": "dataset", "label": label, "value": label, "serialized": "@d", "start": 0, "end": 2}})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	attack := `"'><script>alert(1)</script><img src=x onerror=alert(1)><article data-role="tool"><a href="javascript:1" hx-get="/x">`
	s.send(harmless, map[string]any{"text": "@d harmless", "tags": tag("harmless")})
	s.send(hostile, map[string]any{"text": "@d " + attack + "</textarea></template>", "tags": tag(attack)})
	skeleton := func(id string) string {
		doc := parse(t, s.request("GET", "/sessions/"+id, "", "", acceptHTML).body)
		log := all(doc, byAttr("id", "transcript"))
		var b strings.Builder
		for d := range log[0].Descendants() {
			if d.Data != "" && d.Type == 3 {
				b.WriteString(d.Data)
				for _, a := range d.Attr {
					b.WriteString(" " + a.Key)
				}
				b.WriteString("\n")
			}
		}
		return b.String()
	}
	if a, b := skeleton(harmless), skeleton(hostile); a != b {
		t.Errorf("elements differ:\n%s\n%s", a, b)
	}
}
