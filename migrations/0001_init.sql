-- Stock Postgres 14 or newer; no extension.

create table instance (
    one boolean primary key default true check (one),
    id  uuid not null default gen_random_uuid()  -- tells this instance's cookies from another's on the same host
);
insert into instance default values;

create table users (
    id         uuid primary key default gen_random_uuid(),
    name       text not null,
    created_at timestamptz not null default now()
);
insert into users (name) values ('owner');

create table sessions (
    id         uuid primary key default gen_random_uuid(),
    owner_id   uuid not null references users,
    title      text not null default '',
    agent      text not null,
    last_seq   bigint not null default 0,  -- of its events; raised under the row's lock, so seq has no gaps
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
create index sessions_recent on sessions (owner_id, updated_at desc);

-- The append-only log. Text and annotations of messages are typed columns;
-- everything else of an event is its body.
create table events (
    session_id  uuid not null references sessions on delete cascade,
    seq         bigint not null check (seq > 0),
    kind        text not null,
    at          timestamptz not null default clock_timestamp(),
    source      jsonb,
    rpc_id      uuid,
    content     text,
    annotations jsonb,
    body        jsonb not null default '{}',
    primary key (session_id, seq)
);
create unique index events_submitted on events (session_id, rpc_id)
    where kind = 'user/message' and rpc_id is not null;
create index events_permission on events (session_id, (body ->> 'permissionId'))
    where kind in ('permission/requested', 'permission/resolved');

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% is read-only', tg_table_name using errcode = 'read_only_sql_transaction';
end $$;
create trigger events_append_only before update on events
    for each row execute function refuse_change();

-- For people who look with SQL.
create view messages as
select session_id, seq, at,
       case kind when 'user/message' then 'user' when 'context/message' then 'context' else 'assistant' end as role,
       rpc_id, content, annotations
from events
where kind in ('user/message', 'context/message', 'assistant/message');
create trigger messages_read_only instead of insert or update or delete on messages
    for each row execute function refuse_change();

-- The open block of a running turn. Removed when the block closes.
create table pieces (
    session_id   uuid not null references sessions on delete cascade,
    turn_id      uuid not null,
    block        int not null,
    n            int not null,
    kind         text not null,
    opened_after bigint not null,  -- the session's last seq when the block opened
    text         text not null,
    at           timestamptz not null default clock_timestamp(),
    primary key (session_id, turn_id, block, n)
);

create table inbox (
    session_id  uuid not null references sessions on delete cascade,
    request_id  uuid not null,
    lane        text not null check (lane in ('next-turn', 'next-step')),
    position    bigint generated always as identity,
    content     text not null,
    annotations jsonb not null,
    source      jsonb not null,
    created_at  timestamptz not null default now(),
    primary key (session_id, request_id)
);
create index inbox_order on inbox (session_id, lane, position);

create table turns (
    id                uuid primary key default gen_random_uuid(),
    session_id        uuid not null references sessions on delete cascade,
    message_seq       bigint not null,
    agent             text not null,
    state             text not null default 'waiting' check (state in ('waiting', 'running', 'ended')),
    outcome           text,
    owner             text,
    attempt           int not null default 0,  -- fencing token
    lease_until       timestamptz,
    last_write        bigint not null default 0,  -- highest numbered write applied: one sent again is known
    started_seq       bigint,
    stop_requested_at timestamptz,
    created_at        timestamptz not null default clock_timestamp(),
    ended_at          timestamptz
);
create unique index turns_one_at_a_time on turns (session_id) where state in ('waiting', 'running');
create index turns_waiting on turns (created_at) where state = 'waiting';
create index turns_lease on turns (lease_until) where state = 'running';
create index turns_of_session on turns (session_id, created_at desc);

-- What makes a request id count once, for ever: through queueing, editing and
-- deleting, as long as its session.
create table submissions (
    session_id     uuid not null references sessions on delete cascade,
    request_id     uuid not null,
    user_id        uuid not null references users,
    opened_session boolean not null default false,
    body_hash      bytea not null,
    state          text not null check (state in ('logged', 'queued', 'steering')),
    seq            bigint,  -- of the event, where it was logged at once
    result         jsonb,   -- content and annotations, where the waiting row may change later
    created_at     timestamptz not null default now(),
    primary key (session_id, request_id)
);
create unique index submissions_opening on submissions (user_id, request_id) where opened_session;

create table drafts (
    user_id    uuid not null references users on delete cascade,
    session_id uuid references sessions on delete cascade,  -- null: the home page's
    text       text not null,
    tags       text not null,
    updated_at timestamptz not null default now()
);
create unique index drafts_of_session on drafts (user_id, session_id) where session_id is not null;
create unique index drafts_of_home on drafts (user_id) where session_id is null;

-- Tokens are 256 random bits; only their SHA-256 is stored.
create table login_links (
    token_hash bytea primary key,
    user_id    uuid not null references users on delete cascade,
    expires_at timestamptz not null,
    used_at    timestamptz
);
create table tokens (
    id           uuid primary key default gen_random_uuid(),
    user_id      uuid not null references users on delete cascade,
    name         text not null,
    token_hash   bytea not null unique,
    created_at   timestamptz not null default now(),
    last_used_at timestamptz,
    revoked_at   timestamptz
);
create unique index tokens_name on tokens (name) where revoked_at is null;

create table web_sessions (
    token      text primary key,  -- hashed
    data       bytea not null,
    expires_at timestamptz not null
);
create index web_sessions_expiry on web_sessions (expires_at);
