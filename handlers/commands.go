package handlers

import (
	"net/http"

	"webshell/composer"
	"webshell/store"
)

// commands is the data of the / menu: what the session's agent offers.
func (s *Server) commands(w http.ResponseWriter, r *http.Request, v store.Viewer) error {
	id, agent := "", s.agent
	if value := r.URL.Query().Get("session"); value != "" {
		if id = parseID(value); id == "" {
			return errNotFound
		}
		info, err := s.store.Session(r.Context(), v, id)
		if err != nil {
			return err
		}
		agent = info.Agent
	}
	list := []composer.Command{}
	if backend, known := s.agents[agent]; known {
		d, err := backend.Describe(r.Context(), id)
		if err != nil {
			return &fault{status: http.StatusBadGateway, code: "agent_unavailable", cause: err}
		}
		list = append(list, d.Commands...)
	}
	writeJSON(w, http.StatusOK, map[string]any{"commands": list})
	return nil
}
