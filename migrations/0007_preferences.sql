-- What a person prefers on every browser, since the server acts on it.
alter table users
    add column enter text not null default 'queue' check (enter in ('queue', 'steer')),
    add column after_stop text not null default 'wait' check (after_stop in ('wait', 'drain'));
