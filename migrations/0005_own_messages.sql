-- What a person has sent in a session, newest first, however much stands
-- between.
create index events_own on events (session_id, seq)
    where kind = 'user/message' and source ->> 'kind' = 'user';
