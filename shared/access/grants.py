"""Who may act as what, and where. Registration decides it; every service keeps tables of it and asks only those.

They are one more effect of what registration says in public: it fills its own from its log, the others theirs from
their inbox. Besides appointments they have the federation above each tournament and season, since a federation's
officials act for these; the federation of each person, since nobody else may name them; and what tokens of captains
are checked with.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import jwt
import msgspec

from shared.access import captain_tokens, scorer_links
from shared.access.captain_tokens import Captaincy
from shared.access.references import About
from shared.access.roles import Role
from shared.access.scorer_links import ScorerLink
from shared.cache import FOR_EVER, LoadingCache, lasting
from shared.commands.decider import classes_of
from shared.contracts import registration as public
from shared.contracts.registration import (
    CaptainKeyIntroduced,
    CaptainNamed,
    EntrantAdmitted,
    EntrantChanged,
    OfficialAppointed,
    OfficialDismissed,
    PersonRegistered,
    SeasonOpened,
    TournamentAnnounced,
)
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.envelope import MESSAGES
from shared.messaging.reactions import Received
from shared.refusals import Unavailable
from shared.values import Value

SOURCE = public.__name__.rpartition(".")[2]
REMEMBERED = 1.0  # seconds
KEY_IDS = re.compile(r"[A-Za-z0-9_-]{1,128}")  # anybody can make up another one


class Grant(Value):
    """A struct, since every act looks for several."""

    subject: str
    role: Role
    scope: str


type Told = (
    OfficialAppointed
    | OfficialDismissed
    | TournamentAnnounced
    | SeasonOpened
    | PersonRegistered
    | EntrantAdmitted
    | EntrantChanged
    | CaptainNamed
    | CaptainKeyIntroduced
)

DECODERS: dict[str, msgspec.json.Decoder[Told]] = {
    contract.__name__: msgspec.json.Decoder(contract) for contract in classes_of(Told)
}

ADD = """
  insert into inbox.grants (subject, role, scope) select * from unnest($1::text[], $2::text[], $3::text[])
  on conflict do nothing
"""
REMOVE = """
  delete from inbox.grants g using unnest($1::text[], $2::text[], $3::text[]) gone(subject, role, scope)
  where (g.subject, g.role, g.scope) = (gone.subject, gone.role, gone.scope)
"""
ENDED = """
  insert into inbox.terms (subject, role, scope, ended)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
  on conflict (subject, role, scope) do update set ended = greatest(terms.ended, excluded.ended)
"""
PUT = """
  insert into inbox.parents (scope, parent) select * from unnest($1::text[], $2::text[]) on conflict do nothing
"""
HAVE = """
  insert into inbox.persons (person, federation) select * from unnest($1::text[], $2::text[])
  on conflict (person) do update set federation = excluded.federation
"""
# Of persons who were registered before that was told, the first tournament that they took part in says whose they are.
TAKE_PART = """
  insert into inbox.persons (person, federation)
  select distinct on (person) person, parent from unnest($1::text[], $2::text[]) with ordinality came(person, tournament, nth)
  join inbox.parents on scope = tournament order by person, nth
  on conflict do nothing
"""
NAME = """
  insert into inbox.captains (entrant, generation) select * from unnest($1::text[], $2::bigint[])
  on conflict (entrant) do update set generation = excluded.generation
  where captains.generation < excluded.generation
"""
# The newest key signs; those before it are good for as long as a token may be, counted from then.
INTRODUCE = """
  insert into inbox.captain_keys (key, public, introduced) values ($1, $2, $3)
  on conflict (key) do update set introduced = greatest(captain_keys.introduced, excluded.introduced)
"""

OF = "select role, scope from inbox.grants where subject = $1"
WHOSE = "select federation from inbox.persons where person = $1"
OWN = "select person from inbox.persons where federation = $1 and person = any($2)"
ABOVE = "select parent from inbox.parents where scope = $1"
BELOW = "select scope from inbox.parents where parent = any($1)"
VOID = """
  select exists (select from inbox.captains where entrant = $1 and generation > $2)
    or exists (select from inbox.terms where (subject, role, scope) = ($3, $4, $5) and ended > $6) as void
