package templates

import "strings"

// Actions on a message that waits, as its form sends them.
const (
	actionHold    = "hold"
	actionSteer   = "steer"
	actionSendNow = "send-now"
	actionDelete  = "delete"
	actionUp      = "up"
	actionDown    = "down"
)

// rowActions is what can be done with a message that waits. Without a URL
// nothing can be done yet.
type rowActions struct {
	URL     string
	Turn    string // the turn that runs, "" for none
	Buttons []rowButton
}

// rowButton does one thing, unless there is a reason why it cannot.
type rowButton struct {
	Action, Name string
	Reason       string // why it is disabled, "" where it is not
	Glyph        glyph  // "" shows the name
}

// name is the button's data-queue-action: what a person wants, which begins with
// a hold where it is an edit.
func (b rowButton) name() string {
	if b.Action == actionHold {
		return "edit"
	}
	return b.Action
}

func (b rowButton) class() string {
	if b.Glyph != "" {
		return "icon-button"
	}
	return "button"
}

// title says why the button is disabled, or names it where it shows no name.
func (b rowButton) title() string {
	if b.Reason == "" && b.Glyph != "" {
		return b.Name
	}
	return b.Reason
}

func (r QueueRow) steering() bool { return r.State == "steering" }

// bubble is a row of the queue, with what can be done about it.
func (q QueueView) bubble(v View, i int) Bubble {
	b := bubbleOfQueue(q.Rows[i])
	if !v.ReadOnly {
		b.Actions = q.actions(v, i)
	}
	return b
}

func (q QueueView) actions(v View, i int) *rowActions {
	send := v.P.T("queue.send")
	if q.Turn != "" {
		send = v.P.T("queue.stopsend")
	}
	return &rowActions{
		URL: v.URLs.QueueRow(q.SessionID, q.Rows[i].RequestID), Turn: q.Turn,
		Buttons: buttons(v, send, q.reasons(v, i)),
	}
}

// buttons are all there are, in their places; each has the reason why it is
// disabled, by its action.
func buttons(v View, send string, reasons map[string]string) []rowButton {
	all := []rowButton{
		{Action: actionHold, Name: v.P.T("queue.edit")},
		{Action: actionSteer, Name: v.P.T("queue.steer")},
		{Action: actionSendNow, Name: send},
		{Action: actionDelete, Name: v.P.T("queue.delete")},
		{Action: actionUp, Name: v.P.T("queue.up"), Glyph: glyphUp},
		{Action: actionDown, Name: v.P.T("queue.down"), Glyph: glyphDown},
	}
	for i := range all {
		all[i].Reason = reasons[all[i].Action]
	}
	return all
}

// reasons are why some of a row's buttons are disabled, by their action.
func (q QueueView) reasons(v View, i int) map[string]string {
	row, why := q.Rows[i], map[string]string{}
	switch {
	case row.Held:
		why[actionSteer], why[actionSendNow] = v.P.T("queue.held"), v.P.T("queue.held")
	case row.steering():
		why[actionSteer] = v.P.T("queue.steers")
	case q.Turn == "":
		why[actionSteer] = v.P.T("queue.idle")
	case !q.Steers:
		why[actionSteer] = v.P.T("queue.deaf")
	}
	if row.Next {
		why[actionSendNow] = v.P.T("queue.next")
	}
	if !q.swaps(i, i-1) {
		why[actionUp] = v.P.T("queue.first")
	}
	if !q.swaps(i, i+1) {
		why[actionDown] = v.P.T("queue.last")
	}
	return why
}

// swaps reports whether two rows can change places: both wait for their turn in
// the queue's order.
func (q QueueView) swaps(i, j int) bool {
	inOrder := func(i int) bool {
		return i >= 0 && i < len(q.Rows) && !q.Rows[i].steering() && !q.Rows[i].Next
	}
	return inOrder(i) && inOrder(j)
}

// unsentActions are those of a message that the server does not have yet: in
// their places, and disabled.
func unsentActions(v View) *rowActions {
	wait := v.P.T("queue.unsent")
	return &rowActions{Buttons: buttons(v, v.P.T("queue.send"), map[string]string{
		actionHold: wait, actionSteer: wait, actionSendNow: wait, actionDelete: wait, actionUp: wait, actionDown: wait,
	})}
}

// status says how many rows are under way somewhere, for when they are folded.
func (q QueueView) status(v View) string {
	var steering, held int
	for _, row := range q.Rows {
		if row.steering() {
			steering++
		}
		if row.Held {
			held++
		}
	}
	var parts []string
	if steering > 0 {
		parts = append(parts, v.P.T("queue.steering.count", steering))
	}
	if held > 0 {
		parts = append(parts, v.P.T("queue.held.count", held))
	}
	return strings.Join(parts, " · ")
}
