-- A director pauses a webhook and goes on with it, and asks for a delivery once more: the log says so, and this follows.

alter table webhooks.webhooks
  drop constraint webhooks_state_check,
  add constraint webhooks_state_check check (state in ('asked', 'active', 'paused', 'stopped'));

alter table webhooks.deliveries
  add column again text; -- the act that has asked for it last: repeated, it asks no more
