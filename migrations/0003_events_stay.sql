-- Events go with their session only. One taken out by hand would leave a gap,
-- and a turn that waits for its message could never be claimed.
create trigger events_stay before delete on events
    for each row when (pg_trigger_depth() = 0) execute function refuse_change();
