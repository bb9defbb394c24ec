"""What is kept of webhooks and their deliveries beside the log, and every statement about it.

Deliveries follow from the log: each webhook has a position, and moves it together with the deliveries that come of what it
has passed (`enqueue`). So none is left out and none comes twice, whoever is killed when.

Whoever calls a webhook has claimed it, in a transaction that is over before the call: until `called_until` nobody else calls
it, whatever is asked of it meanwhile. Who is killed then has not said what came of it, and it is called once more, with the
same id.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import asyncpg
import msgspec

from shared.log.database import Database
from shared.values import Value
from shared.webhooks.stream import WebhookUnknown

type WebhookState = Literal["asked", "active", "paused", "stopped"]
type DeliveryState = Literal["waiting", "delivered", "failed"]

PAGE = 500
KEPT = 500  # deliveries of a webhook that are over
OVERLAP = "24 hours"  # in which a former secret signs too
LEASE = 60.0  # seconds for which a webhook is claimed: more than a call may take
FORGOTTEN = "1 day"  # after which an address goes that was named and then not registered

KEEP = f"""
  with forgotten as (
    delete from webhooks.webhooks where tournament = $2 and state = 'asked' and at < now() - interval '{FORGOTTEN}'
  )
  insert into webhooks.webhooks (id, tournament, url, kinds, secrets, position)
  values ($1, $2, $3, $4, array[$5::bytea], $6) on conflict do nothing
"""
CONFIRM = "update webhooks.webhooks set state = 'active' where id = any($1) and state = 'asked'"
DROP = "delete from webhooks.webhooks where id = any($1)"
ROTATE = f"""
  update webhooks.webhooks
  set secrets = array[$3::bytea, secrets[1]], former_until = now() + interval '{OVERLAP}', rotation = $4
  where id = $1 and tournament = $2 and rotation is distinct from $4
"""
RESTART = """
  update webhooks.webhooks set state = 'active', failures = 0, failing_since = null, next_at = now()
  where id = $1 and tournament = $2 and (state in ('paused', 'stopped') or state = 'active' and failing_since is not null)
  returning id
"""
PAUSE = "update webhooks.webhooks set state = 'paused' where id = any($1) and state in ('active', 'stopped')"
# Attempts are counted anew: with those of the days before, the first that is not taken would count as failed.
AT_ONCE = "update webhooks.deliveries set attempts = 0, next_at = now() where webhook = $1 and state = 'waiting'"

LISTED = """
  select w.*, (select count(*) from webhooks.deliveries d where d.webhook = w.id and d.state = 'waiting') as waiting
  from webhooks.webhooks w where tournament = $1 and state <> 'asked' and ($2::text is null or id = $2) order by at, id
"""
NEWEST = "select secrets[1] from webhooks.webhooks where id = $1 and tournament = $2"
EVERY = "select id, tournament, state from webhooks.webhooks"

BEHIND = """
  select w.id, w.tournament, w.kinds from webhooks.webhooks w
  where state = 'active' and exists (select from log.log l where l.scope = w.tournament and l.position > w.position)
"""
LOCKED = "select position from webhooks.webhooks where id = $1 and state = 'active' for update skip locked"
NEWS = "select position, id, type from log.log where scope = $1 and position > $2 order by position limit $3"
ENQUEUE = """
  insert into webhooks.deliveries (webhook, id, position, type)
  select $1, * from unnest($2::uuid[], $3::bigint[], $4::text[]) on conflict do nothing
"""
MOVE = "update webhooks.webhooks set position = $2 where id = $1"

CLAIM = f"""
  with due as (
    select id from webhooks.webhooks w
    where state = 'active' and next_at <= now() and coalesce(called_until <= now(), true) and exists (
      select from webhooks.deliveries d where d.webhook = w.id and d.state = 'waiting' and d.next_at <= now())
    order by next_at limit $1 for update skip locked
  )
  update webhooks.webhooks w set called_until = now() + interval '{LEASE} seconds' from due where w.id = due.id
  returning w.id, w.tournament, w.url, w.failures,
    case when former_until > now() then secrets else secrets[1:1] end as secrets
"""
NEXT = """
  select number, id, position, type, attempts, next_at from webhooks.deliveries
  where webhook = $1 and state = 'waiting' and next_at <= now()
    and exists (select from webhooks.webhooks w where w.id = $1 and w.state = 'active')
  order by next_at, number limit 1
