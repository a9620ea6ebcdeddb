package handlers

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
	"webshell/web/templates"
)

// How long a message is held for an edit. A script prolongs it while somebody
// writes; a form cannot.
const (
	holdFor     = 2 * time.Minute
	formHoldFor = 15 * time.Minute
)

// queueCall is one action on a message that waits.
type queueCall struct {
	session, request string
	form             submissionForm
	hold, turn       string // "" where none is named
}

// queueActions are what a form or a program can ask for by name.
var queueActions = map[string]func(*Server, http.ResponseWriter, *http.Request, store.Viewer, queueCall) error{
	"hold":     (*Server).holdQueued,
	"edit":     (*Server).editQueued,
	"release":  (*Server).releaseQueued,
	"delete":   (*Server).deleteQueued,
	"steer":    (*Server).steerQueued,
	"send-now": (*Server).sendQueuedNow,
	"up":       (*Server).moveQueuedUp,
	"down":     (*Server).moveQueuedDown,
}

// queued does what the body asks for with a message that waits.
func (s *Server) queued(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	call, err := readQueueCall(r)
	if err != nil {
		return err
	}
	act, known := queueActions[call.form.action]
	if !known {
		return badRequest("action", "want hold, edit, release, delete, steer, send-now, up or down")
	}
	return act(s, w, r, v, call)
}

// patchQueued is the edit of a program.
func (s *Server) patchQueued(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	call, err := readQueueCall(r)
	if err != nil {
		return err
	}
	return s.editQueued(w, r, v, call)
}

// removeQueued is the deletion of a program. It has no body.
func (s *Server) removeQueued(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	call, err := queueTarget(r)
	if err != nil {
		return err
	}
	return s.deleteQueued(w, r, v, call)
}

func readQueueCall(r *http.Request) (queueCall, error) {
	call, err := queueTarget(r)
	if err != nil {
		return call, err
	}
	if call.form, err = readSubmission(r); err != nil {
		return call, err
	}
	if call.hold, err = optionalID("hold", call.form.hold); err != nil {
		return call, err
	}
	call.turn, err = optionalID("turn", call.form.turn)
	return call, err
}

// queueTarget reads the path's session and message, which no body can override.
func queueTarget(r *http.Request) (call queueCall, err error) {
	if call.session, err = sessionID(r); err != nil {
		return call, err
	}
	if call.request = parseID(chi.URLParam(r, "request")); call.request == "" {
		err = errNotFound
	}
	return call, err
}

type heldJSON struct {
	RequestID   string          `json:"requestId"`
	Hold        string          `json:"hold"`
	HeldUntil   time.Time       `json:"heldUntil"`
	Content     string          `json:"content"`
	Annotations json.RawMessage `json:"annotations"`
}

// holdQueued begins an edit, or prolongs it. A form is led to the page on which
// it goes on.
func (s *Server) holdQueued(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	byForm := !wantsJSON(r) && !wantsFragment(r)
	d := holdFor
	if byForm {
		d = formHoldFor
	}
	held, err := s.store.Hold(r.Context(), v, c.session, c.request, c.hold, d)
	if err != nil {
		return err
	}
	if byForm {
		http.Redirect(w, r, s.urls.QueueEdit(c.session, held.RequestID, held.Hold), http.StatusSeeOther)
		return nil
	}
	return s.done(w, r, c.session, heldJSON{
		held.RequestID, held.Hold, held.Until, held.Message.Content, composer.Encode(held.Message.Annotations),
	})
}

type editedJSON struct {
	RequestID   string          `json:"requestId"`
	Content     string          `json:"content"`
	Annotations json.RawMessage `json:"annotations"`
}

// editQueued saves another text for a message that waits. Without tags the
// references stay that the change left alone.
func (s *Server) editQueued(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	saved, err := s.store.Edit(r.Context(), v, c.session, c.request, c.hold, func(before composer.Message) (composer.Message, error) {
		if c.form.tags != nil || c.form.raw != nil {
			return s.message(c.form)
		}
		after := composer.Retext(before, c.form.text)
		return after, messageFault(composer.Check(after))
	})
	if err != nil {
		return s.keepingEdit(err, c)
	}
	return s.done(w, r, c.session, editedJSON{c.request, saved.Content, composer.Encode(saved.Annotations)})
}

// keepingEdit adds what was written to a refused edit: to be saved again, or as
// another message where there is nothing left to change.
func (s *Server) keepingEdit(err error, c queueCall) error {
	f := *faultOf(err)
	switch f.code {
	case "already_taken", "already_deleted", "edited_elsewhere":
		kept := submissionForm{text: c.form.text}.kept(s.urls.Messages(c.session))
		f.kept = &kept
	default:
		f.keptEdit = &templates.QueueEdit{
			SessionID: c.session, RequestID: c.request, Hold: c.hold, Text: c.form.text, MaxBytes: composer.MaxText,
		}
	}
	return &f
}

func (s *Server) releaseQueued(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	return s.queueDone(w, r, c, s.store.Release(r.Context(), v, c.session, c.request, c.hold))
}

