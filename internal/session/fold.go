package session

import (
	"encoding/json"

	"webshell/composer"
)

// State is the conversation as a person sees it, folded from the log.
// Fold(all) equals Fold(prefix) with the rest applied.
type State struct {
	Nodes    []Node
	LastSeq  int64
	Title    string // "" until the session was titled
	Turn     string // the running turn, "" when idle
	Commands []composer.Command
	Mode     string
	Model    string

	index     map[string]int    // node key → place in Nodes
	tools     map[string]string // tool call id → node key
	questions map[string]string // permission id → node key
	open      map[string]bool   // keys of calls that run and questions that wait
	steered   map[string]bool   // request ids claimed from the next-step lane
	plan      string            // key of the running turn's plan
	retry     string            // key of the notice that offers a retry
}

// NewState is an empty conversation. A page of the log that begins inside a
// turn passes that turn, so that its rows are tied to it; else turn is "".
func NewState(turn string) *State {
	return &State{
		Turn:      turn,
		index:     map[string]int{},
		tools:     map[string]string{},
		questions: map[string]string{},
		open:      map[string]bool{},
		steered:   map[string]bool{},
	}
}

// Fold applies events in log order to an empty state; turn is NewState's.
func Fold(turn string, events []Event) *State {
	s := NewState(turn)
	for _, e := range events {
		s.Apply(e)
	}
	return s
}

// Apply folds one event and returns the rows that it made or changed, in the
// order of the transcript. An event at or before LastSeq was seen already and
// changes nothing.
func (s *State) Apply(e Event) []Node {
	if e.Seq <= s.LastSeq {
		return nil
	}
	s.LastSeq = e.Seq
	base := NodeBase{Key: EventKey(e.Seq), Seq: e.Seq, At: e.At, Turn: s.Turn}

	switch p := e.Payload.(type) {
	case UserMessage:
		return s.userMessage(base, e, p)
	case ContextMessage:
		return s.contextMessage(base, e, p.Form)
	case AssistantMessage:
		return s.text(base, e.Content, false, p.Turn, p.Block)
	case AssistantThought:
		return s.text(base, e.Content, true, p.Turn, p.Block)
	case ToolCall:
		return s.toolCall(base, e, p)
	case ToolUpdate:
		return s.toolUpdate(base, e, p)
	case PlanUpdate:
		return s.planUpdate(base, p)
	case PermissionRequested:
		return s.permissionRequested(base, p)
	case PermissionResolved:
		return s.permissionResolved(base, p)
	case TurnStarted:
		s.Turn, s.plan = p.Turn, ""
		return s.withdrawRetry()
	case TurnEnded:
		return s.turnEnded(base, e, p)
	case InboxSpliced:
		s.inboxSpliced(p)
		return nil
	case InboxChanged:
		return nil
	case SessionTitled:
		s.Title = p.Title
		return nil
	case ModeChanged:
		s.Mode = p.Mode
		return s.add(&NoticeNode{NodeBase: base, Notice: NoticeMode, Detail: p.Mode})
	case ModelChanged:
		s.Model = p.Model
		return s.add(&NoticeNode{NodeBase: base, Notice: NoticeModel, Detail: p.Model})
	case CommandsAvailable:
		s.Commands = p.Commands
		return nil
	case Unknown:
		return s.add(&UnknownNode{NodeBase: base, Name: p.Name, Body: p.Body, Content: e.Content})
	}
	panic("session: a payload type without a fold")
}

// Followed says what comes after a page of the log, as far as that concerns the
// page: a recall directly behind its last row names the session there. The
// events that follow are folded beside the page, and change nothing else of it.
func (s *State) Followed(events []Event) {
	if len(s.Nodes) == 0 {
		return
	}
	last, ok := s.Nodes[len(s.Nodes)-1].(*UserNode)
	if !ok {
		return
	}
	copied := *last
	beside := NewState(s.Turn)
	beside.LastSeq = s.LastSeq
	beside.add(&copied)
	for _, e := range events {
		if beside.Apply(e); len(beside.Nodes) > 1 {
			break
		}
	}
	last.Recalled = copied.Recalled
}

// AtRest reports that no turn runs, and that no call and no question is open.
func (s *State) AtRest() bool { return s.Turn == "" && len(s.open) == 0 }

// Node is the row with this key, or nil.
func (s *State) Node(key string) Node {
	if i, ok := s.index[key]; ok {
		return s.Nodes[i]
	}
	return nil
}

// add appends a row. A key that is taken already (a log from elsewhere may
// repeat an id) gives way to the event's own, so that nothing is hidden.
func (s *State) add(n Node) []Node {
	b := n.Base()
	if _, taken := s.index[b.Key]; taken {
		b.Key = EventKey(b.Seq)
	}
	s.index[b.Key] = len(s.Nodes)
	s.Nodes = append(s.Nodes, n)
	return []Node{n}
}

func (s *State) userMessage(base NodeBase, e Event, p UserMessage) []Node {
	if SourceKind(e.Source) != SourceUser {
		// In a log written elsewhere such a message is a producer's.
		return s.contextMessage(base, e, p.Form)
	}
	if e.RPCID != "" {
		base.Key = MessageKey(e.RPCID)
	}
	n := &UserNode{
		NodeBase:    base,
		RequestID:   e.RPCID,
		Content:     e.Content,
		Annotations: e.Annotations,
		Steering:    p.Lane == LaneNextStep || s.steered[e.RPCID],
	}
	delete(s.steered, e.RPCID)
	return append(s.withdrawRetry(), s.add(n)...)
}

func (s *State) contextMessage(base NodeBase, e Event, form json.RawMessage) []Node {
	n := &ContextNode{
		NodeBase:   base,
		Provenance: ProvenanceOf(e.Source),
		Source:     e.Source,
		Form:       ReadForm(form),
		Content:    e.Content,
	}
	if n.Form == nil {
		n.Unread = form
	}
	var changed []Node
	if n.Provenance.Role == RoleRecall && len(s.Nodes) > 0 {
		if user, ok := s.Nodes[len(s.Nodes)-1].(*UserNode); ok {
			user.Recalled = n.Provenance.Label
			changed = append(changed, user)
		}
	}
	return append(changed, s.add(n)...)
}

func (s *State) text(base NodeBase, text string, thought bool, turn string, block int) []Node {
	if turn != "" {
		base.Turn, base.Key = turn, BlockKey(turn, block)
	}
	return s.add(&TextNode{NodeBase: base, Thought: thought, Text: text})
}

func (s *State) planUpdate(base NodeBase, p PlanUpdate) []Node {
	if n, ok := s.Node(s.plan).(*PlanNode); ok {
		n.Entries = p.Entries
		return []Node{n}
	}
	s.plan = base.Key
	return s.add(&PlanNode{NodeBase: base, Entries: p.Entries})
}

// withdrawRetry takes back the offer to run a turn again, once something
// follows that turn.
func (s *State) withdrawRetry() []Node {
	n, ok := s.Node(s.retry).(*NoticeNode)
	s.retry = ""
	if !ok {
		return nil
	}
	n.Retry = false
	return []Node{n}
}

func (s *State) inboxSpliced(p InboxSpliced) {
	if p.Lane != LaneNextStep || p.Outcome != InboxClaimed {
		return
	}
	for _, id := range p.Removed {
		if id != "" {
			s.steered[id] = true
		}
	}
}
