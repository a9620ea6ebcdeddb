package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func write(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "webshell.yaml")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestDefaults(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Config{Addr: "127.0.0.1:8080", Workspace: "."}); !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

func TestEnvironmentWinsOverTheFile(t *testing.T) {
	name := write(t, "addr: 127.0.0.1:1\nhosts: [a.test]\ndata: /from/file\npublic_url: ${URL}\n")
	c, err := Load([]string{"WEBSHELL_CONFIG=" + name, "WEBSHELL_ADDR=127.0.0.1:2", "WEBSHELL_HOSTS=B.test, c.test", "URL=https://chat.example.org/x/"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:2" || c.Data != "/from/file" || strings.Join(c.Hosts, " ") != "b.test c.test" || c.BasePath != "/x" {
		t.Errorf("got %+v", c)
	}
	if got := c.BaseURL("127.0.0.1:2"); got != "https://chat.example.org/x" {
		t.Errorf("base URL %s", got)
	}
}

func TestFaultsAreNamed(t *testing.T) {
	cases := []struct{ name, file, env, want string }{
		{"unknown key", "addr: 127.0.0.1:1\nadress: x\n", "", `line 2: unknown key "adress"`},
		{"wrong case", "Addr: x\n", "", `line 1: unknown key "Addr"`},
		{"not keys", "- a\n", "", "line 1: want keys"},
		{"wrong type", "hosts: {a: b}\n", "", "line 1"},
		{"unset variable", "data: ${NO_SUCH}\n", "", "line 1: ${NO_SUCH} is not set"},
		{"broken", "a: [\n", "", "line"},
		{"address", "", "WEBSHELL_ADDR=8080", "WEBSHELL_ADDR"},
		{"base path", "", "WEBSHELL_BASE_PATH=/a b", "WEBSHELL_BASE_PATH"},
		{"public URL", "", "WEBSHELL_PUBLIC_URL=chat.example.org", "WEBSHELL_PUBLIC_URL"},
		{"host", "", "WEBSHELL_HOSTS=*.example.org", "WEBSHELL_HOSTS"},
		{"two base paths", "public_url: https://chat.example.org/x\n", "WEBSHELL_BASE_PATH=/y", "WEBSHELL_PUBLIC_URL"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Load([]string{"WEBSHELL_CONFIG=" + write(t, c.file), c.env})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to name %s", err, c.want)
			}
		})
	}
	if _, err := Load([]string{"WEBSHELL_CONFIG=" + filepath.Join(t.TempDir(), "none.yaml")}); err == nil {
		t.Error("a file that is named and missing was accepted")
	}
}

func TestVariablesCannotBecomeStructure(t *testing.T) {
	c, err := Load([]string{"WEBSHELL_CONFIG=" + write(t, "data: ${D}\n"), "D=x\nhosts: [evil.test]"})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Hosts) != 0 || c.Data != "x\nhosts: [evil.test]" {
		t.Errorf("got %+v", c)
	}
}

func TestKnownKeysAreTheFilesTags(t *testing.T) {
	tags := map[string]bool{}
	for f := range reflect.TypeFor[file]().Fields() {
		tags[f.Tag.Get("yaml")] = true
	}
	if !reflect.DeepEqual(tags, knownKeys) {
		t.Errorf("knownKeys %v, tags %v", knownKeys, tags)
	}
}

func TestAcceptsHost(t *testing.T) {
	c, err := Load([]string{"WEBSHELL_CONFIG=" + write(t, ""), "WEBSHELL_ADDR=192.0.2.7:80", "WEBSHELL_PUBLIC_URL=https://Chat.example.org", "WEBSHELL_HOSTS=box.test other.test:8080 [fd00::1]:80"})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{
		"localhost": true, "localhost:8080": true, "127.0.0.1:9": true, "127.9.9.9": true, "[::1]:8080": true,
		"192.0.2.7:80": true, "chat.example.org": true, "CHAT.example.org:443": true, "box.test:8080": true,
		"other.test": true, "OTHER.test:8080": true, "other.test:1": true, "[fd00::1]": true,
		"evil.test": false, "": false, "evil.localhost.test": false, "localhost.evil.test": false, "192.0.2.8": false, "0.0.0.0": false,
	} {
		if got := c.AcceptsHost(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
	any, err := Load([]string{"WEBSHELL_CONFIG=" + write(t, ""), "WEBSHELL_ADDR=0.0.0.0:80"})
	if err != nil {
		t.Fatal(err)
	}
	if any.AcceptsHost("0.0.0.0:80") {
		t.Error("the unspecified address names no one machine")
	}
	if got := any.BaseURL("0.0.0.0:80"); got != "http://127.0.0.1:80" {
		t.Errorf("base URL %s", got)
	}
}

// The public address is kept as browsers write it in Origin: a form that comes
// through a proxy is held against it.
func TestThePublicURLIsWrittenAsBrowsersDo(t *testing.T) {
	for in, want := range map[string]string{
		"https://Chat.Example.org:443/": "https://chat.example.org",
		"http://box.test:80":            "http://box.test",
		"http://box.test:443":           "http://box.test:443",
		"https://box.test:8443//a//b/":  "https://box.test:8443/a/b",
		"https://[FD00::1]:443":         "https://[fd00::1]",
	} {
		c, err := Load([]string{"WEBSHELL_CONFIG=" + write(t, ""), "WEBSHELL_PUBLIC_URL=" + in})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.BaseURL("x:1"); got != want {
			t.Errorf("%s gives %s, want %s", in, got, want)
		}
	}
	c, err := Load([]string{"WEBSHELL_CONFIG=" + write(t, ""), "WEBSHELL_PUBLIC_URL=https://a.test/x", "WEBSHELL_BASE_PATH=x/"})
	if err != nil || c.BasePath != "/x" {
		t.Errorf("the same path twice: %q, %v", c.BasePath, err)
	}
}

func TestTheServersOwnAddress(t *testing.T) {
	c := Config{BasePath: "/x"}
	for addr, want := range map[string]string{
		":80": "http://127.0.0.1:80/x", "0.0.0.0:80": "http://127.0.0.1:80/x", "[::]:80": "http://127.0.0.1:80/x",
		"192.0.2.7:80": "http://192.0.2.7:80/x", "[::1]:80": "http://[::1]:80/x", "box.test:80": "http://box.test:80/x",
	} {
		if got := c.ListenURL(addr); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}
