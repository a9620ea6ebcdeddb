package templates

import (
	"strconv"

	"github.com/a-h/templ"

	"webshell/internal/session"
)

// Row draws one row of a session's transcript: an article whose id is the
// node's key.
func Row(v View, sessionID string, n session.Node) templ.Component {
	switch n := n.(type) {
	case *session.UserNode:
		return UserBubble(v, bubbleOf(n))
	case *session.TextNode:
		return textRow(v, closedBlock(v, n))
	case *session.ToolNode:
		return toolRow(v, n)
	case *session.PlanNode:
		return planRow(v, n)
	case *session.PermissionNode:
		return permissionRow(v, sessionID, n)
	case *session.ContextNode:
		return contextRow(v, n)
	case *session.NoticeNode:
		return noticeRow(v, sessionID, n)
	case *session.UnknownNode:
		return unknownRow(v, n)
	}
	panic("templates: a node type without a row")
}

// OpenBlockRow draws the block that is still being written. Its article has
// the key and the shape of the row that it becomes: .done holds the finished
// part, .tail the rest.
func OpenBlockRow(v View, b OpenBlock) templ.Component {
	return textRow(v, textBlock{
		Key: b.Key, At: b.At, Thought: b.Thought, Open: true,
		Done: b.Done, Tail: b.Tail, Plain: b.Plain,
	})
}

// seqOf is a row's data-seq: "0" for one that is not in the log yet.
func seqOf(seq int64) string { return strconv.FormatInt(seq, 10) }
