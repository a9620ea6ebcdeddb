package logfile_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"webshell/internal/logfile"
	"webshell/store"
)

// TestExportOfAnImportIsTheFile checks over random logs: what was imported is
// exported again, event by event; the file again, and the export, give the same
// session; elsewhere they give a session with the same log. A log that ends in
// the middle of something has one event more, which ends it.
func TestExportOfAnImportIsTheFile(t *testing.T) {
	t.Parallel()
	here, elsewhere := open(t), open(t)
	for seed := range uint64(25) {
		file := randomFile(rand.New(rand.NewPCG(seed, 7)))
		id, fresh := here.importFile(t, file)
		if again, twice := here.importFile(t, file); !fresh || again != id || twice {
			t.Fatalf("seed %d: imported as %s (%v), then as %s (%v)", seed, id, fresh, again, twice)
		}
		exported := here.export(t, id)
		want, got := said(t, read(t, file)), said(t, read(t, exported))
		if len(got) == len(want)+1 {
			if last := got[len(want)].(map[string]any); last["kind"] != "turn/ended" || last["body"].(map[string]any)["outcome"] != "interrupted" {
				t.Fatalf("seed %d: an event was added: %v", seed, last)
			}
			got = got[:len(want)]
		} else if again, fresh := here.importFile(t, exported); again != id || fresh {
			t.Fatalf("seed %d: the export was imported as another session", seed)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: imported\n%s\nexported\n%s", seed, file, exported)
		}
		other, _ := elsewhere.importFile(t, exported)
		if moved := elsewhere.export(t, other); moved != exported {
			t.Fatalf("seed %d: exported\n%s\nelsewhere\n%s", seed, exported, moved)
		}
	}
}

// TestAHandWrittenFileIsTheSameLog: white space, the order of members and a
// missing seq make no other session.
func TestAHandWrittenFileIsTheSameLog(t *testing.T) {
	t.Parallel()
	k := open(t)
	first, _ := k.importFile(t, `{"seq":1,"kind":"x/y","at":"2026-11-30T09:41:07Z","source":{"kind":"plugin","plugin":"a"},"body":{"a":1,"bb":[1, 2]}}`)
	for _, file := range []string{
		"\n  " + `{"body": {"bb": [1,2], "a": 1}, "at": "2026-11-30T10:41:07.0000001+01:00", "kind": "x\u002fy", "source": {"plugin": "a", "kind": "plugin"}}` + "\r\n\n",
		k.export(t, first),
	} {
		if id, fresh := k.importFile(t, file); id != first || fresh {
			t.Errorf("another session for\n%s", file)
		}
	}
	for _, file := range []string{
		`{"kind":"x/y","at":"2026-11-30T09:41:08Z","source":{"kind":"plugin","plugin":"a"},"body":{"a":1,"bb":[1,2]}}`,
		`{"kind":"x/y","at":"2026-11-30T09:41:07Z","source":{"kind":"plugin","plugin":"a"},"body":{"a":1,"bb":[2,1]}}`,
		`{"kind":"x/y","at":"2026-11-30T09:41:07Z","source":{"kind":"plugin","plugin":"a"},"content":"","body":{"a":1,"bb":[1,2]}}`,
		`{"kind":"x/y","at":"2026-11-30T09:41:07Z","source":null,"body":{"a":1,"bb":[1,2]}}`,
		`{"kind":"x/y","at":"2026-11-30T09:41:07Z","body":{"a":1,"bb":[1,2]}}`,
	} {
		if _, fresh := k.importFile(t, file); !fresh {
			t.Errorf("the same session for\n%s", file)
		}
	}
}

// TestExportOfALongLog: a log of several chunks is whole.
func TestExportOfALongLog(t *testing.T) {
	t.Parallel()
	k := open(t)
	var file strings.Builder
	for i := range 2345 {
		fmt.Fprintf(&file, `{"kind":"x","at":"2026-11-30T09:41:07Z","content":"%d"}`+"\n", i)
	}
	id, _ := k.importFile(t, file.String())
	if got, want := said(t, read(t, k.export(t, id))), said(t, read(t, file.String())); !reflect.DeepEqual(got, want) {
		t.Errorf("%d events of %d", len(got), len(want))
	}
	err := logfile.Export(t.Context(), k.Store, k.owner, uuid.NewString(), new(strings.Builder))
	if err != store.ErrNotFound {
		t.Errorf("a session that is not there: %v", err)
	}
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// randomFile is a log of any events in any order.
func randomFile(r *rand.Rand) string {
	var file strings.Builder
	for seq := range 1 + r.IntN(25) {
		line, err := json.Marshal(randomEvent(r, int64(seq+1)))
		if err != nil {
			panic(err)
		}
		file.Write(line)
		file.WriteByte('\n')
	}
	return file.String()
}

func randomEvent(r *rand.Rand, seq int64) logfile.Event {
	e := logfile.Event{
		Seq: seq, At: time.UnixMicro(1_800_000_000_000_000 + r.Int64N(1e15)).UTC(),
		Kind: pick(r, "user/message", "user/message", "context/message", "assistant/message", "assistant/thought", "tool/call", "tool/update",
			"plan/update", "permission/requested", "permission/resolved", "turn/started", "turn/ended", "inbox/spliced", "session/titled", "mode/changed",
			"commands/available", "compaction/marked", "新"),
		Body: json.RawMessage(pick(r, `{}`, `{"turn":"t1","block":1,"outcome":"failed"}`, `{"turn":"t1","outcome":"completed","toolCallId":"c","permissionId":"p"}`,
			`{"form":{"kind":"notice","summary":"x"}}`, `{"title":"a <b> \u2028","n":[1,2.50,null,true,"é"]}`, `[1]`, `"text"`, `5`, `null`, `{"options":"wrong"}`)),
	}
	if r.IntN(4) > 0 {
		e.Source = json.RawMessage(pick(r, `{"kind":"user","rpcId":"x"}`, `{"kind":"user"}`, `{"kind":"plugin","plugin":"p"}`, `{"kind":5}`, `null`, `[]`, `"user"`,
			`{"kind":"session-reference","references":[{"label":"Plan"}]}`))
	}
	if r.IntN(3) > 0 {
		id, err := uuid.NewRandomFromReader(readerOf{r})
		if err != nil {
			panic(err)
		}
		e.RPCID = id.String()
	}
	if r.IntN(5) > 0 {
		text := pick(r, "", "see @a now", "@a", "行 @a 😀\r\n", " \t", "<b>&amp;", "\ufffd")
		e.Content = &text
		if before, _, found := strings.Cut(text, "@a"); found && e.Kind == "user/message" && strings.HasPrefix(string(e.Source), `{"kind":"user"`) {
			start := len([]rune(before))
			e.Annotations = json.RawMessage(fmt.Sprintf(`[{"type":"reference","start":%d,"end":%d,"text":"@a","reference":{"id":"f","kind":"file"}}]`, start, start+2))
		}
	}
	return e
}

// readerOf makes bytes of a source of numbers.
type readerOf struct{ r *rand.Rand }

func (r readerOf) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r.r.IntN(256))
	}
	return len(p), nil
}
