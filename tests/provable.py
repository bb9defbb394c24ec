"""Whole tournaments in the logs of four services, as these would have written them, and bundles of them. Ids are no names."""

import random
import zipfile
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from deploy.bundles.streams import of_stream
from services.pairing import publish as of_pairing
from services.pairing.api.rounds.drafting import pair
from services.pairing.domain import round as rounds
from services.pairing.domain import stage as stages
from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import NoPairing, StageOver, group_draw
from services.registration import publish as of_registration
from services.registration.domain import accounts, captains, officials
from services.registration.domain.tournament import facts as tournament_facts
from services.results import publish as of_results
from services.results.domain import rounds as sheet_rounds
from services.results.domain.sheet import facts as sheets
from services.results.domain.sheet.states import GivenReport, Result, Speaker
from services.standings import publish as of_standings
from services.standings.domain import ranking, sealed_tables
from services.standings.domain.table import ranked
from services.standings.sealing import PROGRAM as TABLES
from shared import contracts
from shared.access.captain_tokens import Issuer
from shared.access.roles import Role
from shared.bundle.container import BundleWriter
from shared.checkpoints.stream import LogKeyIntroduced, LogKeyRetired, LogRestored
from shared.commands.personal_facts import concealed
from shared.log.envelope import MESSAGES, Envelope, seal
from shared.log.store import Event as Sealed
from shared.lots import formula
from shared.lots import stream as lots
from shared.lots.known import LotsKnown, key_of
from shared.messaging.history import Inputs
from shared.numbers import stored
from shared.program import made_by
from shared.proof.keys import KeyKind, Signer
from shared.proof.leaves import log_leaf
from shared.proof.notes import Checkpoint, Note
from shared.proof.receipts import Receipt
from shared.proof.tiles import RightEdge, TileId, grow, nodes
from shared.proof.tree import Span, around, beside, between, root_over
from shared.rulesets.schema import Changes
from shared.seals.stream import ScopeSealed
from shared.tournament.completion import order_of
from shared.tournament.facts import Facts
from shared.tournament.fold import Fold
from shared.tournament.progression import left_out, opening
from shared.tournament.ranking import rank
from shared.tournament.stages import field_of, settings_of
from tests.courses import Course, before_the_start

SERVICES = ("registration", "pairing", "results", "standings")
BEGAN = datetime(2026, 11, 21, 8, tzinfo=UTC)
DIRECTOR, ARBITER, PLAYER = "auth0|7f31c0", "auth0|b2204e", "auth0|5c119a"
ROLES = {DIRECTOR: "director", ARBITER: "arbiter", "operator": "operator"} | dict.fromkeys(SERVICES, "service")
SOURCES = {  # of lots, each with a value
    "dice 20": "3 1 6 6 2 5 4 1 1 3 2 6 5 5 4 2 3 1 6 4",
    "drand 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971 900000000": sha256(b"round").hexdigest(),
}
PROGRAM = "roundlog of tests"


def secret_of(service: str) -> bytes:
    return sha256(f"lots of {service} in tests".encode()).digest()


def opaque(what: str) -> str:
    """Always the same id for the same thing, and none that says what it is."""
    return str(UUID(bytes=sha256(what.encode()).digest()[:16], version=5))


