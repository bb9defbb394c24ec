-- Whoever looks for a scope looks for what waits of it, or for what has been said of it by somebody: there is an index for
-- either. This one was asked by nobody any more, and was a quarter of what it costs to receive.

drop index inbox.events_scope_arrival_idx;
