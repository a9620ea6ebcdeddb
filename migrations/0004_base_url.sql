-- Where the server was last reached, for sign-in links that a command beside
-- it makes.
alter table instance add column base_url text not null default '';