@dataclass
class WrittenLog:
    """What stands in the log of one service: records with their messages."""

    service: str
    events: list[tuple[bytes, bytes | None]] = field(default_factory=list[tuple[bytes, bytes | None]])
    public: list[int | None] = field(default_factory=list[int | None])
    scopes: list[str] = field(default_factory=list[str])
    at: list[int] = field(default_factory=list[int])
    versions: dict[str, int] = field(default_factory=dict[str, int])
    said: int = 0
    former: bytes = b""  # the last note under a former name, all of which was kept

    def append(
        self,
        stream: str,
        event: Any,
        message: msgspec.Struct | None,
        *,
        scope: str,
        at: datetime,
        actor: str,
        role: str | None,
        because: tuple[str, str] | None = None,
    ) -> bytes | None:
        version = self.versions[stream] = self.versions.get(stream, 0) + 1
        written = seal(
            Envelope(
                id=UUID(opaque(f"{self.service} {stream} {version}")),
                stream=stream,
                version=version,
                type=type(event).__name__,
                scope=scope,
                at=at,
                actor=actor,
                role=role,
                operation=because and because[0],
                causation=because and because[1],
                trace=None,
                data=msgspec.Raw(msgspec.json.encode(event)),
                public=None,
            ),
            message,
        )
        self.put(written, scope, int(at.timestamp()))
        return written.message

    def put(self, written: Sealed, scope: str, at: int) -> None:
        self.said += written.message is not None
        self.events.append((written.record, written.message))
        self.public.append(self.said if written.message is not None else None)
        self.scopes.append(scope)
        self.at.append(at)

    @property
    def leaves(self) -> list[bytes]:
        return [log_leaf(record, message) for record, message in self.events]

    def rows(self) -> list[tuple[Any, ...]]:
        """As they lie in the log."""
        found = enumerate(zip(self.events, self.public, strict=True), start=1)
        said = [(position, record, public, message) for position, ((record, message), public) in found]
        return [
            (position, one.stream, one.version, one.id, one.type, one.scope, record, public, message)
            for position, record, public, message in said
            for one in [msgspec.json.decode(record, type=Envelope)]
        ]

    @property
    def messages(self) -> list[bytes]:
        """What neighbours were told, by public numbers from 1 on."""
        return [message for _, message in self.events if message is not None]


@dataclass
class Logs:
    """Four logs and what their messages say of a tournament, as each service would know it."""

    tournament: str
    federation: str = field(default_factory=lambda: opaque("federation"))
    logs: dict[str, WrittenLog] = field(default_factory=lambda: {name: WrittenLog(name) for name in SERVICES})
    at: datetime = BEGAN
    fold: Fold = field(default_factory=Fold)
    known: dict[str, int] = field(default_factory=dict[str, int])
    tables: dict[str, bytes] = field(default_factory=dict[str, bytes])  # by their hashes
    openings: dict[str, bytes] = field(default_factory=dict[str, bytes])  # salts and values, by their commitments
    forged: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])  # services and positions
    captain: str = ""  # the entrant who has one
    heard: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])  # the last message of each

    def write(
        self,
        service: str,
        kind: str,
        identity: str,
        event: Any,
        message: msgspec.Struct | None,
        *,
        scope: str | None = None,
        actor: str = DIRECTOR,
        role: str | None = None,
    ) -> None:
        scope = scope or self.tournament
        self.at += timedelta(seconds=1)
        log = self.logs[service]
        told = log.append(
            f"{kind}-{identity}",
            event,
            message,
            scope=scope,
            at=self.at,
            actor=actor,
            role=role or ROLES.get(actor),
            because=self.heard.get(actor),
        )
        if told is not None and scope == self.tournament:
            read = MESSAGES.decode(told)
            self.heard[service] = read.type, str(read.id)
            contract = contracts.decode(service, read.type, told)
            if contract is not None:
                self.fold.take(service, contract)
            self.known[service] = log.said

    @property
    def inputs(self) -> str:
        return str(Inputs(**self.known))

    @property
    def facts(self) -> Facts:
        found = self.fold.facts()
        assert found is not None
        return found

    def between(self, count: int) -> None:
        """Other tournaments are held as well."""
        for number in range(count):
            other = opaque(f"other {number}")
            for service in SERVICES:
                told = sheets.GameStarted(game=opaque(f"game {number}"), tournament=other)
                self.write(service, "other", f"{other}-{number}-{self.at}", told, of_results.of_game(told), scope=other)

    def seal(self, service: str) -> None:
        """As it is sealed at the end: all that stands there of the tournament."""
        log = self.logs[service]
        own = [leaf for leaf, scope in zip(log.leaves, log.scopes, strict=True) if scope == self.tournament]
        seal_of = ScopeSealed(scope=self.tournament, upto=len(log.events), count=len(own), root=root_over(own).hex())
        self.write(service, "seal", self.tournament, seal_of, None, actor="log")