"""
# The first that waits of all webhooks; while one is called the end of that goes before all.
SOONEST = """
  select extract(epoch from min(greatest(w.next_at, w.called_until, (
    select min(d.next_at) from webhooks.deliveries d where d.webhook = w.id and d.state = 'waiting'))) - now())::float8
  from webhooks.webhooks w where state = 'active'
    and exists (select from webhooks.deliveries d where d.webhook = w.id and d.state = 'waiting')
"""
RELEASE = "update webhooks.webhooks set next_at = greatest(next_at, now()), called_until = null where id = $1"
TAKEN = f"""
  with taken as (
    update webhooks.deliveries set state = 'delivered', attempts = attempts + 1, last_at = now(), code = $3, problem = null
    where number = $2 returning webhook
  ), over as (
    delete from webhooks.deliveries where webhook = $1 and state <> 'waiting' and number <= (
      select number from webhooks.deliveries where webhook = $1 and state <> 'waiting'
      order by number desc offset {KEPT} limit 1)
  )
  update webhooks.webhooks set failures = 0, failing_since = null, called_until = now() + interval '{LEASE} seconds'
  where id = $1 and state = 'active'
"""
# Whoever asks for a call while it is called is not made to wait for what comes of that: neither is the webhook, nor the
# delivery, which begins anew then.
REFUSED = f"""
  with refused as (
    update webhooks.deliveries set attempts = attempts + 1, last_at = now(), code = $3, problem = $4,
      state = case when $5 and next_at = $10 then 'failed' else 'waiting' end,
      next_at = case when next_at = $10 then now() + make_interval(secs => $6) else next_at end
    where number = $2
  )
  update webhooks.webhooks set
    failures = failures + 1, failing_since = coalesce(failing_since, now()),
    next_at = case when next_at > called_until - interval '{LEASE} seconds'
      then next_at else now() + make_interval(secs => $7) end,
    called_until = null,
    state = case when $8 or coalesce(failing_since, now()) < now() - make_interval(secs => $9)
      then 'stopped' else state end
  where id = $1
"""

SHOWN = "select number, id, position, type, state, attempts, next_at, last_at, code, problem from webhooks.deliveries"
DELIVERY = f"{SHOWN} where webhook = $1 and id = $2"
DELIVERIES = f"""
  {SHOWN} where webhook = $1 and ($2::bigint is null or number < $2) order by number desc limit $3
"""
TEST = "insert into webhooks.deliveries (webhook, id, type) values ($1, $2, $3) on conflict do nothing"
AGAIN = """
  update webhooks.deliveries set state = 'waiting', attempts = 0, next_at = now(), again = $3
  where webhook = $1 and id = $2 and again is distinct from $3
