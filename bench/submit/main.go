// Command submit measures how fast messages are accepted, next to what the
// database itself does with the same inserts: pgbench and 16 clients in turn,
// on one cluster with its default durability, so that their ratio means
// something on any machine.
//
//	go run ./bench/submit
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"webshell/composer"
	"webshell/handlers"
	"webshell/internal/bus"
	"webshell/internal/config"
	"webshell/internal/localpg"
	"webshell/store"
)

var (
	clients = flag.Int("clients", 16, "clients at once")
	seconds = flag.Int("seconds", 5, "length of one measurement")
	rounds  = flag.Int("rounds", 3, "measurements of each kind")
	pgbench = flag.String("pgbench", "pgbench", "path of pgbench")
)

// script is what one message writes, as plain inserts: the event with its
// number, the turn, and the submission.
const script = `\set n :n + 1
\set s :client_id * 1000000 + :n
begin;
with bumped as (update sessions set last_seq = last_seq + 1, updated_at = clock_timestamp()
	where id = ('%s-0000-0000-0000-' || lpad(:s::text, 12, '0'))::uuid returning id, last_seq)
insert into events (session_id, seq, kind, source, rpc_id, content, annotations, body)
select id, last_seq, 'user/message', '{"kind":"user","rpcId":"00000000-0000-0000-0000-000000000000"}', gen_random_uuid(),
	'%s', '%s', '{}' from bumped;
insert into turns (session_id, message_seq, agent) values (('%[1]s-0000-0000-0000-' || lpad(:s::text, 12, '0'))::uuid, 1, 'demo');
insert into submissions (session_id, request_id, user_id, body_hash, state, seq)
select ('%[1]s-0000-0000-0000-' || lpad(:s::text, 12, '0'))::uuid, gen_random_uuid(), id, sha256('%[2]s'), 'logged', 1 from users;
commit;
`

const text = "compare @Makefile with @src/Makefile and say which of the two sets the compiler"

const tags = `[{"id":"a","kind":"file","value":"Makefile","serialized":"@Makefile","start":8,"end":17},
	{"id":"b","kind":"file","value":"src/Makefile","serialized":"@src/Makefile","start":23,"end":36}]`

func main() {
	flag.Parse()
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "webshell-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	pg, err := localpg.Start(ctx, localpg.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer pg.Stop(ctx)
	if _, err := store.Migrate(ctx, pg.URL()); err != nil {
		return err
	}
	b, err := newBench(ctx, pg.URL(), dir)
	if err != nil {
		return err
	}
	defer b.close()
	kinds := []struct {
		name    string
		measure func(context.Context, string) (float64, error)
	}{{"pgbench", b.pgbench}, {"store", b.throughStore}, {"http", b.throughHTTP}}
	rates := map[string][]float64{}
	for round := range *rounds {
		for i, kind := range kinds {
			prefix := fmt.Sprintf("%08x", round*len(kinds)+i+1)
			if err := b.seed(ctx, prefix); err != nil {
				return err
			}
			rate, err := kind.measure(ctx, prefix)
			if err != nil {
				return fmt.Errorf("%s: %w", kind.name, err)
			}
			rates[kind.name] = append(rates[kind.name], rate)
			fmt.Printf("round %d  %-8s %8.0f messages/s  %.2f of pgbench\n", round+1, kind.name, rate, rate/rates["pgbench"][round])
		}
	}
	for _, kind := range kinds[1:] {
		var ratios []float64
		for i, rate := range rates[kind.name] {
			ratios = append(ratios, rate/rates["pgbench"][i])
		}
		slices.Sort(ratios)
		fmt.Printf("median   %-8s %.2f of pgbench\n", kind.name, ratios[len(ratios)/2])
	}
	return nil
}

// bench is a database with a server over it.
type bench struct {
	url, dir string
	store    *store.Store
	viewer   store.Viewer
	token    string
	server   *http.Server
	addr     string
}

