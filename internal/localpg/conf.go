//go:build linux || darwin

package localpg

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

const (
	role     = "webshell"
	database = "webshell"
	port     = "5432" // only a part of the socket's name: nothing listens on it
)

// modest are the settings of a database for one program. What makes commits
// durable (fsync, synchronous_commit, full_page_writes) stays at its default, on.
var modest = map[string]string{
	"shared_buffers":  "64MB",
	"max_connections": "50",
	"jit":             "off",
	"timezone":        "UTC",
	"log_timezone":    "UTC",
	"cluster_name":    "webshell",
	"log_line_prefix": "%m [%p] ",
	// DETAIL lines quote rows, which are people's messages.
	"log_error_verbosity": "terse",
}

// private are the settings that keep the server to us and its output in our log.
func private(socket string) map[string]string {
	return map[string]string{
		"listen_addresses":        "",
		"unix_socket_directories": quoteList(socket),
		"unix_socket_permissions": "0700",
		"port":                    port,
		"log_destination":         "stderr",
		"logging_collector":       "off",
	}
}

// quoteList quotes one element of a comma-separated server setting.
func quoteList(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// serverArgs are postgres' arguments; of a repeated setting the last one counts.
func serverArgs(data, socket string, extra map[string]string) []string {
	args := []string{"-D", data}
	for _, settings := range []map[string]string{modest, extra, private(socket)} {
		for _, name := range slices.Sorted(maps.Keys(settings)) {
			args = append(args, "-c", name+"="+settings[name])
		}
	}
	return args
}

// hba lets in whoever the kernel says is calling, over the socket, if pg_ident.conf
// maps that user to the role, and nobody else.
const hba = `# Written at each start of webshell.
local all all peer map=ws
`

// ident maps root and the run account to the role.
func ident(a account) string {
	return fmt.Sprintf("# Written at each start of webshell.\nws root %s\nws %s %s\n", role, quoteList(a.name), role)
}

func writeConf(data string, a account) error {
	root, err := openOwned(data, a)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, text := range map[string]string{"pg_hba.conf": hba, "pg_ident.conf": ident(a)} {
		if err := replaceFile(root, name, text, a); err != nil {
			return folderProblem(data+"/"+name, err)
		}
	}
	return nil
}

// replaceFile writes a new file and renames it: a link in its place, made by the
// run account, must not lead root's pen elsewhere.
func replaceFile(root *os.Root, name, text string, a account) error {
	fresh := "webshell." + name + ".new"
	if err := root.RemoveAll(fresh); err != nil {
		return err
	}
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err == nil && a.switched {
		err = f.Chown(int(a.uid), int(a.gid))
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = root.Rename(fresh, name)
	}
	if err != nil {
		_ = root.RemoveAll(fresh)
	}
	return err
}
