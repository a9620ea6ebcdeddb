package handlers

import (
	"io"
	"net/http"
	"time"

	"webshell/internal/logfile"
	"webshell/store"
)

// exportWrite bounds how long a reader of an export may take for one piece.
const exportWrite = 30 * time.Second

// export is the session's log as a file.
func (s *Server) export(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	if _, err := s.store.Session(r.Context(), v, id); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/jsonl")
	h.Set("Content-Disposition", `attachment; filename="webshell-`+id+`.jsonl"`)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return nil
	}
	if err := logfile.Export(r.Context(), s.store, v, id, patientWriter{w, http.NewResponseController(w)}); err != nil {
		if r.Context().Err() == nil {
			s.log.Warn("an export was cut", "session", id, "err", err)
		}
		panic(http.ErrAbortHandler) // a file that ends early must not look whole
	}
	return nil
}

// patientWriter gives a reader time for each piece instead of for the whole.
type patientWriter struct {
	io.Writer
	control *http.ResponseController
}

func (w patientWriter) Write(p []byte) (int, error) {
	if err := w.control.SetWriteDeadline(time.Now().Add(exportWrite)); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}
