package templates

// planStateKey is the locales' key of a plan entry's state. A state that this
// build does not know counts as still to do.
func planStateKey(status string) string {
	switch status {
	case "in_progress":
		return "plan.in_progress"
	case "completed":
		return "plan.completed"
	}
	return "plan.pending"
}