@dataclass
class Play:
    """A tournament that is played by chance, everything being written down on its way. Its lots follow from the secret."""

    logs: Logs
    course: Course  # which says how games end
    source: str | None = None  # of the lots
    drawn: list[lots.Lot] = field(default_factory=list[lots.Lot])

    @property
    def known(self) -> Facts:
        self.course.known = self.logs.facts
        return self.logs.facts

    @property
    def tournament(self) -> str:
        return self.logs.tournament

    def key(self, service: str) -> formula.LotKey:
        known = LotsKnown(source=self.source, value=self.source and SOURCES[self.source])
        return key_of(self.tournament, secret_of(service), known)

    def lot(self, purpose: str, among: Iterable[str], service: str = "pairing") -> list[str]:
        order = self.key(service).draw(purpose, among)
        self.note_lots([lots.Lot(purpose=purpose, order=tuple(order))], service)
        return order

    def note_lots(self, drawn: Iterable[lots.Lot], service: str = "pairing") -> None:
        for lot in drawn:
            if lot not in self.drawn:
                self.drawn.append(lot)
                self.write_lots(
                    lots.LotDrawn(tournament=self.tournament, purpose=lot.purpose, order=lot.order), service
                )

    def write_lots(self, event: lots.Event, service: str) -> None:
        actor = DIRECTOR if isinstance(event, lots.LotDrawn) else "registration"
        self.logs.write(service, "lots", self.tournament, event, lots.told(event), actor=actor)

    def whole(self) -> None:
        for stage in self.known.ruleset.stages:
            if not self.known.rounds or self.opens(stage.id):
                while self.round(stage.id):
                    self.logs.between(1)
                self.close(stage.id)
        for service in SERVICES:
            secret = secret_of(service).hex()
            self.write_lots(lots.LotSeedRevealed(tournament=self.tournament, seed=secret), service)

    def opens(self, stage: str) -> bool:
        if left_out(self.known, stage) is not None or opening(self.known, stage).not_held is not None:
            return False
        while awaited := opening(self.known, stage).awaits:
            self.settle(self.known.ruleset.stages[0].id, awaited[0].entrants, awaited[0].needs)
        return bool(opening(self.known, stage).entrants)

    def settle(self, stage: str, entrants: Sequence[str], needs: str) -> None:
        kind = "duel" if needs == "duel" else "lot"
        drawn = self.lot(f"order of {stage}", entrants, "standings") if kind == "lot" else sorted(entrants)
        order = tuple((one,) for one in drawn)
        event = ranking.TieSettled(tournament=self.tournament, stage=stage, kind=kind, order=order)
        self.logs.write("standings", "ranking", self.tournament, event, of_standings.of_ranking(event))

    def round(self, stage: str) -> bool:
        is_first = not any(of == stage for of, _ in self.known.rounds)
        if is_first and settings_of(self.known, stage).pairing.system == "groups":
            self.draw_groups(stage)
        inputs = self.logs.inputs
        try:
            drafted, drawn = pair(self.known, stage, self.key("pairing").draw)
        except (StageOver, NoPairing):
            return False
        self.note_lots(drawn)
        drafted = replace(drafted, inputs=inputs)
        number = 1 + max((number for of, number in self.known.rounds if of == stage), default=0)
        identity = rounds.identity(self.tournament, stage, number)
        if is_first:
            entrants = tuple(opening(self.known, stage).entrants) if self.known.rounds else tuple(self.known.entrants)
            begun = stages.StageOpened(tournament=self.tournament, stage=stage, entrants=entrants)
            self.logs.write("pairing", "stage", f"{self.tournament}.{stage}", begun, of_pairing.of_stage(begun))
        games = tuple(opaque(f"{identity} {table.table}") for table in drafted.sheet.tables)
        for event in (
            rounds.RoundDrafted(tournament=self.tournament, stage=stage, round=number, drafted=drafted),
            rounds.RoundConfirmed(inputs=inputs, doubts=(), reason=None),
            rounds.RoundPublished(
                tournament=self.tournament,
                stage=stage,
                round=number,
                sheet=drafted.sheet,
                games=games,
                inputs=inputs,
                starts_at=None,
                doubts=(),
                reason=None,
            ),
        ):
            self.logs.write("pairing", "round", identity, event, of_pairing.of_round(event))
        for game, table in zip(games, drafted.sheet.tables, strict=True):
            self.result(stage, number, game, table)
        done = sheet_rounds.RoundCompleted(tournament=self.tournament, stage=stage, round=number)
        publication = opaque(f"publication {identity}")
        open_round = sheet_rounds.RoundOpened(
            tournament=self.tournament, stage=stage, round=number, games=games, publication=publication
        )
        for event in (open_round, done):
            self.logs.write("results", "sheets", identity, event, of_results.of_round(event), actor="pairing")
        self.seal_table(stage, number)
        if self.course.is_disturbed:
            self.disturb(stage, number)
        return True

    def seal_table(self, stage: str, number: int) -> None:
        content = sealed_tables.content(self.tournament, stage, ranked(self.known, {}, stage, through=number))
        digest = sha256(content).hexdigest()
        self.logs.tables[digest] = content
        event = sealed_tables.TableSealed(
            tournament=self.tournament,
            stage=stage,
            round=number,
            inputs=self.logs.inputs,
            table=digest,
            program=made_by(TABLES),
        )
        self.logs.write("standings", "tables", self.tournament, event, None, actor="results")

    def draw_groups(self, stage: str) -> None:
        groups = tuple(map(tuple, group_draw.by_lot(self.known, stage, self.lot)))
        event = stages.GroupsDrawn(
            tournament=self.tournament, stage=stage, groups=groups, by_hand=False, doubts=(), reason=None
        )
        self.logs.write("pairing", "stage", f"{self.tournament}.{stage}", event, of_pairing.of_stage(event))

    def result(self, stage: str, number: int, game: str, table: SeatedTable) -> None:
        said = self.course.result_of(stage, table)
        opened_sheet = sheets.SheetOpened(
            game=game,
            tournament=self.tournament,
            stage=stage,
            round=number,
            table=table.table,
            seats=table.seats,
            first=table.first,
            option=table.option,
            group=table.group,
            match=table.match,
            number=table.number,
        )
        agreed = sheets.ResultAgreed(
            game=game,
            tournament=self.tournament,
            stage=stage,
            round=number,
            seats=table.seats,
            scores=tuple(map(stored, said.scores)),
            points=tuple(map(stored, said.points)),
            first=said.first,
        )
        named = next((one for one in table.seats if one == self.logs.captain), None)
        agreeing = (ARBITER, None) if named is None else (f"captain:{named}:1:1", "captain")
        result = Result(scores=agreed.scores, points=agreed.points, first=said.first)
        report = GivenReport(number=1, by=Speaker(person=agreeing[0], entrant=named), result=result)
        reported = sheets.ResultReported(game=game, report=report, then="reported")
        several = (opened_sheet, ("pairing", None)), (reported, agreeing), (agreed, agreeing)
        # Whoever is not a captain has both signatures.
        for event, (actor, role) in several if named else (several[0], several[2]):
            self.logs.write("results", "game", game, event, of_results.of_game(event), actor=actor, role=role)

    def disturb(self, stage: str, number: int) -> None:
        """Somebody goes, somebody stays away for a round, and a result was wrong."""
        there = sorted(one for one in field_of(self.known, stage) if one not in self.known.left)
        if settings_of(self.known, stage).pairing.system == "knockout" or len(there) < 8:
            return
        gone, away = self.course.chance.sample(there, 2)
        if number == 1:
            left = tournament_facts.EntrantLeft(
                entrant=gone, tournament=self.tournament, stage=stage, after_round=number, why="withdrew", clause=None
            )
            self.register(left)
        self.register(
            tournament_facts.EntrantAbsent(
                entrant=away, tournament=self.tournament, stage=stage, round=number + 1, points=None
            )
        )
        wrong = self.known.rounds[stage, number].games[0]
        was = self.known.results[wrong.id]
        corrected = sheets.ResultCorrected(
            game=wrong.id,
            tournament=self.tournament,
            stage=stage,
            round=number,
            seats=wrong.seats,
            scores=tuple(map(stored, was.scores[::-1])),
            points=tuple(map(stored, was.points[::-1])),
            reason=opaque("words"),
            first=was.first,
        )
        self.logs.write("results", "game", wrong.id, corrected, of_results.of_game(corrected), actor=ARBITER)

    def register(self, event: Any) -> None:
        self.logs.write(
            "registration", "tournament", self.tournament, event, of_registration.of_tournament(event), actor=DIRECTOR
        )

    def close(self, stage: str) -> None:
        while unresolved := rank(self.known, stage).unresolved:
            self.settle(stage, unresolved[0].entrants, unresolved[0].needs)
        inputs = self.logs.inputs
        order = order_of(rank(self.known, stage).rows)
        closed = ranking.StageClosed(
            tournament=self.tournament, stage=stage, order=order.places, rests_on=inputs, groups=order.groups
        )
        self.logs.write("standings", "ranking", self.tournament, closed, of_standings.of_ranking(closed))


