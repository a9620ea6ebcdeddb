package localpg

import (
	"os"
	"os/user"
	"path/filepath"
)

// DefaultDir is the data folder when WEBSHELL_DATA is empty: /var/lib/webshell
// for root, whose home no other account may enter, else
// $XDG_DATA_HOME/webshell or ~/.local/share/webshell. It is "" when the user has
// no home; [Start] then says what to set.
func DefaultDir() string {
	if os.Geteuid() == 0 {
		return "/var/lib/webshell"
	}
	// The XDG base directory specification has relative values ignored.
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "webshell")
	}
	if home := homeDir(); home != "" {
		return filepath.Join(home, ".local", "share", "webshell")
	}
	return ""
}

func homeDir() string {
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		return home
	}
	if u, err := user.Current(); err == nil && filepath.IsAbs(u.HomeDir) {
		return u.HomeDir
	}
	return ""
}
