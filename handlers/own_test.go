package handlers_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
)

type ownMessage struct {
	Seq                int64
	RequestID, Content string
	At                 time.Time
	Annotations        json.RawMessage
}

func (s *site) own(path string) (messages []ownMessage, more bool) {
	s.Helper()
	var out struct {
		Messages []ownMessage
		More     *bool
	}
	if a := s.get(path, &out); a.StatusCode != http.StatusOK || out.Messages == nil || out.More == nil {
		s.Fatalf("%s", a)
	}
	return out.Messages, *out.More
}

// A person's own messages come back as they were sent, newest first.
func TestOwnMessages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.newSession()
	path := "/sessions/" + id + "/messages"
	if list, more := s.own(path); len(list) != 0 || more {
		t.Errorf("before the first: %v", list)
	}
	first, _ := s.send(id, map[string]any{"text": "compare @Makefile", "tags": json.RawMessage("[" + fileTag + "]")})
	s.runner()
	s.await(id, "turn/ended")
	s.send(id, map[string]any{"text": "second"})
	s.awaitNth(id, "turn/ended", 2)
	list, more := s.own(path)
	if len(list) != 2 || more || list[0].Content != "second" || string(list[0].Annotations) != "[]" {
		t.Fatalf("%+v %v", list, more)
	}
	m := list[1]
	if m.Seq != 1 || m.RequestID != first.RequestID || m.Content != "compare @Makefile" || string(m.Annotations) != fileAnnotation || m.At.IsZero() {
		t.Errorf("%+v", m)
	}
	if list, more := s.own(path + "?limit=1"); len(list) != 1 || !more || list[0].Content != "second" {
		t.Errorf("%+v %v", list, more)
	}
	if list, more := s.own(path + "?limit=9999&before=" + itoa(list[0].Seq)); len(list) != 1 || more || list[0].Seq != 1 {
		t.Errorf("%+v %v", list, more)
	}
	for _, bad := range []string{"before=x", "before=-1", "limit=0", "limit=x"} {
		if a := s.get(path+"?"+bad, nil); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", bad, a)
		}
	}
	if a := s.get("/sessions/"+uuid.NewString()+"/messages", nil); a.StatusCode != http.StatusNotFound {
		t.Errorf("no session: %s", a)
	}
}