def played(
    ruleset: str,
    size: int,
    *,
    seed: int = 1,
    is_disturbed: bool = False,
    others: int = 2,
    options: Changes | None = None,
    source: str | None = None,
    course: int | None = None,
) -> Logs:
    """From the appointment of its officials to its last table, sealed. Another `course` is another story of the same one."""
    begin = before_the_start(ruleset, size, options=options)
    logs = Logs(tournament=opaque(f"{ruleset} {size} {seed}"))
    logs.between(others)
    register(logs, begin, source)
    chance = random.Random(course or seed)
    Play(logs, Course(known=logs.facts, chance=chance, is_disturbed=is_disturbed), source).whole()
    done = tournament_facts.TournamentCompleted(tournament=logs.tournament)
    logs.write("registration", "tournament", logs.tournament, done, of_registration.of_tournament(done))
    for service in SERVICES:
        logs.seal(service)
    logs.between(others)
    return logs


def register(logs: Logs, begin: Facts, source: str | None) -> None:
    for scope, subject, role in (
        (logs.federation, DIRECTOR, Role.DIRECTOR),
        (logs.tournament, ARBITER, Role.ARBITER),
    ):
        appointed = officials.OfficialAppointed(scope=scope, subject=subject, role=role)
        told = of_registration.of_officials(appointed)
        actor = "operator" if role is Role.DIRECTOR else DIRECTOR
        logs.write("registration", "officials", scope, appointed, told, scope=scope, actor=actor)
    rules = msgspec.Raw(begin.ruleset.model_dump_json().encode())
    announced = tournament_facts.TournamentAnnounced(
        tournament=logs.tournament,
        federation=logs.federation,
        name="Cup of November",
        ruleset_id=begin.ruleset.id,
        ruleset=rules,
        time_zone="Europe/Bratislava",
        starts_on="2026-11-21",
        first_round="09:00",
        entries_close=None,
        lot_source=source,
    )
    started = tournament_facts.TournamentStarted(
        tournament=logs.tournament,
        federation=logs.federation,
        ruleset=rules,
        time_zone="Europe/Bratislava",
        advance=begin.advance,
    )
    admitted = (
        tournament_facts.EntrantAdmitted(
            entrant=opaque(f"{logs.tournament} {one.id}"),
            tournament=logs.tournament,
            persons=(opaque(f"person {one.id}"),),
            number=one.number,
            rating=one.rating,
            key=None,
            lists=tuple(sorted(one.lists)),
            from_round=1,
            decision=None,
            school=one.school,
            history=one.history,
            carried=stored(one.carried),
        )
        for one in begin.entrants.values()
    )
    write_about(logs, announced)
    untold = tournament_facts.RegistrationOpened(tournament=logs.tournament)  # as in logs of before: nobody heard of it
    logs.write("registration", "tournament", logs.tournament, untold, None)
    committed = {one: secret_committed(logs, one, source) for one in SERVICES}
    if source is not None:
        opened = tournament_facts.LotsOpened(
            tournament=logs.tournament, source=source, value=SOURCES[source], commitments=committed
        )
        write_about(logs, opened)
    write_about(logs, started)
    *others, last = admitted
    detail(logs, last.entrant)
    for event in (*others, last):
        write_about(logs, event)
    speak_for(logs, last, begin.ruleset.stages[0].id)


