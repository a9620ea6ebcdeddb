package handlers

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"

	"webshell/composer"
)

// metrics are the server's counters. Turns are counted by their runner.
type metrics struct {
	requests    *prometheus.CounterVec
	submissions *prometheus.CounterVec
	dropped     *prometheus.CounterVec
	streams     prometheus.Gauge
	fragments   prometheus.Counter
}

func newMetrics(r *prometheus.Registry) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "webshell_http_requests_total", Help: "Requests answered, by route and status.",
		}, []string{"route", "method", "status"}),
		submissions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "webshell_submissions_total", Help: "Messages submitted, by what became of them.",
		}, []string{"state"}),
		dropped: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "webshell_sanitizer_dropped_total", Help: "What the sanitizer left out of annotations and tags: whole lists, entries, optional fields.",
		}, []string{"what"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "webshell_streams", Help: "Transcript streams that are open.",
		}),
		fragments: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "webshell_stream_fragments_total", Help: "Fragments sent on transcript streams.",
		}),
	}
	r.MustRegister(m.requests, m.submissions, m.dropped, m.streams, m.fragments)
	return m
}

func (m *metrics) sanitized(r composer.Report) {
	for what, n := range map[string]int{"list": r.Lists, "entry": r.Dropped, "field": r.Fields} {
		if n > 0 {
			m.dropped.WithLabelValues(what).Add(float64(n))
		}
	}
}

// countRequests counts by the route's pattern, never by the path: paths are
// without number.
func (s *Server) countRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &statusRecorder{ResponseWriter: w}
		defer func() {
			route := chi.RouteContext(r.Context()).RoutePattern()
			if route == "" || rec.status == http.StatusNotFound {
				route = "other"
			}
			s.metrics.requests.WithLabelValues(route, knownMethod(r.Method), strconv.Itoa(cmp.Or(rec.status, http.StatusOK))).Inc()
		}()
		next.ServeHTTP(rec, r)
	})
}

func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return method
	}
	return "other"
}

// statusRecorder remembers the answer's status; 0 is one that has not begun.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(p)
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
