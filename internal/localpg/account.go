//go:build linux || darwin

package localpg

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"syscall"
)

// account is whom Postgres runs as.
type account struct {
	name     string
	uid, gid uint32
	home     string
	switched bool // we are root and become this account
}

// credential is nil when no switch is needed.
func (a account) credential() *syscall.Credential {
	if !a.switched {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// passed are the variables without which a binary may not load or find its
// locales or its user; the rest of our environment, secrets and PG* settings
// included, is kept from Postgres.
var passed = []string{
	"PATH", "TMPDIR", "LOCPATH", "LOCALE_ARCHIVE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
	"LD_PRELOAD", "NSS_WRAPPER_PASSWD", "NSS_WRAPPER_GROUP",
}

// env is the environment of Postgres' programs. Their messages are English, so
// that errors.go can read them.
func (a account) env() []string {
	env := []string{"LC_ALL=C", "HOME=" + a.home, "USER=" + a.name, "LOGNAME=" + a.name}
	for _, name := range passed {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// pickAccount decides whom Postgres runs as: ourselves, or, for root, the owner
// of the cluster or of the nearest folder around it, else a user made for it.
func pickAccount(l layout, log *slog.Logger) (account, error) {
	if uid := os.Geteuid(); uid != 0 {
		return self(uid)
	}
	owner, err := clusterOwner(l)
	if err != nil {
		return account{}, err
	}
	if owner != 0 {
		return otherAccount(owner)
	}
	for _, name := range []string{"webshell", "postgres", "nobody"} {
		a, err := lookUp(name)
		if err != nil || a.uid == 0 {
			continue
		}
		if name == "nobody" {
			log.Warn(`Postgres runs as "nobody", an account that other programs share: add a user named "webshell"`)
		}
		a.switched = true
		return a, nil
	}
	return account{}, fmt.Errorf(`%w: root may not run Postgres and there is no user "webshell", "postgres" or "nobody": `+
		`add one ("useradd --system webshell"), or set DATABASE_URL to a running Postgres`, ErrNoAccount)
}

func self(uid int) (account, error) {
	a, err := lookUp(strconv.Itoa(uid))
	if err != nil {
		return account{}, fmt.Errorf("%w: user id %d has no entry in /etc/passwd, and Postgres does not start without one: "+
			"add one, run as another user, or set DATABASE_URL to a running Postgres", ErrNoAccount, uid)
	}
	return a, nil
}

func otherAccount(uid uint32) (account, error) {
	a, err := lookUp(strconv.FormatUint(uint64(uid), 10))
	if err != nil {
		return account{}, fmt.Errorf("%w: the data folder belongs to user id %d, which has no entry in /etc/passwd: "+
			"add one, or give the folder to another user with chown -R", ErrNoAccount, uid)
	}
	a.switched = true
	return a, nil
}

// powerless is the error of a root that lacks root's rights.
func powerless() error {
	return fmt.Errorf("%w: root may not run Postgres, and may not become another user here (a container without CAP_CHOWN, CAP_SETUID and CAP_SETGID?): "+
		"run webshell as an ordinary user, or set DATABASE_URL to a running Postgres", ErrNoAccount)
}

// clusterOwner is the owner of the cluster if it exists, else of the first
// folder around it that root does not own, else 0.
func clusterOwner(l layout) (uint32, error) {
	uid, err := ownerOf(l.data)
	if err == nil && uid == 0 {
		return 0, &FolderError{Path: l.data, Problem: "belongs to root, as whom Postgres does not run",
			Fix: "give it to the user who is to run Postgres, e.g. chown -R postgres " + l.postgres}
	}
	for _, dir := range []string{l.data, l.postgres, l.dir} {
		uid, err := ownerOf(dir)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		if err != nil {
			return 0, folderProblem(dir, err)
		}
		if uid != 0 {
			return uid, nil
		}
	}
	return 0, nil
}

func ownerOf(path string) (uint32, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Sys().(*syscall.Stat_t).Uid, nil
}