"""
NOW = "update webhooks.webhooks set next_at = now() where id = $1 and state = 'active' and failures > 0"


class KeptWebhook(Value):
    id: str
    url: str
    kinds: tuple[str, ...]
    state: WebhookState
    waiting: int
    failures: int
    failing_since: datetime | None
    next_at: datetime
    at: datetime


class ClaimedWebhook(Value):
    id: str
    tournament: str
    url: str
    failures: int
    secrets: tuple[bytes, ...]


class DueDelivery(Value):
    number: int
    id: UUID
    position: int | None
    type: str
    attempts: int
    next_at: datetime


class KeptDelivery(Value):
    number: int
    id: UUID
    position: int | None
    type: str
    state: DeliveryState
    attempts: int
    next_at: datetime
    last_at: datetime | None
    code: int | None
    problem: str | None


class NotTaken(Value):
    """What comes of a call that was not taken."""

    code: int | None
    problem: str
    is_last: bool  # it is not tried again by itself
    again_in: float  # seconds
    webhook_in: float  # seconds until anything is tried there
    is_gone: bool  # the webhook is stopped at once
    patience: float  # seconds of failures after which it is


class WebhookBook:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    # What directors do

    async def keep(
        self, webhook: str, tournament: str, url: str, kinds: Collection[str], secret: bytes, position: int
    ) -> None:
        await self._database.execute(KEEP, webhook, tournament, url, list(kinds), secret, position)

    async def confirm(self, *webhooks: str) -> None:
        await self._database.execute(CONFIRM, list(webhooks))

    async def drop(self, *webhooks: str) -> None:
        await self._database.execute(DROP, list(webhooks))

    async def rotate(self, webhook: str, tournament: str, secret: bytes, rotation: str) -> None:
        await self._database.execute(ROTATE, webhook, tournament, secret, rotation)

    async def restart(self, webhook: str, tournament: str) -> None:
        """One that is called already goes on as it does, so that nothing is delivered twice for it."""
        async with self._database.transaction() as connection:
            if await connection.fetchval(RESTART, webhook, tournament):
                await connection.execute(AT_ONCE, webhook)

    async def pause(self, *webhooks: str) -> None:
        await self._database.execute(PAUSE, list(webhooks))

    async def secret(self, webhook: str, tournament: str) -> bytes | None:
        return await self._database.fetchval(NEWEST, webhook, tournament)

    async def listed(self, tournament: str) -> list[KeptWebhook]:
        return [kept(row) for row in await self._database.fetch(LISTED, tournament, None)]

    async def one(self, tournament: str, webhook: str) -> KeptWebhook:
        found = await self._database.fetch(LISTED, tournament, webhook)
        if not found:
            raise WebhookUnknown("There is no such webhook of this tournament here: look into the list.")
        return kept(found[0])

    async def delivery(self, webhook: str, identity: UUID) -> KeptDelivery | None:
        found = await self._database.fetch(DELIVERY, webhook, identity)
        return KeptDelivery(**found[0]) if found else None

    async def deliveries(self, webhook: str, *, before: int | None, limit: int) -> list[KeptDelivery]:
        """The newest first."""
        return [KeptDelivery(**row) for row in await self._database.fetch(DELIVERIES, webhook, before, limit)]

    async def test(self, webhook: str, identity: UUID, kind: str) -> None:
        await self._database.execute(TEST, webhook, identity, kind)
        await self._database.execute(NOW, webhook)

    async def again(self, webhook: str, identity: UUID, act: str) -> None:
        await self._database.execute(AGAIN, webhook, identity, act)
        await self._database.execute(NOW, webhook)

    async def every(self) -> Sequence[tuple[str, str, WebhookState]]:
        return [tuple(row) for row in await self._database.fetch(EVERY)]

    # What follows from the log

    async def behind(self) -> list[tuple[str, str, Sequence[str]]]:
        """Webhooks of whose tournament there is something new: their ids, tournaments and kinds."""
        return [tuple(row) for row in await self._database.fetch(BEHIND)]

    async def enqueue(self, webhook: str, tournament: str, types: Collection[str]) -> bool:
        """Deliveries for what is new, of these types; whether there may be more."""
        async with self._database.transaction() as connection:
            position = await connection.fetchval(LOCKED, webhook)
            if position is None:  # somebody else does it, or it is active no more
                return False
            rows = await connection.fetch(NEWS, tournament, position, PAGE)
            if not rows:
                return False
            if wanted := [row for row in rows if row["type"] in types]:
                columns = [[row[name] for row in wanted] for name in ("id", "position", "type")]
                await connection.execute(ENQUEUE, webhook, *columns)
            await connection.execute(MOVE, webhook, rows[-1]["position"])
            return len(rows) == PAGE

    # What is sent

    async def claim(self, most: int) -> list[ClaimedWebhook]:
        rows = await self._database.fetch(CLAIM, most)
        return [msgspec.convert(dict(row), ClaimedWebhook) for row in rows]

    async def next(self, webhook: str) -> DueDelivery | None:
        rows = await self._database.fetch(NEXT, webhook)
        return DueDelivery(**rows[0]) if rows else None

    async def soonest(self) -> float | None:
        """In how many seconds something is due."""
        return await self._database.fetchval(SOONEST)

    async def taken(self, webhook: str, delivery: DueDelivery, code: int) -> None:
        await self._database.execute(TAKEN, webhook, delivery.number, code)

    async def refused(self, webhook: str, delivery: DueDelivery, refusal: NotTaken) -> None:
        await self._database.execute(
            REFUSED,
            webhook,
            delivery.number,
            refusal.code,
            refusal.problem,
            refusal.is_last,
            refusal.again_in,
            refusal.webhook_in,
            refusal.is_gone,
            refusal.patience,
            delivery.next_at,
        )

    async def release(self, webhook: str) -> None:
        await self._database.execute(RELEASE, webhook)


def kept(row: asyncpg.Record) -> KeptWebhook:
    return msgspec.convert({name: row[name] for name in KeptWebhook.__struct_fields__}, KeptWebhook)
