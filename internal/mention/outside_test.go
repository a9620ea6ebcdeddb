package mention

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const secret = "outside-secret"

// besides makes a workspace with links out of it and a folder beside it whose
// names must never come up.
func besides(t *testing.T) (f *Files, dir string) {
	t.Helper()
	dir = tree(t, "inside.txt", "deep/er/file.txt")
	outside := dir + "-" + secret
	if err := os.Mkdir(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	add(t, outside, secret+".txt", "")
	for name, target := range map[string]string{
		"up": "..", "over": "../" + filepath.Base(outside), "absolute": outside, "absolute-file": filepath.Join(outside, secret+".txt"),
		"root": "/", "passwd": "/etc/passwd", "proc": "/proc/self/root", "deep/far": "../../" + filepath.Base(outside),
		"chain": "absolute", "back-in": dir, "dangling": "nowhere", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return files(t, dir), dir
}

// probes are queries that try to get out, and what they might find there.
func probes(dir string) []string {
	all := []string{"", ".", "..", "/", "//", "../", "./..", "./../", "../../", "deep/..", "deep/../..", "deep/../../", "deep//", "deep/./", "...", "..../",
		"/etc/", "/etc/passwd", "/etc/pass", "~", "~/", "~root/", "$HOME/", "file:///etc/", `..\/`, `..\\..\\`, `\.\./`, `%2e%2e/`, "．．/", "‥/",
		"up/", "up/work", "over/", "over/" + secret, "absolute/", "absolute/out", "absolute-file/", "root/", "root/etc/", "root/etc/passwd", "proc/", "proc/etc/",
		"deep/far/", "deep/far/o", "chain/", "back-in/", "back-in/inside.txt", "dangling/", "loop/", "loop/loop/", "passwd", "absolute-file", secret, "out-sec", "../work-" + secret + "/",
		"\x00", "deep/\x00", "inside.txt\x00.md", "..\x00/", "\xff\xfe", "deep/\xff/", "\xc0\xae\xc0\xae/", "\xed\xa0\x80/", "\ufeff../", "\u202e../",
		dir + "/", dir + "-" + secret + "/", strings.Repeat("../", 500), strings.Repeat("deep/../", 500), strings.Repeat("a", MaxQuery), strings.Repeat("deep/", 800)}
	for _, name := range []string{"etc", "passwd", "root", "proc", "up", "far", secret} {
		for _, in := range []string{"", "/", "../", "deep/", "deep/er/../", "./"} {
			all = append(all, in+name, in+name+"/")
		}
	}
	return all
}

// TestNothingOutsideIsFound holds every answer to every probe against the
// names that are inside.
func TestNothingOutsideIsFound(t *testing.T) {
	t.Parallel()
	f, dir := besides(t)
	inside := map[string]bool{"inside.txt": true, "deep/": true, "deep/er/": true, "deep/er/file.txt": true}
	answers := 0
	for _, query := range probes(dir) {
		for _, item := range search(t, f, query) {
			answers++
			value := *item.Tag.Value
			if !inside[value] {
				t.Errorf("%.100q finds %q", query, value)
			}
			if all := describe(item); strings.Contains(all, secret) || !utf8.ValidString(all) {
				t.Errorf("%.100q gives %s", query, all)
			}
		}
	}
	if answers < 10 {
		t.Errorf("only %d answers to all probes: nothing was looked at", answers)
	}
}

// TestSwappedForALink: what was inside at the survey and leads out now is left
// out, before the next survey.
func TestSwappedForALink(t *testing.T) {
	t.Parallel()
	f, dir := besides(t)
	if got := find(t, f, "file.txt"); len(got) != 1 {
		t.Fatal(got)
	}
	for _, name := range []string{"deep/er/file.txt", "inside.txt"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	add(t, dir, "inside.txt -> /etc/passwd", "")
	if err := os.Remove(filepath.Join(dir, "deep/er")); err != nil {
		t.Fatal(err)
	}
	add(t, dir, "deep/er -> ../../work-"+secret, "")
	for _, query := range []string{"file.txt", "inside.txt", "deep/er/", "er"} {
		if got := find(t, f, query); got != nil {
			t.Errorf("%q finds %q", query, got)
		}
	}
}
