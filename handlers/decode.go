package handlers

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"webshell/composer"
	"webshell/web/templates"
)

// submissionForm is a submission's body, of any of the three media types,
// before it is understood. Text is canonical.
type submissionForm struct {
	requestID string
	text      string
	tags      []byte // nil: not sent
	raw       []byte // inputAnnotations; nil: not sent
	mode      string
	agent     string // POST /sessions only
	title     string
	action    string // of a message that waits only, and what follows
	hold      string
	turn      string
}

// kept is what is shown again when the submission cannot be accepted. It can
// be sent again: it has a request id that can count.
func (f submissionForm) kept(action string) templates.Composer {
	id := parseID(f.requestID)
	if id == "" {
		id = uuid.NewString()
	}
	return templates.Composer{Action: action, RequestID: id, Text: f.text, Tags: string(f.tags), MaxBytes: composer.MaxText}
}

// readSubmission reads a body as JSON, form-encoded or multipart.
func readSubmission(r *http.Request) (submissionForm, error) {
	switch mediaType(r) {
	case "application/json":
		return readSubmissionJSON(r)
	case "application/x-www-form-urlencoded", "multipart/form-data":
		return readSubmissionForm(r)
	}
	return submissionForm{}, &fault{status: http.StatusUnsupportedMediaType, code: "unsupported_media_type"}
}

func readSubmissionJSON(r *http.Request) (submissionForm, error) {
	var f submissionForm
	fields, err := readJSONObject(r)
	if err != nil {
		return f, err
	}
	for name, into := range map[string]*string{
		"requestId": &f.requestID, "text": &f.text, "mode": &f.mode, "agent": &f.agent, "title": &f.title,
		"action": &f.action, "hold": &f.hold, "turn": &f.turn,
	} {
		if raw, sent := fields[name]; sent {
			if err := json.Unmarshal(raw, into); err != nil || raw[0] != '"' {
				return f, badRequest(name, "want a string")
			}
		}
	}
	f.tags, f.raw = fields["tags"], fields["inputAnnotations"]
	return f, f.canonical(composer.Canonical)
}

// canonical makes the form's texts such as can be stored.
func (f *submissionForm) canonical(of func(string) (string, error)) (err error) {
	if f.text, err = of(f.text); err != nil {
		return badRequest("text", err.Error())
	}
	if f.title, err = of(f.title); err != nil {
		return badRequest("title", err.Error())
	}
	return nil
}

// readJSONObject reads a body as one object by its exact keys. The body must
// be valid UTF-8 before it is decoded: Go's decoder repairs silently.
func readJSONObject(r *http.Request) (map[string]json.RawMessage, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, bodyFault(err)
	}
	return jsonObject(body)
}

// readOptionalJSONObject is readJSONObject for what need not say anything: an
// empty body and null are an empty object.
func readOptionalJSONObject(r *http.Request) (map[string]json.RawMessage, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, bodyFault(err)
	}
	if said := string(bytes.TrimSpace(body)); said == "" || said == "null" {
		return nil, nil
	}
	return jsonObject(body)
}