def write_about(logs: Logs, event: Any, *, actor: str = DIRECTOR, role: str | None = None) -> None:
    told = of_registration.of_tournament(event)
    logs.write("registration", "tournament", logs.tournament, event, told, actor=actor, role=role)


def detail(logs: Logs, entrant: str) -> None:
    """What an entry says besides, of which needs and consents lie beside the log."""
    said = tournament_facts.EntryDetailed(
        entrant=entrant,
        tournament=logs.tournament,
        substitutes=(),
        captain=None,
        team=None,
        school=None,
        club=None,
        region=None,
        parts=1,
        declared=(),
        consents=("photographs",),
        needs=("a table at the door",),
        history=False,
        carried=0,
    )
    event, openings = concealed(said, logs.tournament, lambda: sha256(entrant.encode()).digest())
    logs.openings |= {one.commitment: one.salt + one.value for one in openings}
    write_about(logs, event)


def secret_committed(logs: Logs, service: str, source: str | None) -> str:
    published = formula.commitment(secret_of(service), service=service, tournament=logs.tournament, source=source)
    event = lots.LotSeedCommitted(tournament=logs.tournament, commitment=published, source=source)
    logs.write(service, "lots", logs.tournament, event, lots.told(event), actor="registration")
    return published


def speak_for(logs: Logs, last: tournament_facts.EntrantAdmitted, stage: str) -> None:
    """For the entrant admitted last a captain speaks, by a token of the arbiter; and their own account."""
    logs.captain = last.entrant
    issuer = Issuer(subject=ARBITER, role=Role.ARBITER, scope=logs.tournament, term=0)
    named = captains.CaptainNamed(tournament=logs.tournament, entrant=last.entrant, generation=1)
    issued = captains.CaptainTokenIssued(
        tournament=logs.tournament,
        entrant=last.entrant,
        generation=1,
        serial=1,
        issuer=issuer,
        issued=int(logs.at.timestamp()),
    )
    for event in (named, issued):
        told = of_registration.of_captains(event)
        logs.write("registration", "captain", last.entrant, event, told, actor=ARBITER)
    linked = accounts.PersonLinked(subject=PLAYER, federation=logs.federation, person=last.persons[0])
    logs.write("registration", "account", PLAYER, linked, None, scope=logs.federation)
    here = tournament_facts.EntrantPresent(entrant=last.entrant, tournament=logs.tournament, stage=stage, round=1)
    write_about(logs, here, actor=PLAYER, role="entrant")


