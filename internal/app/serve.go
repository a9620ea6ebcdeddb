package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"webshell/handlers"
	"webshell/internal/agent/demo"
	"webshell/internal/bus"
	"webshell/internal/localpg"
	"webshell/internal/mention"
	"webshell/internal/turn"
	"webshell/internal/workspace"
	"webshell/store"
)

const (
	// turnLease is short enough that a turn whose process died is closed as
	// interrupted within ten seconds.
	turnLease = 6 * time.Second
	// shutdownLimit bounds how long requests may take once the server stops.
	shutdownLimit = 5 * time.Second
)

// serve runs the server until ctx ends. What it starts it stops, in the
// opposite order.
func (p *program) serve(ctx context.Context, _ []string) error {
	// Taken first: an address in use is an error before anything is started.
	listener, err := net.Listen("tcp", p.config.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w (WEBSHELL_ADDR takes another address)", p.config.Addr, err)
	}
	defer listener.Close()

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lost := make(chan error, 1)
	url, stopDatabase, err := p.startDatabase(ctx, func(err error) {
		lost <- err
		stop()
	})
	if err != nil {
		return err
	}
	defer stopDatabase()
	applied, err := p.migrateStore(ctx, url)
	if err != nil {
		return err
	}
	for _, name := range applied {
		p.log.Info("migrated", "migration", name)
	}
	wakes := new(bus.Bus)
	s, err := store.Open(ctx, url, store.Options{Wake: wakes.Wake, Log: p.log})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := p.serveStore(ctx, listener, url, s, wakes); err != nil {
		return err
	}
	select {
	case err := <-lost:
		return err
	default:
		return nil
	}
}

// startDatabase gives the database's address: the one that was set, or that of
// the private Postgres, which it starts. lost is called if that can never be
// started again: its folder was taken away, say.
func (p *program) startDatabase(ctx context.Context, lost func(error)) (url string, stop func(), err error) {
	if p.config.DatabaseURL != "" {
		return p.config.DatabaseURL, func() {}, nil
	}
	server, err := localpg.Start(ctx, p.postgresOptions())
	if err != nil {
		return "", nil, err
	}
	go func() {
		<-server.Done()
		if err := server.Err(); err != nil {
			lost(err)
		}
	}()
	return server.URL(), func() {
		if err := server.Stop(context.Background()); err != nil {
			p.log.Error("stop the private Postgres", "err", err)
		}
	}, nil
}

func (p *program) serveStore(ctx context.Context, listener net.Listener, url string, s *store.Store, wakes *bus.Bus) error {
	owner, err := s.Owner(ctx)
	if err != nil {
		return err
	}
	registry := newRegistry()
	folder, err := workspace.Open(p.config.Workspace)
	if err != nil {
		return fmt.Errorf("open the workspace: %w (WEBSHELL_WORKSPACE names another folder)", err)
	}
	defer folder.Close()
	agents := map[string]turn.Backend{demoAgent: demo.New(folder)}
	files := mention.NewFiles(folder)
	defer files.Close()
	handler, err := p.newHandler(ctx, s, wakes, agents, mention.NewMenu(files), registry)
	if err != nil {
		return err
	}
	base := p.config.BaseURL(listener.Addr().String())
	if err := s.SetBaseURL(ctx, base); err != nil {
		return err
	}
	link, err := newLoginLink(ctx, s, owner, base)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "Sign in: %s\n", link)

	// Background work ends before the store is closed.
	work, stopWork := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer stopWork()
	background.Go(func() { store.Listen(work, url, p.log, wakes.Wake, wakes.WakeAll) })
	runner := turn.New(turn.Config{
		Log: s.TurnLog(), Backends: agents, Owner: processName(), Lease: turnLease,
		Subscribe: wakes.Subscribe, Logger: p.log, Observe: turnMetrics(registry),
	})
	background.Go(func() { runner.Run(work) })

	return p.serveHTTP(ctx, listener, handler)
}

const demoAgent = "demo"

func (p *program) newHandler(ctx context.Context, s *store.Store, wakes *bus.Bus, agents map[string]turn.Backend, menu *mention.Menu, registry *prometheus.Registry) (*handlers.Server, error) {
	instance, err := s.InstanceID(ctx)
	if err != nil {
		return nil, err
	}
	icons := map[string]string{}
	maps.Copy(icons, p.config.Icons)
	maps.Copy(icons, p.Icons)
	return handlers.New(handlers.Options{
		Store: s, Bus: wakes, Config: p.config, Instance: instance, Agents: agents, Agent: demoAgent, Mentions: menu,
		Log: p.log, Registry: registry, Icons: icons, UserContent: p.RenderUserMessageContent,
	})
}

// serveHTTP answers requests until ctx ends, then lets those under way finish.
func (p *program) serveHTTP(ctx context.Context, listener net.Listener, handler *handlers.Server) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      2 * time.Minute, // streams set a deadline of their own for each write
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	p.log.Info("ready", "addr", listener.Addr().String())
	defer handler.Close() // ends the streams, whichever way it goes
	select {
	case err := <-failed:
		return errors.Join(err, server.Close())
	case <-ctx.Done():
	}
	p.log.Info("stopping")
	handler.Close()
	limit, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	if err := server.Shutdown(limit); err != nil && !errors.Is(err, http.ErrServerClosed) {
		p.log.Warn("some requests were cut", "err", err)
		return server.Close()
	}
	return nil
}

// processName is unique among the processes that share a database.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), uuid.NewString()[:8])
}
