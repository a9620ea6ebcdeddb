package logfile_test

import (
	"io"
	"strings"
	"testing"

	"webshell/internal/logfile"
)

const good = `{"kind":"x","at":"2026-11-30T09:41:07Z"}`

func TestABrokenLineIsNamed(t *testing.T) {
	t.Parallel()
	const at = `"at":"2026-11-30T09:41:07Z"`
	id := `"rpcId":"5e0c4c1e-6c1b-4d0b-9a55-2f4f0c1d7a11"`
	for name, c := range map[string]struct{ file, want string }{
		"nothing":                  {"", "no event"},
		"white space alone":        {" \n\n", "no event"},
		"no JSON":                  {good + "\nx", "line 2: it is no JSON object"},
		"behind an empty line":     {good + "\n\nx", "line 3: it is no JSON object"},
		"a list":                   {`[` + good + `]`, "line 1: it is no JSON object"},
		"two objects":              {good + good, "line 1: it is no JSON object"},
		"cut off":                  {good + "\n" + good[:20], "line 2: it is no JSON object"},
		"a byte order mark":        {"\ufeff" + good, "line 1: it is no JSON object"},
		"no UTF-8":                 {`{"kind":"` + "\xff" + `",` + at + `}`, "line 1: the text is not valid UTF-8"},
		"another member":           {`{"kind":"x",` + at + `,"payload":{}}`, `line 1: an event has no member "payload"`},
		"a member in another case": {`{"Kind":"x",` + at + `}`, `line 1: an event has no member "Kind"`},
		"a member twice":           {`{"kind":"x","kind":"y",` + at + `}`, "line 1: kind stands in it twice"},
		"seq with a gap":           {`{"seq":1,` + good[1:] + "\n" + `{"seq":3,` + good[1:], "line 2: seq is 3 and should be 2"},
		"seq from elsewhere":       {`{"seq":5,` + good[1:], "line 1: seq is 5 and should be 1"},
		"seq twice":                {`{"seq":1,` + good[1:] + "\n" + `{"seq":1,` + good[1:], "line 2: seq is 1 and should be 2"},
		"seq in words":             {`{"seq":"1",` + good[1:], "line 1: seq is"},
		"seq of null":              {`{"seq":null,` + good[1:], "line 1: seq is null"},
		"no kind":                  {`{` + at + `}`, "line 1: kind has to be"},
		"an empty kind":            {`{"kind":"",` + at + `}`, "line 1: kind has to be"},
		"a kind of another type":   {`{"kind":5,` + at + `}`, "line 1: kind has to be"},
		"a long kind":              {`{"kind":"` + strings.Repeat("x", 129) + `",` + at + `}`, "line 1: kind has to be"},
		"no time":                  {`{"kind":"x"}`, "line 1: at has to be"},
		"a time in words":          {`{"kind":"x","at":"yesterday"}`, "line 1: at has to be"},
		"a time before all":        {`{"kind":"x","at":"0000-01-01T00:00:00+23:59"}`, "line 1: at has to be"},
		"a time beyond all":        {`{"kind":"x","at":"9999-12-31T23:59:59-23:59"}`, "line 1: at has to be"},
		"a content of numbers":     {`{"kind":"x",` + at + `,"content":5}`, "line 1: content is no string"},
		"an id that is none":       {`{"kind":"x",` + at + `,"rpcId":"r-1"}`, "line 1: rpcId is no UUID"},
		"an id in braces":          {`{"kind":"x",` + at + `,"rpcId":"{5e0c4c1e-6c1b-4d0b-9a55-2f4f0c1d7a11}"}`, "line 1: rpcId is no UUID"},
		"an id of null":            {`{"kind":"x",` + at + `,"rpcId":null}`, "line 1: rpcId is no UUID"},
		"the same id twice": {
			`{"kind":"user/message",` + at + `,` + id + "}\n" + good + "\n" + `{"kind":"user/message",` + at + `,` + strings.Replace(id, "5e0c", "5E0C", 1) + `}`,
			"line 3: rpcId is that of the message on line 1",
		},
		"a deep body":   {`{"kind":"x",` + at + `,"body":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`, "line 1: body is nested deeper than 64"},
		"a deep source": {`{"kind":"x",` + at + `,"source":` + strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65) + `}`, "line 1: source is nested deeper than 64"},
		"a bottomless one": {
			`{"kind":"x",` + at + `,"body":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, "line 1: it is no JSON object",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, err := logfile.Read(strings.NewReader(c.file))
			if err == nil || !strings.Contains(err.Error(), c.want) || records != nil {
				t.Errorf("%d records, %v", len(records), err)
			}
		})
	}
}

// repeated gives a text again and again.
type repeated struct {
	text string
	left int
	rest string
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left, r.rest = r.left-1, r.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	line := func(size int) string {
		head := `{"kind":"x","at":"2026-11-30T09:41:07Z","content":"`
		return head + strings.Repeat("x", size-len(head)-2) + `"}`
	}
	for name, c := range map[string]struct {
		file io.Reader
		want string
	}{
		"a long line":     {strings.NewReader(good + "\n" + line(1<<20+1)), "line 2: it is longer than 1 MiB"},
		"one without end": {&repeated{text: strings.Repeat("x", 1<<20), left: 1 << 20}, "line 1: it is longer than 1 MiB"},
		"many lines":      {&repeated{text: line(1<<19) + "\n", left: 1 << 20}, "line 7: the file is larger than 3 MiB"},
		"many events":     {&repeated{text: good + "\n", left: 1 << 20}, "line 101: there are more than 100 events"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := logfile.ReadWithin(c.file, 1, 3, 100); err == nil || err.Error() != c.want {
				t.Errorf("%v", err)
			}
		})
	}
	if records, err := logfile.ReadWithin(strings.NewReader(line(1<<20-1)), 1, 3, 100); err != nil || len(records) != 1 {
		t.Errorf("the longest line: %v", err)
	}
}

