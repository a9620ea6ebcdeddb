// Package storetest gives tests a real Postgres: a private cluster for each
// test binary, and in it a migrated database for each test, so that tests run
// side by side and NOTIFY reaches only its own.
package storetest

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"webshell/internal/localpg"
	"webshell/store"
)

// cluster is the test binary's Postgres, started by the first test that needs it.
var cluster struct {
	once   sync.Once
	dir    string
	server *localpg.Server
	err    error

	mu       sync.Mutex // CREATE DATABASE wants its template to itself
	template string
	count    atomic.Int64
}

// Main runs a package's tests and stops the Postgres they used. Call it from
// TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if cluster.server != nil {
		if err := cluster.server.Stop(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "stop the test Postgres:", err)
			code = 1
		}
	}
	if cluster.dir != "" {
		os.RemoveAll(cluster.dir)
	}
	os.Exit(code)
}

func start() {
	dir, err := os.MkdirTemp("", "webshell-test-")
	if err != nil {
		cluster.err = err
		return
	}
	cluster.dir = dir
	// Under root the cluster runs as another user, which must get in.
	if err := os.Chmod(dir, 0o755); err != nil {
		cluster.err = err
		return
	}
	// Durability is the crash tests' affair; they run clusters of their own.
	settings := map[string]string{"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}
	cluster.server, cluster.err = localpg.Start(context.Background(), localpg.Options{
		Dir: dir, BinDir: os.Getenv("WEBSHELL_PG_BIN"), Log: slog.New(slog.DiscardHandler), Settings: settings,
	})
}

// URL is the address of a migrated, empty database of the test's own.
func URL(t testing.TB) string {
	t.Helper()
	cluster.once.Do(start)
	if cluster.err != nil {
		t.Fatalf("start a Postgres for the tests: %v", cluster.err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	name := fmt.Sprintf("t%d", cluster.count.Add(1))
	if err := create(ctx, name); err != nil {
		t.Fatalf("create a test database: %v", err)
	}
	t.Cleanup(func() {
		if err := execAdmin(context.Background(), "drop database if exists "+name+" with (force)"); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	return withDatabase(name)
}

// Empty is the address of a database without any schema.
func Empty(t testing.TB) string {
	t.Helper()
	address := URL(t)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "drop schema public cascade; create schema public"); err != nil {
		t.Fatal(err)
	}
	return address
}

// New opens a store on a database of the test's own, and returns its owner.
func New(t testing.TB, o store.Options) (*store.Store, store.Viewer) {
	t.Helper()
	return Open(t, URL(t), o)
}

// Open opens a store on a database that URL gave: a second process' view of it.
func Open(t testing.TB, address string, o store.Options) (*store.Store, store.Viewer) {
	t.Helper()
	s, err := store.Open(context.Background(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	v, err := s.Owner(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s, v
}

func create(ctx context.Context, name string) error {
	cluster.mu.Lock()
	defer cluster.mu.Unlock()
	if cluster.template == "" {
		const template = "webshell_template"
		if err := execAdmin(ctx, "create database "+template); err != nil {
			return err
		}
		if _, err := store.Migrate(ctx, withDatabase(template)); err != nil {
			return err
		}
		cluster.template = template
	}
	return execAdmin(ctx, "create database "+name+" template "+cluster.template)
}

func execAdmin(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, cluster.server.URL())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

func withDatabase(name string) string {
	address := cluster.server.URL()
	u, err := url.Parse(address)
	if err != nil {
		panic("storetest: the cluster's address is no URL: " + err.Error())
	}
	u.Path = "/" + name
	return u.String()
}
