package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestWriteDatabase(t *testing.T) {
	t.Parallel()
	src := source{version: "v1.2.3", time: day(t, "2026-03-04"), entries: t.TempDir()}
	write(t, filepath.Join(src.entries, "GO-2026-0001.json"),
		`{"id":"GO-2026-0001","affected":[{"package":{"name":"stdlib"}},{"package":{"name":"b.test/m"}},{"package":{"name":"stdlib"}}]}`)
	write(t, filepath.Join(src.entries, "GO-2026-0002.json"),
		`{"id":"GO-2026-0002","affected":[{"package":{"name":"a.test/m"}}]}`)
	write(t, filepath.Join(src.entries, "GO-2026-0003.json"),
		`{"id":"GO-2026-0003","affected":[{"package":{"name":"a.test/m"}}]}`)
	dir := t.TempDir()
	accepted := []acceptance{{id: "GO-2026-0003"}}
	if err := writeDatabase(dir, src, accepted); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"index/db.json": `{"modified":"2026-03-04T00:00:00Z"}`,
		"index/modules.json": `[
			{"path":"a.test/m","vulns":[{"id":"GO-2026-0002","modified":"2026-03-04T00:00:00Z"}]},
			{"path":"b.test/m","vulns":[{"id":"GO-2026-0001","modified":"2026-03-04T00:00:00Z"}]},
			{"path":"stdlib","vulns":[{"id":"GO-2026-0001","modified":"2026-03-04T00:00:00Z"}]}]`,
		"ID/GO-2026-0002.json": `{"id":"GO-2026-0002","affected":[{"package":{"name":"a.test/m"}}]}`,
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !sameJSON(t, got, []byte(text)) {
			t.Errorf("%s: got %s, want %s", name, got, text)
		}
	}
}

func TestWriteDatabaseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, text string
		accepted         []acceptance
		want             string
	}{
		{"another id than the file's", "GO-2026-0001.json", `{"id":"GO-2026-0009"}`, nil, `holds the entry "GO-2026-0009"`},
		{"not JSON", "GO-2026-0001.json", `<html>`, nil, "GO-2026-0001.json: invalid character"},
		{"nothing affected", "GO-2026-0001.json", `{"id":"GO-2026-0001"}`, nil, "no entry in"},
		{
			"an acceptance of nothing", "GO-2026-0001.json",
			`{"id":"GO-2026-0001","affected":[{"package":{"name":"stdlib"}}]}`,
			[]acceptance{{id: "GO-2026-0002"}}, "the database has no GO-2026-0002",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := source{entries: t.TempDir()}
			write(t, filepath.Join(src.entries, tt.file), tt.text)
			err := writeDatabase(t.TempDir(), src, tt.accepted)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestParseAccepted(t *testing.T) {
	t.Parallel()
	now := day(t, "2026-06-15").Add(13 * time.Hour)
	tests := []struct {
		name, text string
		want       []acceptance
		wantErr    string
	}{
		{"comments alone", "# one\n\n  # two\n", nil, ""},
		{
			"its last day", "GO-2026-0001 2026-06-15 not called with input from outside",
			[]acceptance{{"GO-2026-0001", day(t, "2026-06-15"), "not called with input from outside"}}, "",
		},
		{"a day late", "#\nGO-2026-0001 2026-06-14 why", nil, "accepted.txt:2: GO-2026-0001 was accepted until 2026-06-14"},
		{"no reason", "GO-2026-0001 2026-06-15", nil, "accepted.txt:1: want"},
		{"no such day", "GO-2026-0001 2026-06-31 why", nil, "accepted.txt:1: parsing time"},
		{"another id", "CVE-2026-0001 2026-06-15 why", nil, "accepted.txt:1: want"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseAccepted(tt.text, now)
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Errorf("got %v, want an error with %q", err, tt.wantErr)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func day(t *testing.T, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
