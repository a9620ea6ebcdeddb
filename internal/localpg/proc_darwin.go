package localpg

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// childAttr: a group of its own keeps a terminal's ^C from Postgres. There is no
// Pdeathsig here: a Postgres whose supervisor was killed lives on, and the next
// start adopts it.
func childAttr(a account, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: a.credential()}
}

// postgresIn knows nothing here, where working folders cannot be read. Postgres
// itself refuses to start while an old process still holds its shared memory.
func postgresIn(string, account) ([]int, error) { return nil, nil }

// isPostgresIn tells whether pid is a live Postgres process of the run account.
func isPostgresIn(_ string, pid int, a account) bool {
	const zombie = 5 // SZOMB in sys/proc.h
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && int(k.Proc.P_pid) == pid && k.Proc.P_stat != zombie &&
		k.Eproc.Ucred.Uid == a.uid && unix.ByteSliceToString(k.Proc.P_comm[:]) == "postgres"
}