// TestWhatCannotBeStored: NUL and lone surrogates become U+FFFD, so that ranges
// hold; a list of annotations costs what is wrong in it and never its message.
func TestWhatCannotBeStored(t *testing.T) {
	t.Parallel()
	const head = `{"kind":"user/message","at":"2026-11-30T09:41:07Z","source":{"kind":"user"},`
	const reference = `{"type":"reference","start":3,"end":5,"text":"@a","reference":{"id":"f","onclick":"x()"}}`
	r := read(t, head+`"content":"\u0000\ud800 @a","annotations":[`+reference+`]}`)[0]
	if *r.Content != "\ufffd\ufffd @a" || len(r.Annotations) != 1 {
		t.Errorf("read as %q with %v", *r.Content, r.Annotations)
	}
	for _, list := range []string{`null`, `5`, `"x"`, `{}`, `[5,null,{}]`, `[{"type":"reference","start":0,"end":99,"text":"x","reference":{"id":"f"}}]`} {
		r := read(t, head+`"content":"see @a","annotations":`+list+`}`)[0]
		if *r.Content != "see @a" || len(r.Annotations) != 0 {
			t.Errorf("%s: read as %+v", list, r)
		}
	}
	for _, source := range []string{`{"kind":"plugin"}`, `null`, `{"kind":"User"}`} {
		line := strings.Replace(head, `{"kind":"user"}`, source, 1) + `"content":"   @a","annotations":[` + reference + `]}`
		if r := read(t, line)[0]; r.Annotations != nil {
			t.Errorf("%s has annotations: %v", source, r.Annotations)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(good)
	f.Add(`{"seq":1,"kind":"user/message","at":"2026-11-30T09:41:07Z","source":{"kind":"user"},"content":"@a","annotations":[{"type":"reference","start":0,"end":2,"text":"@a","reference":{"id":"f"}}],"body":{}}`)
	f.Fuzz(func(t *testing.T, file string) {
		records, err := logfile.Read(strings.NewReader(file))
		if (err == nil) == (len(records) == 0) {
			t.Errorf("%d records, %v", len(records), err)
		}
		for i, r := range records {
			if r.Seq != int64(i+1) || r.Kind == "" || len(r.Body) == 0 {
				t.Errorf("record %d is %+v", i, r)
			}
		}
	})
}