def restored(logs: Logs, service: str, *, lost: int = 0) -> Logs:
    """The same, one log having been brought back from a backup in the end, without the last events that were signed."""
    logs = deepcopy(logs)
    log = logs.logs[service]
    kept = len(log.events)
    root = root_over(log.leaves) if not lost else sha256(b"lost").digest()
    former = formerly(service)
    text = Checkpoint(origin=former.key.name, size=kept + lost, root=root).text
    note = bytes(Note(text=text, signatures=()).signed_by(former))
    log.former = b"" if lost else note
    event = LogRestored(former=note.decode(), kept=kept, reason=opaque("words"))
    logs.write(service, "signed-log", service, event, None, scope=service, actor="operator")
    return logs


def with_keys(logs: Logs, service: str, *, retired: str | None = None) -> Logs:
    """The same, the log having named a second key in the end, and perhaps retired another one."""
    logs = deepcopy(logs)
    events = [LogKeyIntroduced(vkey=second_key(service).key.vkey)]
    for event in [*events, *([LogKeyRetired(vkey=retired)] if retired else [])]:
        logs.write(service, "signed-log", service, event, None, scope=service, actor="operator")
    return logs


type Forge = Callable[[str, Envelope], Envelope | None]


def resigned(logs: Logs, forge: Forge, *, seals_anew: bool = False, tells_as_before: bool = False) -> Logs:
    """History written anew by whoever has all rights and all keys; none where an event is left out.

    Messages follow from what the records say now, or stay as they were. Seals stay as they were, unless they are made anew as well.
    """
    anew = Logs(tournament=logs.tournament, tables=logs.tables)
    for service, log in logs.logs.items():
        into = anew.logs[service]
        for (record, message), at in zip(log.events, log.at, strict=True):
            before = msgspec.json.decode(record, type=Envelope)
            written = forge(service, before)
            if written is None:
                continue
            if written != before:
                anew.forged.add((service, len(into.events) + 1))
            if written.type == "ScopeSealed" and seals_anew:
                anew.at = datetime.fromtimestamp(at, UTC)
                anew.seal(service)
                continue
            if tells_as_before:
                into.put(written.store_as(message), written.scope, at)
                continue
            kind = of_stream(service, written.stream)
            decoder = kind and kind.decider.decoders.get(written.type)
            event = decoder.decode(written.data) if decoder else None
            told = kind.tells(event) if kind and event is not None else None
            if written.stream.startswith("other"):
                told = sheets_told(written)
            into.put(seal(msgspec.structs.replace(written, public=None), told), written.scope, at)
    return anew


