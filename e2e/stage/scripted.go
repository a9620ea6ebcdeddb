package stage

// What the server says when it refuses a message, and when nobody is signed in.
const (
	refusal   = `{"error":{"code":"queue_full","message":"Too much waits in this session already. Let some of it run, then send this again."}}`
	signedOut = `{"error":{"code":"unauthorized","message":"Sign in first."}}`
)

// scriptStates are those that only scripts bring about.
func scriptStates() []State {
	sent := func(name, talk string, reply Reply, steps ...step) State {
		s := in(talk, name, append([]step{types("check the links of docs/reading-list.md"), sends}, steps...)...)
		reply.Path = "/messages"
		s.Net, s.Fails = []Reply{reply}, true
		return s
	}
	lost := in("session", "reconnecting", shows(".connection"))
	lost.Net, lost.Fails = []Reply{{Path: "/stream"}}, true
	offline := in("session", "offline", goOffline, shows(".connection"))
	offline.Net, offline.Fails = lost.Net, true
	return []State{
		in("empty", "chips", types("Summarise @readin"), shows("#mention-menu [role=option]"), presses("Enter", 13), shows("#composer .chip"),
			types("for @部署"), shows("#mention-menu [role=option]"), presses("Enter", 13), types("and keep the tone of the old text.")),
		in("session", "mention-menu", types("Summarise @rea"), shows("#mention-menu [role=option]")),
		in("session", "mention-none", types("Summarise @zzzz"), shows(".menu-note")),
		in("session", "command-menu", types("/"), shows("#command-menu [role=option]")),
		in("empty", "pasted", types("What is wrong here? "), pastes(pasted), shows(".pasted")),
		in("empty", "written-rtl", types("اقرأ الملف ثم اشرح ما يفعله السطر الأول")),
		in("words", "written-words", types("supercalifragilisticexpialidocious supercalifragilisticexpialidocioussupercalifragilisticexpialidocioussupercalifragilisticexpialidocious")),
		sent("sending", "empty", Reply{Held: true}, shows(`[data-action="cancel"]`)),
		sent("sending-queued", "queued", Reply{Held: true}, waits(`document.querySelector('#queue [data-state="sending"]') !== null`), openAll),
		sent("unconfirmed", "empty", Reply{}, shows(`[data-action="cancel"]`)),
		sent("restored", "empty", Reply{Status: 409, Body: refusal}, shows(`#notice bdi`)),
		sent("failed-row", "empty", Reply{Status: 409, Body: refusal, Late: true}, types("and then something else"), Answer, shows(`[data-state="failed"]`)),
		sent("sign-in-again", "empty", Reply{Status: 401, Body: signedOut}, shows("dialog.signin")),
		in("rows", "jump", run(`scrollTo(0, 0)`), shows(".jump[data-away]")),
		lost,
		offline,
	}
}