func jsonObject(body []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(body) {
		return nil, badRequest("", "want UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, badRequest("", "want one JSON object")
	}
	return fields, nil
}

func readSubmissionForm(r *http.Request) (submissionForm, error) {
	var f submissionForm
	form, err := readForm(r)
	if err != nil {
		return f, err
	}
	f.requestID, f.mode, f.agent, f.title = form.Get("request_id"), form.Get("mode"), form.Get("agent"), form.Get("title")
	f.action, f.hold, f.turn = form.Get("action"), form.Get("hold"), form.Get("turn")
	f.text = form.Get("text")
	if err := f.canonical(composer.CanonicalForm); err != nil {
		return f, err
	}
	// A form always sends its fields: an empty one is one that was not used.
	if tags := form.Get("tags"); tags != "" {
		f.tags = []byte(tags)
	}
	if raw := form.Get("inputAnnotations"); raw != "" {
		f.raw = []byte(raw)
	}
	if !utf8.Valid(f.tags) || !utf8.Valid(f.raw) {
		return f, badRequest("tags", composer.ErrNotUTF8.Error())
	}
	return f, nil
}

// fields are a form's values; form bodies of both encodings end up as these.
type fields map[string][]string

// Get is the first value of a field, or "".
func (f fields) Get(name string) string {
	if values := f[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// readForm reads either form encoding from the body alone: what stands in the
// URL is not what a person sent.
func readForm(r *http.Request) (fields, error) {
	if mediaType(r) == "multipart/form-data" {
		if err := r.ParseMultipartForm(maxBody); err != nil {
			return nil, formFault(err)
		}
		defer r.MultipartForm.RemoveAll()
		return fields(r.MultipartForm.Value), nil
	}
	if err := r.ParseForm(); err != nil {
		return nil, formFault(err)
	}
	return fields(r.PostForm), nil
}

func bodyFault(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return badRequest("", "the body cannot be read as its Content-Type says")
}

func formFault(err error) error {
	if errors.Is(err, multipart.ErrMessageTooLarge) {
		return &fault{status: http.StatusRequestEntityTooLarge, code: "too_large", cause: err}
	}
	return bodyFault(err)
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

// parseID reads a UUID in its one usual form, lower-cased, or "".
func parseID(s string) string {
	if !uuidForm.MatchString(s) {
		return ""
	}
	return strings.ToLower(s)
}

// optionalID reads a UUID that may be left out; "" is none.
func optionalID(field, value string) (string, error) {
	id := parseID(value)
	if id == "" && value != "" {
		return "", badRequest(field, "want a UUID, or none")
	}
	return id, nil
}

// message understands the form: content and annotations as they will be
// stored, or what is wrong with it.
func (s *Server) message(f submissionForm) (composer.Message, error) {
	m, err := s.build(f)
	if err == nil {
		err = messageFault(composer.Check(m))
	}
	return m, err
}

// build is message for what need not be complete: a draft may be blank.
func (s *Server) build(f submissionForm) (m composer.Message, err error) {
	if len(f.text) > composer.MaxText {
		return m, messageFault(composer.ErrTextTooLarge)
	}
	var report composer.Report
	switch {
	case f.tags != nil:
		m, report, err = composer.Build(f.text, f.tags)
	case f.raw != nil:
		m.Content = f.text
		m.Annotations, report = composer.Sanitize(f.text, f.raw)
	default:
		m.Content = f.text
	}
	s.metrics.sanitized(report)
	return m, messageFault(err)
}

// messageFault puts the composer's errors in the words of HTTP.
func messageFault(err error) error {
	switch {
	case errors.Is(err, composer.ErrTagsTooLarge):
		return &fault{status: http.StatusRequestEntityTooLarge, code: "tags_too_large", field: "tags", reason: err.Error()}
	case errors.Is(err, composer.ErrTagsInvalid):
		return &fault{status: http.StatusUnprocessableEntity, code: "bad_tags", field: "tags", reason: err.Error()}
	case errors.Is(err, composer.ErrTextTooLarge):
		return &fault{status: http.StatusRequestEntityTooLarge, code: "too_large", field: "text"}
	case errors.Is(err, composer.ErrBlank):
		return unprocessable("blank", "text")
	}
	return err
}

// field reads the one field of a small body, form or JSON.
func field(w http.ResponseWriter, r *http.Request, name string) (string, error) {
	value, sent, err := optionalField(w, r, name)
	if err == nil && !sent && mediaType(r) == "application/json" {
		err = badRequest(name, "want a string")
	}
	return value, err
}

// optionalField is field for what may be left out, the whole body with it.
func optionalField(w http.ResponseWriter, r *http.Request, name string) (value string, sent bool, err error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxSmallForm)
	if mediaType(r) == "application/json" {
		object, err := readOptionalJSONObject(r)
		if err != nil {
			return "", false, err
		}
		raw, sent := object[name]
		if sent && json.Unmarshal(raw, &value) != nil {
			return "", true, badRequest(name, "want a string")
		}
		return value, sent, nil
	}
	form, err := readForm(r)
	return form.Get(name), len(form[name]) > 0, err
}
