-- Until when a webhook is claimed by whoever calls it stands apart from when it is due: what is asked meanwhile waits for the
-- end of the call.

alter table webhooks.webhooks
  add column called_until timestamptz;