func (s *Server) deleteQueued(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	return s.queueDone(w, r, c, s.store.Delete(r.Context(), v, c.session, c.request))
}

func (s *Server) moveQueuedUp(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	return s.queueDone(w, r, c, s.store.MoveUp(r.Context(), v, c.session, c.request))
}

func (s *Server) moveQueuedDown(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	return s.queueDone(w, r, c, s.store.MoveDown(r.Context(), v, c.session, c.request))
}

// queueDone answers an action of which there is nothing more to say.
func (s *Server) queueDone(w http.ResponseWriter, r *http.Request, c queueCall, err error) error {
	if err != nil {
		return err
	}
	return s.done(w, r, c.session, map[string]any{"requestId": c.request})
}

// steerQueued has a message enter the running turn.
func (s *Server) steerQueued(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	info, err := s.store.Session(r.Context(), v, c.session)
	if err != nil {
		return err
	}
	if !s.steers(r.Context(), info.Agent, info.ID) {
		return &fault{status: http.StatusConflict, code: "cannot_steer"}
	}
	return s.queueDone(w, r, c, s.store.Steer(r.Context(), v, c.session, c.request, c.turn))
}

// sendQueuedNow makes a message the next one, and stops the turn that runs.
func (s *Server) sendQueuedNow(w http.ResponseWriter, r *http.Request, v store.Viewer, c queueCall) error {
	stopping, err := s.store.SendNow(r.Context(), v, c.session, c.request, c.turn)
	if err != nil {
		return err
	}
	return s.done(w, r, c.session, map[string]any{"requestId": c.request, "stopping": stopping})
}

// orderQueue has messages change places.
func (s *Server) orderQueue(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	ids, err := requestIDs(w, r)
	if err != nil {
		return err
	}
	if err := s.store.Order(r.Context(), v, id, ids); err != nil {
		return err
	}
	return s.done(w, r, id, map[string]any{"requestIds": ids})
}

// maxOrder bounds the body of an order, in bytes: a full queue's request ids.
const maxOrder = 64 << 10

// requestIDs reads the messages that an order names, each once.
func requestIDs(w http.ResponseWriter, r *http.Request) ([]string, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxOrder)
	object, err := readJSONObject(r)
	if err != nil {
		return nil, err
	}
	wrong := badRequest("requestIds", "want the request ids of at most 1,000 messages, each once")
	var ids []string
	if json.Unmarshal(object["requestIds"], &ids) != nil || len(ids) == 0 || len(ids) > store.InboxLimit {
		return nil, wrong
	}
	seen := map[string]bool{}
	for i, id := range ids {
		if ids[i] = parseID(id); ids[i] == "" || seen[ids[i]] {
			return nil, wrong
		}
		seen[ids[i]] = true
	}
	return ids, nil
}

// resumeQueue lets a paused queue go on.
func (s *Server) resumeQueue(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	if err := s.store.Resume(r.Context(), v, id); err != nil {
		return err
	}
	return s.done(w, r, id, map[string]any{"resumed": true})
}

// steers reports whether a session's agent takes messages while it works. One
// that cannot be asked does not.
func (s *Server) steers(ctx context.Context, agent, sessionID string) bool {
	backend, known := s.agents[agent]
	if !known {
		return false
	}
	d, err := backend.Describe(ctx, sessionID)
	if err != nil {
		s.log.Warn("ask an agent what it can do", "agent", agent, "err", err)
	}
	return err == nil && d.Capabilities.Steering
}

// queueView is what waits in a session, as rows. What is in the transcript
// already waits no more: a message shows once.
func queueView(sessionID string, q store.Queue, transcript *session.State) templates.QueueView {
	view := templates.QueueView{SessionID: sessionID}
	for _, w := range q.Waiting {
		if transcript.Node(session.MessageKey(w.RequestID)) != nil {
			continue
		}
		row := templates.QueueRow{
			RequestID: w.RequestID, State: store.StateQueued, Held: w.Held, Next: w.SendingNow,
			Content: w.Message.Content, Annotations: w.Message.Annotations, At: w.At,
		}
		if w.Lane == session.LaneNextStep {
			row.State = store.StateSteering
		}
		view.Rows = append(view.Rows, row)
	}
	view.Paused = q.Paused && len(view.Rows) > 0
	return view
}

// queueEdit is the form to edit the message that the query names, nil where it
// names none. A message that waits no more, or whose edit was taken over, is a
// fault: then there is nothing to edit here.
func queueEdit(r *http.Request, sessionID string, q store.Queue) *templates.QueueEdit {
	request, hold := parseID(r.URL.Query().Get("edit")), parseID(r.URL.Query().Get("hold"))
	for _, w := range q.Waiting {
		if w.RequestID == request && w.Hold == hold && hold != "" {
			return &templates.QueueEdit{
				SessionID: sessionID, RequestID: request, Hold: hold, Text: w.Message.Content, MaxBytes: composer.MaxText,
			}
		}
	}
	return nil
}
