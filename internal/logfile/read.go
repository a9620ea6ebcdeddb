package logfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"webshell/composer"
	"webshell/internal/session"
	"webshell/store"
)

// limits of a file. line and bytes are whole MiB, in bytes.
type limits struct {
	line   int // of one line
	bytes  int // of all lines
	events int
}

// What a session's own log can hold fits in a line: a text of 4 MiB, each of
// its characters as an escape of six.
var fileLimits = limits{line: 32 << 20, bytes: 256 << 20, events: 1_000_000}

const (
	maxKind  = 128 // bytes of an event's kind
	maxDepth = 64  // of a source's or a body's nesting: deeper is not stored
)

// Times that are taken. Others cannot be written as RFC 3339 in every zone.
var (
	firstTime = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	lastTime  = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Read reads and checks a whole file: at most 256 MiB, a million events and
// 32 MiB in a line. An error names the line. Annotations are sanitized; a fault
// in one costs that annotation, never the line.
func Read(r io.Reader) ([]store.Record, error) { return fileLimits.read(r) }

func (l limits) read(r io.Reader) ([]store.Record, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), l.line)
	f := file{requests: map[string]int{}}
	number, size := 0, 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if size += len(line); size > l.bytes {
			return nil, fmt.Errorf("line %d: the file is larger than %d MiB", number, l.bytes>>20)
		}
		if len(line) == 0 {
			continue
		}
		if len(f.records) == l.events {
			return nil, fmt.Errorf("line %d: there are more than %d events", number, l.events)
		}
		if err := f.add(number, line); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: it is longer than %d MiB", number+1, l.line>>20)
	} else if err != nil {
		return nil, err
	}
	if len(f.records) == 0 {
		return nil, errors.New("there is no event in it")
	}
	return f.records, nil
}

// file is what was read of one.
type file struct {
	records  []store.Record
	requests map[string]int // request id → line of its message
}

// add reads the event of a line.
func (f *file) add(number int, line []byte) error {
	if !utf8.Valid(line) {
		return composer.ErrNotUTF8
	}
	m, err := membersOf(line)
	if err != nil {
		return err
	}
	place := int64(len(f.records) + 1)
	r, err := m.record(place)
	if err != nil {
		return err
	}
	if r.RPCID != "" && r.Kind == string(session.KindUserMessage) {
		if earlier, used := f.requests[r.RPCID]; used {
			return fmt.Errorf("rpcId is that of the message on line %d: leave one of them out", earlier)
		}
		f.requests[r.RPCID] = number
	}
	f.records = append(f.records, r)
	return nil
}

// members are those of a line's object, by their exact names.
type members map[string]json.RawMessage

var memberNames = map[string]bool{
	"seq": true, "kind": true, "at": true, "source": true, "rpcId": true, "content": true, "annotations": true, "body": true,
}

var errNoObject = errors.New("it is no JSON object")

// membersOf refuses what would be lost: a name that is not known, and one that
// stands twice.
func membersOf(line []byte) (members, error) {
	if line[0] != '{' || !json.Valid(line) {
		return nil, errNoObject
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	if _, err := dec.Token(); err != nil {
		return nil, errNoObject
	}
	m := members{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, errNoObject
		}
		key, _ := name.(string)
		if !memberNames[key] {
			return nil, fmt.Errorf("an event has no member %.100q: the body takes what is a kind's own", key)
		}
		if _, twice := m[key]; twice {
			return nil, fmt.Errorf("%s stands in it twice", key)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, errNoObject
		}
		m[key] = value
	}
	return m, nil
}

// record is the event that has this place in the log.
func (m members) record(place int64) (r store.Record, err error) {
	r.Seq = place
	if seq, given := m["seq"]; given && string(seq) != fmt.Sprint(place) {
		return r, fmt.Errorf("seq is %.20s and should be %d: an event is missing, or stands in the wrong place", seq, place)
	}
	if r.Kind, err = m.kind(); err != nil {
		return r, err
	}
	if r.At, err = m.at(); err != nil {
		return r, err
	}
	if r.RPCID, err = m.rpcID(); err != nil {
		return r, err
	}
	if r.Source, err = m.json("source"); err != nil {
		return r, err
	}
	if r.Body, err = m.json("body"); err != nil {
		return r, err
	}
	if r.Body == nil {
		r.Body = json.RawMessage(`{}`)
	}
	if r.Content, err = m.content(); err != nil {
		return r, err
	}
	if isPersons(r) && r.Content != nil {
		// Stored lists may be longer than those that a request may bring.
		r.Annotations = composer.ReadStored(*r.Content, m["annotations"])
	}
	return r, nil
}

func (m members) kind() (kind string, err error) {
	if json.Unmarshal(m["kind"], &kind) != nil || kind == "" || len(kind) > maxKind {
		return "", fmt.Errorf("kind has to be a string of 1 to %d bytes", maxKind)
	}
	return kind, nil
}

// at is the event's time as Postgres keeps it, in microseconds.
func (m members) at() (at time.Time, err error) {
	if json.Unmarshal(m["at"], &at) != nil || at.Before(firstTime) || !at.Before(lastTime) {
		return at, errors.New(`at has to be a time like "2026-11-30T09:41:07Z", from 1970 on`)
	}
	return at.UTC().Truncate(time.Microsecond), nil
}

func (m members) rpcID() (string, error) {
	raw, given := m["rpcId"]
	if !given {
		return "", nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil && len(text) == len(uuid.Nil.String()) {
		if id, err := uuid.Parse(text); err == nil {
			return id.String(), nil
		}
	}
	return "", errors.New("rpcId is no UUID: leave it out where there is none")
}

// json is a member that is stored as it is.
func (m members) json(name string) (json.RawMessage, error) {
	if depth(m[name]) > maxDepth {
		return nil, fmt.Errorf("%s is nested deeper than %d", name, maxDepth)
	}
	return m[name], nil
}

func (m members) content() (*string, error) {
	var text *string
	if raw, given := m["content"]; given && json.Unmarshal(raw, &text) != nil {
		return nil, errors.New("content is no string")
	}
	if text == nil {
		return nil, nil
	}
	canonical, err := composer.Canonical(*text)
	return &canonical, err
}

// depth is how deep a valid JSON value is nested.
func depth(raw []byte) (deepest int) {
	now, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}
