package handlers

import (
	"net/http"

	"webshell/composer"
	"webshell/store"
)

// commands is the data of the / menu: what the session's agent offers.
func (s *Server) commands(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	info, err := s.menuSession(r, v)
	if err != nil {
		return err
	}
	agent := s.agent
	if info.ID != "" {
		agent = info.Agent
	}
	list := []composer.Command{}
	if backend, known := s.agents[agent]; known {
		d, err := backend.Describe(r.Context(), info.ID)
		if err != nil {
			return &fault{status: http.StatusBadGateway, code: "agent_unavailable", cause: err}
		}
		list = append(list, d.Commands...)
	}
	writeJSON(w, http.StatusOK, map[string]any{"commands": list})
	return nil
}

// menuSession is the session that a menu is for. It is empty where none is
// named: the menus work before the first message.
func (s *Server) menuSession(r *http.Request, v store.Viewer) (store.SessionInfo, error) {
	value := r.URL.Query().Get("session")
	if value == "" {
		return store.SessionInfo{}, nil
	}
	id := parseID(value)
	if id == "" {
		return store.SessionInfo{}, errNotFound
	}
	return s.store.Session(r.Context(), v, id)
}
