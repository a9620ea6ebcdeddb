package handlers

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
	"webshell/web/templates"
)

// listed is how many sessions the list shows.
const listed = 100

// home is the session list and an empty composer.
func (s *Server) home(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	sessions, err := s.store.Sessions(r.Context(), v, listed)
	if err != nil {
		return err
	}
	if wantsJSON(r) {
		return s.homeJSON(w, sessions)
	}
	draft, err := s.store.Draft(r.Context(), v, "")
	if err != nil {
		return err
	}
	preferences, err := s.preferences(r, v)
	if err != nil {
		return err
	}
	view := s.view(r)
	h := templates.Home{
		Page:     templates.Page{Title: view.P.T("home.title"), UserID: v.UserID, UserName: v.Name, Preferences: preferences},
		Sessions: sessionItems(sessions, ""),
		Composer: newComposer(s.urls.NewSession(), draft),
	}
	h.Composer.Enter, h.Composer.Steers = preferences.Enter, s.steers(r.Context(), s.agent, "")
	return s.render(w, r, view, http.StatusOK, templates.HomePage(view, h), templates.HomeFragment(view, h))
}

// newSession begins a session: empty, or with its first message.
func (s *Server) newSession(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	form, err := readSubmission(r)
	if err != nil {
		return err
	}
	kept := form.kept(s.urls.NewSession())
	agent, err := s.chooseAgent(form.agent)
	if err != nil {
		return keeping(err, kept)
	}
	title := strings.TrimSpace(form.title)
	if composer.UTF16Len(title) > maxTitle {
		return keeping(unprocessable("title_too_long", "title"), kept)
	}
	if form.requestID == "" && form.text == "" && form.tags == nil && form.raw == nil {
		id, err := s.store.NewSession(r.Context(), v, agent, title)
		if err != nil {
			return err
		}
		return s.begun(w, r, v, id)
	}
	sub, err := s.submission(form)
	if err != nil {
		return keeping(err, kept)
	}
	receipt, err := s.store.OpenSession(r.Context(), v, agent, title, sub)
	if err != nil {
		return keeping(err, kept)
	}
	return s.accepted(w, r, v, receipt, "")
}

// maxTitle bounds a session's title, in UTF-16 units.
const maxTitle = 200

func (s *Server) chooseAgent(name string) (string, error) {
	if name == "" {
		return s.agent, nil
	}
	if _, known := s.agents[name]; !known {
		return "", unprocessable("unknown_agent", "agent")
	}
	return name, nil
}

func (s *Server) begun(w http.ResponseWriter, r *http.Request, v store.Viewer, id string) error {
	location := s.urls.Session(id)
	if !wantsJSON(r) {
		http.Redirect(w, r, location, http.StatusSeeOther)
		return nil
	}
	info, err := s.store.Session(r.Context(), v, id)
	if err != nil {
		return err
	}
	w.Header().Set("Location", location)
	writeJSON(w, http.StatusCreated, toSessionJSON(info))
	return nil
}

// showSession is the session's page: the last page of its transcript, or an
// older one, with the composer; with ?watch, a view that only shows.
func (s *Server) showSession(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, err := sessionID(r)
	if err != nil {
		return err
	}
	info, err := s.store.Session(r.Context(), v, id)
	if err != nil {
		return err
	}
	if wantsJSON(r) {
		writeJSON(w, http.StatusOK, toSessionJSON(info))
		return nil
	}
	query := r.URL.Query()
	before, err := seqParam("before", query.Get("before"))
	if err != nil {
		return err
	}
	view := s.view(r)
	page, err := s.sessionView(r, v, view, info, before)
	if err != nil {
		return err
	}
	page.Watch = query.Has("watch")
	return s.render(w, r, view, http.StatusOK, templates.SessionPage(view, page), templates.SessionFragment(view, page))
}

// sessionView reads what a session's page shows.
func (s *Server) sessionView(r *http.Request, v store.Viewer, view templates.View, info store.SessionInfo, before int64) (templates.Session, error) {
	ctx := r.Context()
	var t templates.Session
	// The queue first: what a turn takes in between is then in the transcript,
	// instead of nowhere.
	waiting, err := s.store.Queue(ctx, v, info.ID)
	if err != nil {
		return t, err
	}
	page, err := s.store.Page(ctx, v, info.ID, before)
	if err != nil {
		return t, err
	}
	sessions, err := s.store.Sessions(ctx, v, listed)
	if err != nil {
		return t, err
	}
	draft, err := s.store.Draft(ctx, v, info.ID)
	if err != nil {
		return t, err
	}
	preferences, err := s.preferences(r, v)
	if err != nil {
		return t, err
	}
	state := session.Fold(page.Turn, page.Events)
	state.Followed(page.Next)
	t = templates.Session{
		Page: templates.Page{Title: info.Title, UserID: v.UserID, UserName: v.Name, Preferences: preferences},
		ID:   info.ID, Agent: info.Agent, Mode: state.Mode, Model: state.Model,
		Sessions: sessionItems(sessions, info.ID),
		Rows:     state.Nodes,
		Open:     openBlock(state, page.Pieces),
		Queue:    queueView(info.ID, waiting, state),
		Edit:     queueEdit(r, info.ID, waiting),
		Composer: newComposer(s.urls.Messages(info.ID), draft),
		// The stream goes on from what this page holds, not from what the
		// session held when its head was read.
		LastSeq: state.LastSeq,
	}
	if t.Title == "" {
		t.Title = view.P.T("nav.untitled")
	}
	t.Composer.Running, t.Composer.StopURL = info.Running, s.urls.Stop(info.ID)
	t.Composer.Enter, t.Composer.Steers = preferences.Enter, s.steers(ctx, info.Agent, info.ID)
	t.Queue.Turn, t.Queue.Steers = info.Turn, t.Composer.Steers
	if t.Edit == nil && r.URL.Query().Has("edit") {
		t.Notice = view.P.T("error.edited_elsewhere")
	}
	if page.Earlier {
		older := s.urls.SessionBefore(info.ID, page.Events[0].Seq)
		if page.Turn != "" {
			t.RestURL = older
		} else {
			t.OlderURL = older
		}
	}
	return t, nil
}

func newComposer(action string, draft store.Draft) templates.Composer {
	return templates.Composer{
		Action: action, RequestID: uuid.NewString(), Text: draft.Text, Tags: draft.Tags, MaxBytes: composer.MaxText,
	}
}

func sessionItems(sessions []store.SessionInfo, current string) []templates.SessionItem {
	items := make([]templates.SessionItem, len(sessions))
	for i, info := range sessions {
		items[i] = templates.SessionItem{
			ID: info.ID, Title: info.Title, UpdatedAt: info.UpdatedAt,
			Running: info.Running, NeedsAnswer: info.NeedsAnswer, Current: info.ID == current,
		}
	}
	return items
}

// seqParam reads a seq from the query's field name; "" is 0.
func seqParam(name, value string) (int64, error) {
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return 0, badRequest(name, "want a number from 0")
	}
	return n, nil
}
