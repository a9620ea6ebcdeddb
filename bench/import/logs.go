package main

import (
	"fmt"
	"strings"
	"time"
)

// begun is when the logs begin; each round begins a day later, so that each is
// another log.
var begun = time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)

func at(round, seq int) string {
	return begun.AddDate(0, 0, round).Add(time.Duration(seq) * time.Second).Format(time.RFC3339)
}

// conversation is turns of a message with a chip, and an answer of some lines.
func conversation(round, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		seq, turn := i+1, fmt.Sprintf("turn-%d", i/4)
		head := fmt.Sprintf(`{"seq":%d,"at":%q,"kind":`, seq, at(round, seq))
		switch i % 4 {
		case 0:
			lines[i] = head + fmt.Sprintf(`"user/message","source":{"kind":"user"},"content":"@Makefile question %d %s",`, seq, strings.Repeat("and why is that so? ", i%7)) +
				`"annotations":[{"type":"reference","start":0,"end":9,"text":"@Makefile","reference":{"id":"f","kind":"file","value":"Makefile","serialized":"@Makefile"}}],"body":{}}`
		case 1:
			lines[i] = head + fmt.Sprintf(`"turn/started","body":{"turn":%q,"message":%d,"agent":"demo","attempt":1}}`, turn, seq-1)
		case 2:
			lines[i] = head + fmt.Sprintf(`"assistant/message","content":"Answer %d. %s\n\n- one\n- two\n\nThat is all.","body":{"turn":%q,"block":1}}`, seq, strings.Repeat("It goes on for a while. ", 5+i%20), turn)
		default:
			lines[i] = head + fmt.Sprintf(`"turn/ended","body":{"turn":%q,"outcome":"completed"}}`, turn)
		}
	}
	return lines
}

// oneTurn is a message, and tool calls of ten updates each.
func oneTurn(round, n int) []string {
	lines := make([]string, n)
	lines[0] = fmt.Sprintf(`{"kind":"user/message","at":%q,"source":{"kind":"user"},"content":"look at everything"}`, at(round, 1))
	lines[1] = fmt.Sprintf(`{"kind":"turn/started","at":%q,"body":{"turn":"t","message":1}}`, at(round, 2))
	for i := 2; i < n; i++ {
		call := i / 11
		head := fmt.Sprintf(`{"at":%q,"kind":`, at(round, i+1))
		if i%11 == 0 || i == 2 {
			lines[i] = head + fmt.Sprintf(`"tool/call","body":{"toolCallId":"c%d","title":"Read part %d","status":"pending"}}`, call, call)
			continue
		}
		lines[i] = head + fmt.Sprintf(`"tool/update","body":{"toolCallId":"c%d","status":"completed","text":%q}}`, call, strings.Repeat("a line of output\n", i%11))
	}
	return lines
}
