package handlers

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"webshell/composer"
	"webshell/store"
)

// Submission modes: wait for the next turn, or enter the running one.
const (
	modeQueue = "queue"
	modeSteer = "steer"
)

type receiptJSON struct {
	SessionID   string          `json:"sessionId"`
	RequestID   string          `json:"requestId"`
	State       string          `json:"state"`
	Seq         int64           `json:"seq,omitempty"`
	Content     string          `json:"content"`
	Annotations json.RawMessage `json:"annotations"`
}

// submit accepts a message into a session.
func (s *Server) submit(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	form, err := readSubmission(r)
	if err != nil {
		return err
	}
	kept := form.kept(s.urls.Messages(id))
	sub, err := s.submission(form)
	if err != nil {
		return keeping(err, kept)
	}
	sub.SessionID = id
	if sub.Steer, err = s.canSteer(r, v, sub); err != nil {
		return keeping(err, kept)
	}
	receipt, err := s.store.Submit(r.Context(), v, sub)
	if err != nil {
		return keeping(err, kept)
	}
	return s.accepted(w, r, v, receipt, id)
}

// canSteer tells a message that asks to enter the running turn, of an agent that
// takes it. Elsewhere it waits for the next turn, and its receipt says so.
func (s *Server) canSteer(r *http.Request, v store.Viewer, sub store.Submission) (bool, error) {
	if !sub.Steer {
		return false, nil
	}
	info, err := s.store.Session(r.Context(), v, sub.SessionID)
	return err == nil && s.steers(r.Context(), info.Agent, info.ID), err
}

// submission is what a form asks the store to accept.
func (s *Server) submission(form submissionForm) (store.Submission, error) {
	id := parseID(form.requestID)
	if id == "" {
		return store.Submission{}, badRequest("requestId", "want a UUID")
	}
	switch form.mode {
	case "", modeQueue, modeSteer:
	default:
		return store.Submission{}, badRequest("mode", "want queue or steer")
	}
	m, err := s.message(form)
	return store.Submission{RequestID: id, Message: m, Steer: form.mode == modeSteer}, err
}

// accepted answers a submission that counts. The message is stored by now. A
// form took the place of the draft that its page showed ("" is home's), which
// goes with it; programs and scripts keep their drafts themselves.
func (s *Server) accepted(w http.ResponseWriter, r *http.Request, v store.Viewer, receipt store.Receipt, draftOf string) error {
	state := receipt.State
	if receipt.Replayed {
		state = "replayed"
	}
	s.metrics.submissions.WithLabelValues(state).Inc()
	if !wantsJSON(r) {
		if err := s.store.SaveDraft(r.Context(), v, store.Draft{SessionID: draftOf}); err != nil {
			s.log.Warn("clear a draft that was sent", "err", err) // the message counts all the same
		}
		http.Redirect(w, r, s.urls.SessionNewest(receipt.SessionID), http.StatusSeeOther)
		return nil
	}
	status := http.StatusCreated
	if receipt.Replayed {
		status = http.StatusOK
	}
	w.Header().Set("Location", s.urls.Session(receipt.SessionID))
	writeJSON(w, status, receiptJSON{
		SessionID: receipt.SessionID, RequestID: receipt.RequestID, State: receipt.State, Seq: receipt.Seq,
		Content: receipt.Message.Content, Annotations: composer.Encode(receipt.Message.Annotations),
	})
	return nil
}

// sessionID reads the path's session, which no body can override. What is no
// UUID is no session.
func sessionID(r *http.Request) (string, error) {
	if id := parseID(chi.URLParam(r, "session")); id != "" {
		return id, nil
	}
	return "", errNotFound
}

// keepTyped adds to a refusal what a form post carried, so that nothing a
// person wrote is lost when the sign-in has expired or cannot be looked up.
func (s *Server) keepTyped(r *http.Request, refusal error) error {
	action, edit := s.submissionURL(r), queuePath(r)
	if action == "" && edit.request == "" || wantsJSON(r) {
		return refusal
	}
	form, err := readSubmission(r)
	if err != nil || form.text == "" {
		return refusal
	}
	if action == "" {
		edit.form, edit.hold = form, parseID(form.hold)
		return s.keepingEdit(refusal, edit)
	}
	return keeping(refusal, form.kept(action))
}

// queuePath is the waiting message that a form which came before the router was
// for; it is empty for any other request.
func queuePath(r *http.Request) (call queueCall) {
	rest, ok := strings.CutPrefix(r.URL.Path, "/sessions/")
	session, request, isRow := strings.Cut(rest, "/queue/")
	if ok && isRow && r.Method == http.MethodPost && parseID(session) != "" && parseID(request) != "" {
		call.session, call.request = parseID(session), parseID(request)
	}
	return call
}

// submissionURL is where a submission that came before the router was to go;
// "" for any other request. It is built anew: nothing of a path that was not
// routed comes to stand in a page.
func (s *Server) submissionURL(r *http.Request) string {
	if r.Method != http.MethodPost {
		return ""
	}
	if r.URL.Path == "/sessions" {
		return s.urls.NewSession()
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/sessions/")
	if name, isMessage := strings.CutSuffix(rest, "/messages"); ok && isMessage {
		if id := parseID(name); id != "" {
			return s.urls.Messages(id)
		}
	}
	return ""
}
