package composer

import (
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// threadCPUTime is CLOCK_THREAD_CPUTIME_ID of clock_gettime(2).
const threadCPUTime = 3

// costOf returns the processor time of run on its own thread, so that other work
// on the machine does not count.
func costOf(t testing.TB, run func()) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime(t)
	run()
	return threadTime(t) - before
}

func threadTime(t testing.TB) time.Duration {
	t.Helper()
	var now syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadCPUTime, uintptr(unsafe.Pointer(&now)), 0); errno != 0 {
		t.Fatal(errno)
	}
	return time.Duration(now.Nano())
}
