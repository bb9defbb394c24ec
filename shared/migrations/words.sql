-- The id under which an event names words binds them: it is SHA-256("roundlog/personal/v1\n" ‖ salt ‖ words), hexadecimal.
-- Words from before have an id that binds nothing, and no salt.

alter table beside.notes
  add column salt  bytea check (length(salt) = 32),
  add column asked bytea unique;                    -- hash of the request that they came with: repeated, it names the same ones