func newBench(ctx context.Context, url, dir string) (*bench, error) {
	b := &bench{url: url, dir: dir}
	wakes := new(bus.Bus)
	var err error
	if b.store, err = store.Open(ctx, url, store.Options{Wake: wakes.Wake}); err != nil {
		return nil, err
	}
	if b.viewer, err = b.store.Owner(ctx); err != nil {
		return nil, err
	}
	if b.token, err = b.store.NewToken(ctx, b.viewer, "bench"); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b.addr = "http://" + listener.Addr().String()
	h, err := handlers.New(handlers.Options{
		Store: b.store, Bus: wakes, Instance: uuid.NewString(), Agent: "demo",
		Config: config.Config{Addr: listener.Addr().String()}, Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	})
	if err != nil {
		return nil, err
	}
	b.server = &http.Server{Handler: h}
	go b.server.Serve(listener)
	return b, nil
}

func (b *bench) close() {
	b.server.Close()
	b.store.Close()
}

// perClient is how many sessions each client has; each message goes to one of
// its own, so that nobody waits for another's turn.
const perClient = 8000

func sessionID(prefix string, client, n int) string {
	return fmt.Sprintf("%s-0000-0000-0000-%012d", prefix, client*1_000_000+n)
}

func (b *bench) seed(ctx context.Context, prefix string) error {
	conn, err := pgx.Connect(ctx, b.url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	const insert = `insert into sessions (id, owner_id, agent, title)
select ($1 || '-0000-0000-0000-' || lpad((c * 1000000 + n)::text, 12, '0'))::uuid, $2, 'demo', 'bench'
from generate_series(0, $3 - 1) c, generate_series(1, $4) n`
	if _, err := conn.Exec(ctx, insert, prefix, b.viewer.UserID, *clients, perClient); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "vacuum analyze sessions, events, turns, submissions")
	if err == nil {
		_, err = conn.Exec(ctx, "checkpoint")
	}
	return err
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

func (b *bench) pgbench(ctx context.Context, prefix string) (float64, error) {
	m, _, err := composer.Build(text, []byte(tags))
	if err != nil {
		return 0, err
	}
	file := filepath.Join(b.dir, "script.sql")
	if err := os.WriteFile(file, fmt.Appendf(nil, script, prefix, m.Content, composer.Encode(m.Annotations)), 0o644); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, *pgbench, "-n", "-M", "prepared", "-f", file, "-D", "n=0",
		"-c", strconv.Itoa(*clients), "-j", "2", "-T", strconv.Itoa(*seconds), b.url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	found := tps.FindSubmatch(out)
	if found == nil || bytes.Contains(out, []byte("ERROR")) {
		return 0, fmt.Errorf("pgbench said:\n%s", out)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

func (b *bench) throughStore(ctx context.Context, prefix string) (float64, error) {
	m, _, err := composer.Build(text, []byte(tags))
	if err != nil {
		return 0, err
	}
	return b.load(func(client, n int) error {
		r, err := b.store.Submit(ctx, b.viewer, store.Submission{SessionID: sessionID(prefix, client, n), RequestID: uuid.NewString(), Message: m})
		if err == nil && r.State != store.StateLogged {
			err = fmt.Errorf("state %s", r.State)
		}
		return err
	})
}

func (b *bench) throughHTTP(_ context.Context, prefix string) (float64, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: *clients}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport}
	return b.load(func(c, n int) error {
		body, err := json.Marshal(map[string]any{"requestId": uuid.NewString(), "text": text, "tags": json.RawMessage(tags)})
		if err != nil {
			return err
		}
		req, err := http.NewRequest("POST", b.addr+"/sessions/"+sessionID(prefix, c, n)+"/messages", bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+b.token)
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return err
		}
		if res.StatusCode != http.StatusCreated {
			return fmt.Errorf("status %s", res.Status)
		}
		return nil
	})
}

// load runs the clients for the time set and returns messages a second. Every
// answer must be right: one that is not fails the run.
func (b *bench) load(submit func(client, n int) error) (float64, error) {
	var done atomic.Int64
	var wg sync.WaitGroup
	errs := make(chan error, *clients)
	began := time.Now()
	until := began.Add(time.Duration(*seconds) * time.Second)
	for client := range *clients {
		wg.Go(func() {
			for n := 1; n <= perClient && time.Now().Before(until); n++ {
				if err := submit(client, n); err != nil {
					errs <- err
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	select {
	case err := <-errs:
		return 0, err
	default:
	}
	return float64(done.Load()) / time.Since(began).Seconds(), nil
}
