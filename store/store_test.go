package store

import "testing"

func TestAnIdleTransactionIsEnded(t *testing.T) {
	t.Parallel()
	url := emptyDatabase(t)
	for name, c := range map[string]struct{ options, want string }{
		"by default":          {"", "1min"},
		"as the operator set": {"&options=-c%20idle_in_transaction_session_timeout%3D5s", "5s"},
	} {
		s, err := Open(t.Context(), url+c.options, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var got string
		if err := s.pool.QueryRow(t.Context(), `show idle_in_transaction_session_timeout`).Scan(&got); err != nil || got != c.want {
			t.Errorf("%s: after %s, %v, want %s", name, got, err, c.want)
		}
	}
}
