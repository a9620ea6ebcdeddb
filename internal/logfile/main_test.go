package logfile_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"webshell/internal/logfile"
	"webshell/store"
	"webshell/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// kept is a store to import into.
type kept struct {
	*store.Store
	owner store.Viewer
}

func open(t *testing.T) kept {
	t.Helper()
	s, v := storetest.New(t, store.Options{})
	return kept{s, v}
}

func read(t *testing.T, file string) []store.Record {
	t.Helper()
	records, err := logfile.Read(strings.NewReader(file))
	if err != nil {
		t.Fatalf("%v in\n%.2000s", err, file)
	}
	return records
}

func (k kept) importFile(t *testing.T, file string) (id string, fresh bool) {
	t.Helper()
	id, fresh, err := k.Import(t.Context(), k.owner, "demo", read(t, file))
	if err != nil {
		t.Fatalf("%v in\n%.2000s", err, file)
	}
	return id, fresh
}

func (k kept) export(t *testing.T, id string) string {
	t.Helper()
	var out bytes.Buffer
	if err := logfile.Export(t.Context(), k.Store, k.owner, id, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// said is what records say, however their JSON is written.
func said(t *testing.T, records []store.Record) []any {
	t.Helper()
	list := make([]any, len(records))
	for i, r := range records {
		raw, err := json.Marshal(logfile.EventOf(r))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &list[i]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}
