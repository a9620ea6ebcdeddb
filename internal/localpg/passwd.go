//go:build linux || darwin

package localpg

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// lookUp finds a user by name or by decimal id.
//
// It does not trust package os/user on Linux: without cgo that makes an entry up
// from $USER for an id nobody knows, and does not see directory services. Postgres
// asks the C library, and getent does the same.
func lookUp(key string) (account, error) {
	if a, ok := passwdFile(key); ok {
		return a, nil
	}
	if runtime.GOOS == "darwin" {
		return directory(key)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	line, err := exec.CommandContext(ctx, "getent", "passwd", key).Output()
	if err == nil {
		if a, ok := passwdLine(string(line), key); ok {
			return a, nil
		}
	}
	return account{}, user.UnknownUserError(key)
}

func passwdFile(key string) (account, bool) {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return account{}, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if a, ok := passwdLine(lines.Text(), key); ok {
			return a, true
		}
	}
	return account{}, false
}

// passwdLine reads name:password:uid:gid:comment:home:shell, see passwd(5), and
// reports whether the line is the one of that name or id.
func passwdLine(line, key string) (account, bool) {
	f := strings.Split(strings.TrimSpace(line), ":")
	if len(f) != 7 || f[0] != key && f[2] != key {
		return account{}, false
	}
	return fromFields(f[0], f[2], f[3], f[5])
}

func directory(key string) (account, error) {
	find := user.Lookup
	if _, err := strconv.Atoi(key); err == nil {
		find = user.LookupId
	}
	u, err := find(key)
	if err != nil {
		return account{}, err
	}
	a, ok := fromFields(u.Username, u.Uid, u.Gid, u.HomeDir)
	if !ok {
		return account{}, user.UnknownUserError(key)
	}
	return a, nil
}

func fromFields(name, uid, gid, home string) (account, bool) {
	u, errU := strconv.ParseUint(uid, 10, 32)
	g, errG := strconv.ParseUint(gid, 10, 32)
	if errU != nil || errG != nil || name == "" || hasControl(name) {
		return account{}, false
	}
	return account{name: name, uid: uint32(u), gid: uint32(g), home: home}, true
}
