package templates

import "webshell/internal/session"

// noticeWords says what happened.
func noticeWords(v View, n *session.NoticeNode) string {
	switch n.Notice {
	case session.NoticeMode:
		return v.P.T("notice.mode", visible(n.Detail))
	case session.NoticeModel:
		return v.P.T("notice.model", visible(n.Detail))
	}
	switch n.Outcome {
	case session.Cancelled, session.Failed, session.Interrupted, session.Refused, session.MaxTokens:
		return v.P.T("notice." + string(n.Outcome))
	}
	return v.P.T("notice.ended", visible(string(n.Outcome)))
}

// noticeName is the row's data-notice: the outcome of a turn, else what changed.
func noticeName(n *session.NoticeNode) string {
	if n.Notice == session.NoticeTurnEnded {
		return string(n.Outcome)
	}
	return string(n.Notice)
}

// explains tells a notice whose detail is not part of its words already.
func explains(n *session.NoticeNode) bool {
	return n.Notice == session.NoticeTurnEnded && n.Detail != ""
}

func noticeGlyph(n *session.NoticeNode) glyph {
	if n.Notice == session.NoticeTurnEnded && n.Outcome != session.Cancelled {
		return glyphWarn
	}
	return glyphInfo
}
