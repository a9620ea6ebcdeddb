// Command idle measures a server that has nothing to do, and how fast it gets
// there: start to ready on a warm data folder, and resident memory after it
// has answered, Postgres apart. It reads /proc and runs on Linux.
//
//	make build && go run ./bench/idle
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	binary = flag.String("binary", "bin/webshell", "the program")
	rounds = flag.Int("rounds", 5, "starts to measure")
	settle = flag.Duration("settle", 5*time.Second, "idle time before memory is read")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "webshell-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if _, err := measure(dir); err != nil { // makes the data folder
		return err
	}
	var starts []time.Duration
	var memory []string
	for range *rounds {
		m, err := measure(dir)
		if err != nil {
			return err
		}
		starts = append(starts, m.ready)
		memory = append(memory, m.resident)
	}
	slices.Sort(starts)
	fmt.Printf("start to ready, warm: median %v, worst %v\n", starts[len(starts)/2].Round(time.Millisecond), starts[len(starts)-1].Round(time.Millisecond))
	fmt.Printf("resident, idle: %s\n", strings.Join(memory, ", "))
	return nil
}

type measured struct {
	ready    time.Duration
	resident string
}

func measure(dir string) (m measured, err error) {
	cmd := exec.Command(*binary, "serve")
	cmd.Env = append(os.Environ(), "WEBSHELL_DATA="+dir, "WEBSHELL_ADDR=127.0.0.1:0", "WEBSHELL_CONFIG="+os.DevNull, "DATABASE_URL=")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return m, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return m, err
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Signal(os.Interrupt), cmd.Wait())
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return m, err
	}
	url, _, ok := strings.Cut(strings.TrimPrefix(line, "Sign in: "), "/login?")
	if !ok {
		return m, fmt.Errorf("the program printed %q", line)
	}
	res, err := http.Get(url + "/readyz")
	if err != nil {
		return m, err
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return m, err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return m, fmt.Errorf("not ready: %s", res.Status)
	}
	m.ready = time.Since(began)
	<-time.After(*settle)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return m, err
	}
	if found := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status); found != nil {
		m.resident = string(found[1]) + " KiB"
	}
	return m, nil
}