def sheets_told(written: Envelope) -> msgspec.Struct | None:
    return of_results.of_game(msgspec.json.decode(written.data, type=sheets.GameStarted))


# Signing and bundling


def signer_of(service: str, deployment: str = "roundlog.example") -> Signer:
    name = f"{deployment}/{service}/{opaque(service)}"
    return Signer(name=name, kind=KeyKind.LOG, seed=sha256(f"log {name}".encode()).digest())


def formerly(service: str) -> Signer:
    name = f"roundlog.example/{service}/{opaque(f'{service} before')}"
    return Signer(name=name, kind=KeyKind.LOG, seed=sha256(f"log {name}".encode()).digest())


def second_key(service: str) -> Signer:
    return Signer(
        name=signer_of(service).key.name, kind=KeyKind.LOG, seed=sha256(f"second {service}".encode()).digest()
    )


WITNESSES = {
    name: Signer(name=f"{name}.example/witness", kind=KeyKind.WITNESS, seed=sha256(name.encode()).digest())
    for name in ("club", "federation", "university")
}


def policy(quorum: str = "two", *others: Signer) -> bytes:
    lines = [f"log {signer.key.vkey}" for signer in [*map(signer_of, SERVICES), *others]]
    if quorum == "two":
        lines += [f"witness {name} {signer.key.vkey}" for name, signer in WITNESSES.items()]
        lines += [f"group two 2 {' '.join(WITNESSES)}"]
    elif quorum in WITNESSES:
        lines += [f"witness {quorum} {WITNESSES[quorum].key.vkey}"]
    lines += [f"quorum {quorum}"]
    return "".join(f"{line}\n" for line in ("# whom we trust", *lines)).encode()


@dataclass
class Parts:
    """The files of a bundle, to be broken before they are packed."""

    files: dict[str, bytes]
    tournament: str

    def packed(self, path: Path) -> Path:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = BundleWriter(archive, tournament=self.tournament, program=PROGRAM)
            for name, content in self.files.items():
                writer.add(name, [content])
            writer.finish()
        return path

    def laid_out(self, folder: Path) -> Path:
        with zipfile.ZipFile(self.packed(folder.with_suffix(".zip"))) as archive:
            archive.extractall(folder)
        return folder

    def lines(self, name: str) -> list[bytes]:
        return self.files[name].split(b"\n")[:-1]

    def put(self, name: str, lines: Iterable[bytes]) -> None:
        self.files[name] = b"".join(line + b"\n" for line in lines)


