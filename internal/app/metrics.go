package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"webshell/internal/session"
	"webshell/internal/turn"
)

func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// turnMetrics counts turns.
func turnMetrics(r *prometheus.Registry) turn.Observe {
	running := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "webshell_turns_running", Help: "Turns that this process runs.",
	})
	ended := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "webshell_turns_total", Help: "Turns that have ended, by agent and outcome.",
	}, []string{"agent", "outcome"})
	took := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "webshell_turns_seconds_total", Help: "Time that ended turns took, by agent.",
	}, []string{"agent"})
	reaped := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "webshell_turns_reaped_total", Help: "Turns of dead processes that were closed as interrupted.",
	})
	r.MustRegister(running, ended, took, reaped)
	return turn.Observe{
		TurnStarted: func(string) { running.Inc() },
		TurnEnded: func(agent string, outcome session.Outcome, d time.Duration) {
			running.Dec()
			ended.WithLabelValues(agent, string(outcome)).Inc()
			took.WithLabelValues(agent).Add(d.Seconds())
		},
		TurnsReaped: func(n int) { reaped.Add(float64(n)) },
	}
}
