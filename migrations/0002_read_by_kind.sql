-- Reads that look for a few kinds of event, from a place in the log on: the
-- questions and answers of a running turn, and the turn in which a page begins.
create index events_by_kind on events (session_id, kind, seq)
    where kind in ('turn/started', 'permission/requested', 'permission/resolved');