type SignersOf = Callable[[str, int], Sequence[Signer]]  # of a service, with so many events


def signed_alone(service: str, _: int) -> Sequence[Signer]:
    return [signer_of(service)]


def bundled(
    logs: Logs,
    *,
    witnesses: Iterable[str] = ("club",),
    earlier: int = 2,
    signers: SignersOf = signed_alone,
    is_opened: bool = False,
) -> Parts:
    parts = Parts({}, logs.tournament)
    if is_opened:
        parts.files |= {f"opened/{commitment}": salted for commitment, salted in logs.openings.items()}
    parts.files |= {f"tables/{digest}": content for digest, content in logs.tables.items()}
    for log in logs.logs.values():
        part_of(parts, log, logs, list(witnesses), earlier, signers)
    return parts


def part_of(
    parts: Parts, log: WrittenLog, logs: Logs, witnesses: Sequence[str], earlier: int, signers: SignersOf
) -> None:
    folder = f"logs/{log.service}"
    shown = [
        index
        for index, scope in enumerate(log.scopes)
        if scope in {logs.tournament, log.service} or (scope == logs.federation and log.service == "registration")
    ]
    size, leaves = len(log.events), log.leaves
    edge, changed = grow(RightEdge(), leaves)
    tiles: dict[TileId, bytes] = {(tile.level, tile.number): tile.hashes for tile in changed}

    def proof(spans: Iterable[Span]) -> bytes:
        return b"".join(nodes(spans, tiles))

    def note(size: int, root: bytes) -> bytes:
        signed = Note(text=Checkpoint(origin=signer_of(log.service).key.name, size=size, root=root).text, signatures=())
        signed = signed.signed_by(*signers(log.service, size))
        for name in witnesses:
            signed = signed.signed_by(WITNESSES[name], at=log.at[size - 1] + 1)
        return bytes(signed)

    parts.files[f"{folder}/checkpoint"] = note(size, edge.root)
    if log.former:
        old = Checkpoint.parse(Note.parse(log.former).text).size
        parts.files[f"{folder}/checkpoints/{old}"] = log.former
        parts.files[f"{folder}/checkpoints/{old}.proof"] = proof(between(old, size))
    for number in range(1, earlier + 1):
        old = size * number // (earlier + 1)
        parts.files[f"{folder}/checkpoints/{old}"] = note(old, root_over(leaves[:old]))
        parts.files[f"{folder}/checkpoints/{old}.proof"] = proof(between(old, size))
    parts.put(f"{folder}/positions", (b"%d" % (index + 1) for index in shown))
    parts.put(f"{folder}/numbers", (str(log.public[index] or "").encode() for index in shown))
    parts.put(f"{folder}/records", (log.events[index][0] for index in shown))
    parts.put(f"{folder}/messages", (log.events[index][1] or b"" for index in shown))
    parts.files[f"{folder}/inclusion"] = proof(around(shown, size))
    parts.files[f"{folder}/leaves"] = b"".join(leaves[index] for index in shown)


def receipt(log: WrittenLog, position: int, size: int, signer: Signer | None = None) -> Receipt:
    """As the service gives it out for an event of its log, under a checkpoint of so many events."""
    edge, changed = grow(RightEdge(), log.leaves[:size])
    tiles: dict[TileId, bytes] = {(tile.level, tile.number): tile.hashes for tile in changed}
    proof = tuple(nodes(beside(position - 1, size), tiles))
    by = signer or signer_of(log.service)
    text = Checkpoint(origin=by.key.name, size=size, root=edge.root).text
    note = Note(text=text, signatures=()).signed_by(by)
    return Receipt(index=position - 1, proof=proof, checkpoint=bytes(note))


ROOT = Path(__file__).parents[1]


@cache
def alone() -> ModuleType:
    """The verifier in one file. The same signature is computed once in a run: that is most of what it does."""
    spec = util.spec_from_file_location("verify_roundlog", ROOT / "clients" / "verify" / "verify_roundlog.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("key_point", "signature_holds"):
        setattr(module, name, cache(getattr(module, name)))
    return module