"""
# A link is like an office of its own, which ends once when it is revoked.
REVOKED = """
  select exists (select from inbox.terms where (subject, role, scope) = ($1, $2, $3))
    or exists (select from inbox.terms where (subject, role, scope) = ($4, $5, $6) and ended > $7) as void
"""
# Nothing at all, as long as registration has introduced none.
KEY = """
  select max(public) filter (where key = $1 and now() < coalesce(
    (select min(newer.introduced) from inbox.captain_keys newer where newer.introduced > keys.introduced) + $2::interval,
    'infinity')) as public
  from inbox.captain_keys keys having count(*) > 0
"""


async def apply(connection: Connection, messages: Sequence[bytes]) -> None:
    """Let what registration has said take effect, in its order and within the transaction that is open."""
    heard = [message for message in map(MESSAGES.decode, messages) if message.type in DECODERS]
    told = [DECODERS[message.type].decode(message.data) for message in heard]
    last = {
        (event.subject, event.role, event.scope): type(event)
        for event in told
        if isinstance(event, OfficialAppointed | OfficialDismissed)
    }
    for kind, statement in ((OfficialAppointed, ADD), (OfficialDismissed, REMOVE)):
        if found := [grant for grant, happened in last.items() if happened is kind]:
            await connection.execute(statement, *map(list, zip(*found, strict=True)))
    if terms := {
        (event.subject, event.role, event.scope): event.terms for event in told if isinstance(event, OfficialDismissed)
    }:
        await connection.execute(ENDED, *map(list, zip(*terms, strict=True)), list(terms.values()))
    parents = {event.tournament: event.federation for event in told if isinstance(event, TournamentAnnounced)}
    parents |= {event.season: event.federation for event in told if isinstance(event, SeasonOpened)}
    if parents:
        await connection.execute(PUT, list(parents), list(parents.values()))
    if persons := {event.person: event.federation for event in told if isinstance(event, PersonRegistered)}:
        await connection.execute(HAVE, list(persons), list(persons.values()))
    came = [event for event in told if isinstance(event, EntrantAdmitted | EntrantChanged)]
    if players := [(person, event.tournament) for event in came for person in event.persons]:
        await connection.execute(TAKE_PART, *map(list, zip(*players, strict=True)))
    if captains := {event.entrant: event.generation for event in told if isinstance(event, CaptainNamed)}:
        await connection.execute(NAME, list(captains), list(captains.values()))
    for message, event in zip(heard, told, strict=True):
        if isinstance(event, CaptainKeyIntroduced):
            await connection.execute(INTRODUCE, event.key, event.public, message.at)


async def react(connection: Connection, received: Sequence[Received]) -> None:
    """Applies what registration has said out of an inbox, where much else is said too."""
    heard = [event.message for event in received if event.source == SOURCE and event.type in DECODERS]
    await apply(connection, heard)


TABLES = {
    "grants": "select subject, role, scope from inbox.grants",
    "terms": "select subject, role, scope, ended from inbox.terms",
    "parents": "select scope, parent from inbox.parents",
    "captains": "select entrant, generation from inbox.captains",
    "captain_keys": "select key, public, introduced from inbox.captain_keys",
}


def tables_after(messages: Iterable[bytes]) -> Mapping[str, set[tuple[object, ...]]]:
    """The rows that these tables have to have when registration has said all of this, in this order."""
    grants, terms = set[tuple[object, ...]](), dict[tuple[str, str, str], int]()
    parents, captains, keys = dict[str, str](), dict[str, int](), dict[str, tuple[str, datetime]]()
    for message in map(MESSAGES.decode, messages):
        if (decoder := DECODERS.get(message.type)) is None:
            continue
        match decoder.decode(message.data):
            case OfficialAppointed() as told:
                grants.add((told.subject, told.role, told.scope))
            case OfficialDismissed() as told:
                office = told.subject, told.role, told.scope
                grants.discard(office)
                terms[office] = max(terms.get(office, 0), told.terms)
            case TournamentAnnounced() as told:
                parents.setdefault(told.tournament, told.federation)
            case SeasonOpened() as told:
                parents.setdefault(told.season, told.federation)
            case CaptainNamed() as told:
                captains[told.entrant] = max(captains.get(told.entrant, 0), told.generation)
            case CaptainKeyIntroduced() as told:
                public, introduced = keys.get(told.key, (told.public, message.at))
                keys[told.key] = public, max(introduced, message.at)
            case PersonRegistered() | EntrantAdmitted() | EntrantChanged():
                pass
    return {
        "grants": grants,
        "terms": {(*office, ended) for office, ended in terms.items()},
        "parents": set(parents.items()),
        "captains": set(captains.items()),
        "captain_keys": {(key, public, introduced) for key, (public, introduced) in keys.items()},
    }


class Grants:
    """Answers what somebody may be, and remembers it for a moment."""

    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running
        self._roles = LoadingCache(self._load_roles, seconds=lambda _: REMEMBERED)
        self._parents = LoadingCache(self._load_parent, seconds=lambda parent: FOR_EVER if parent else REMEMBERED)
        self._void = LoadingCache(self._load_void, seconds=lambda _: REMEMBERED)
        self._whose = LoadingCache(self._load_whose, seconds=lasting)
        self._keys = LoadingCache(self._load_key, seconds=lambda _: REMEMBERED)

    async def of(self, subject: str) -> frozenset[Grant]:
        return await self._roles.of(subject)

    async def of_now(self, subject: str) -> frozenset[Grant]:
        """Without what is remembered: nobody is refused for an appointment that is a moment old."""
        return await self._roles.now(subject)

    async def above(self, scope: str) -> str | None:
        """The federation of a tournament; it never gets another one."""
        return await self._parents.of(scope)

    async def above_now(self, scope: str) -> str | None:
        return await self._parents.of(scope) or await self._parents.now(scope)

    async def below(self, scopes: Collection[str]) -> Collection[str]:
        """The tournaments and seasons of these federations."""
        return {row["scope"] for row in await self._database.fetch(BELOW, list(scopes))} if scopes else set()

    async def federation_of(self, person: str) -> str | None:
        """Who has registered them; they never get another one."""
        return await self._whose.of(person)

    async def persons_of(self, federation: str, ids: Collection[str]) -> Collection[str]:
        """Those of these whom a federation has registered, as far as that is known here."""
        return {row["person"] for row in await self._database.fetch(OWN, federation, list(ids))}

    async def own_persons(self, about: About, ids: Collection[str]) -> Collection[str]:
        return await self.persons_of(about.federation, ids)

    async def is_current(self, held: Captaincy | ScorerLink, *, now: bool) -> bool:
        """Whether nobody was named after a captain, no link was revoked, and who issued it was not dismissed since.

        Of a naming, an appointment or an issuing that is a moment old we may not have heard: the token says it.
        """
        return not await (self._void.now if now else self._void.of)(held)

    async def key(self, identity: str) -> jwt.PyJWK | None:
        """One that tokens of captains are signed with."""
        if not KEY_IDS.fullmatch(identity):
            return None
        return await self._keys.of(identity)

    async def _load_roles(self, subject: str) -> frozenset[Grant]:
        rows = await self._database.fetch(OF, subject)
        return frozenset(
            Grant(subject=subject, role=Role(row["role"]), scope=row["scope"]) for row in rows if row["role"] in Role
        )

    async def _load_parent(self, scope: str) -> str | None:
        return next((row["parent"] for row in await self._database.fetch(ABOVE, scope)), None)

    async def _load_void(self, held: Captaincy | ScorerLink) -> bool:
        issuer = held.issuer
        office = issuer.subject, issuer.role, issuer.scope, issuer.term
        if isinstance(held, ScorerLink):
            (row,) = await self._database.fetch(REVOKED, held.subject, scorer_links.ROLE, held.tournament, *office)
        else:
            (row,) = await self._database.fetch(VOID, held.entrant, held.generation, *office)
        return row["void"]

    async def _load_whose(self, person: str) -> str | None:
        return next((row["federation"] for row in await self._database.fetch(WHOSE, person)), None)

    async def _load_key(self, identity: str) -> jwt.PyJWK | None:
        rows = await self._database.fetch(KEY, identity, captain_tokens.LONGEST)
        if not rows:
            raise Unavailable("registration has not said yet with which key it signs")
        return None if rows[0]["public"] is None else captain_tokens.public_key(identity, rows[0]["public"])
