"""What of a tournament this program computes again: messages, lives, offices, lots, pairings, results, tables.

It takes the events of a bundle log by log. What was known at some inputs (`reg120.pai31.res88.sta7`) is what each service had
said of the tournament up to that public number, as it is for the services themselves.
"""

from bisect import bisect_right
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from hashlib import sha256
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from deploy.bundles.streams import StreamKind, of_stream
from services.pairing.api.rounds.drafting import pair
from services.pairing.domain import round as rounds
from services.pairing.domain.round import ROUND
from services.registration.domain.tournament import facts as lifecycle
from services.results.domain.sheet.facts import ResultAgreed
from services.results.domain.sheet.states import Disputed, Reported, Result
from services.standings.domain import differences, qualifying, ranking, sealed_tables
from services.standings.domain.table import ranked
from services.standings.sealing import NOBODY, PROGRAM
from shared.bundle.checks import SEAL, LoggedEvent, SayProgress
from shared.bundle.report import BundleReport, Verdict
from shared.contracts import DECODERS, decisions
from shared.contracts import lots as told_lots
from shared.messaging.history import SOURCES, Inputs, parse
from shared.numbers import all_exact
from shared.program import made_by
from shared.refusals import Refusal
from shared.tournament.facts import Facts
from shared.tournament.fold import Fold
from shared.tournament.scoring import points_of
from shared.tournament.stages import settings_of
from shared.values import UNREADABLE, Value

# What is counted of each clause, for the last word about it.
OF = {
    "messages": "messages follow from their records",
    "lives": "events follow from what was before in their streams",
    "sheets": "pairings come out the same",
    "results": "agreed results have the points that follow from their scores",
    "tables": "orders and changes of tables come out the same",
}
BY_HAND = "by hand"
LAST = 1 << 63
NEVER = -1  # no version follows

# Events of which nobody was told in logs of before.
UNTOLD_BEFORE = (lifecycle.RegistrationOpened,)

# Events from which something is computed again, besides their messages and lives.
COMPUTED = (
    rounds.RoundDrafted,
    rounds.PairingOverridden,
    rounds.TablesRepaired,
    ranking.StageClosed,
    qualifying.Qualified,
    differences.TableChanged,
    sealed_tables.TableSealed,
    ResultAgreed,
)


class ToldEvent(Value):
    """A message of the tournament."""

    position: int
    number: int
    contract: msgspec.Struct


class ToRepeat(Value):
    """An event of this program's own, to be computed again when all logs are read."""

    event: Any
    number: int | None
    file: str  # in which its record stands
    position: int


number_of = attrgetter("number")


def told_by(read: LoggedEvent) -> msgspec.Struct | None:
    """What was told, as far as this program knows what it means; read once for all who want to know."""
    try:
        return decoded(read)
    except UNREADABLE:
        return None


def decoded(read: LoggedEvent) -> msgspec.Struct | None:
    """None where nothing is shown, or this program knows no such message."""
    message = read.message
    decoder = message and DECODERS.get((read.service, message.type))
    return decoder.decode(message.data) if message and decoder else None


class LotUnknown(Exception):
    """What was drawn was not written down, and the secret is not revealed."""


class Recomputing:
    def __init__(self, tournament: str, report: BundleReport) -> None:
        self._tournament = tournament
        self._report = report
        self._said: dict[str, list[ToldEvent]] = {source: [] for source in SOURCES}
        self._noted: list[ToRepeat] = []
        self._unheard: dict[str, int] = {}  # by service, the number of the first message that is not shown
        self._states: dict[tuple[str, str], Any] = {}
        self._versions: dict[tuple[str, str], int] = {}  # of each stream the last one, none where others may be hidden
        self._lots: dict[tuple[str, frozenset[str]], list[str]] = {}
        self._skipped: dict[
            str, dict[tuple[str, int], int]
        ] = {}  # by service: what an operator let it go on without, from when on
        self._counts: dict[str, int] = {}
        self._fold = Fold()
        self._reached: dict[str, int] = dict.fromkeys(SOURCES, 0)
        self._without = set[tuple[str, int]]()
        self._impossible = set[tuple[str, int]]()  # sources and numbers of messages that make no tournament
        self._whole = set[str]()  # services whose logs are whole here
        self._latest = Inputs()

    # Event by event

    def take(self, read: LoggedEvent, contract: msgspec.Struct | None) -> None:
        if contract is None:
            self._require_known(read)
        if contract is not None and read.number is not None:
            self._hear(read, read.number, contract)
        if read.number is not None and read.message is None and read.scope in (self._tournament, None):
            self._unheard.setdefault(read.service, read.number)
        if read.record is None:
            text = "its record is not shown"
            self._report.note(Verdict.UNCHECKABLE, "messages", text, file=read.messages, position=read.position)
            return
        if read.record.type == SEAL:
            self._whole.add(read.service)
        kind = of_stream(read.service, read.record.stream)
        decoder = kind and kind.decider.decoders.get(read.record.type)
        if kind is None or decoder is None:
            text = f"this program knows no {read.record.type} of {read.record.stream}"
            self._report.note(Verdict.UNCHECKABLE, "messages", text, file=read.records, position=read.position)
            return
        try:
            event = decoder.decode(read.record.data)
        except UNREADABLE as error:
            self._refuse(read, "messages", f"this is no {read.record.type}: {error}")
            return
        with self._refuting("messages", read.records, read.position, f"nothing follows from this {read.type}"):
            self._message(read, kind, event, contract)
        if read.scope == self._tournament:
            with self._refuting("lives", read.records, read.position, f"{read.type} cannot follow what was"):
                self._live(read, kind, event)

    def _require_known(self, read: LoggedEvent) -> None:
        """What this program cannot read is a message of another kind, or it is none."""
        try:
            decoded(read)
        except UNREADABLE as error:
            self._refuse(read, "messages", f"this is no {read.message and read.message.type}: {error}")

    def _message(self, read: LoggedEvent, kind: StreamKind, event: Any, contract: msgspec.Struct | None) -> None:
        expected = kind.tells(event)
        is_untold = read.message is None and (read.record is None or read.record.public is None)
        if is_untold and isinstance(event, UNTOLD_BEFORE):
            return
        if (expected is None) != is_untold:
            self._refuse(read, "messages", "of such an event nothing is told, or something is that is missing")
        elif expected is not None and read.message is None:
            text = "its message is not shown"
            self._report.note(Verdict.UNCHECKABLE, "messages", text, file=read.messages, position=read.position)
        elif expected is not None and not says_the_same(contract, expected):
            self._refuse(read, "messages", "the message does not follow from the record")
        else:
            self._count("messages")

    def _live(self, read: LoggedEvent, kind: StreamKind, event: Any) -> None:
        """Each stream can have come about, and what is computed from its state stays at hand."""
        assert read.record is not None  # noqa: S101 - a message alone has no stream
        if not belongs(read.record.stream, self._tournament, event):
            self._refuse(read, "lives", "it tells of another tournament or round than the stream is of")
        if isinstance(event, COMPUTED):
            noted = ToRepeat(event=event, number=read.number, file=read.records, position=read.position)
            self._noted.append(noted)
        place = read.service, read.record.stream
        version = self._versions.get(place, 0) + 1
        if version != read.record.version:  # which is refuted elsewhere, unless what is between them is hidden
            self._versions[place] = NEVER
            return
        self._versions[place] = version
        before = self._states.get(place, kind.decider.initial)
        if fault := contradiction(before, event):
            self._refuse(read, "lives", fault)
        self._states[place] = kind.decider.evolve(before, event)
        self._count("lives")

    def _hear(self, read: LoggedEvent, number: int, contract: msgspec.Struct) -> None:
        match contract:
            case decisions.EventSkipped() if read.scope == self._tournament:
                skipped = self._skipped.setdefault(read.service, {})
                skipped[contract.source, contract.number] = number
            case decisions.SourceAccepted() if read.scope == self._tournament:
                skipped = self._skipped.setdefault(read.service, {})
                skipped |= {(contract.source, lost): number for lost in contract.lost}
            case told_lots.LotDrawn():
                self._lots[contract.purpose, frozenset(contract.order)] = list(contract.order)
            case _:
                pass
        if read.scope == self._tournament and read.service in self._said:
            self._said[read.service].append(ToldEvent(position=read.position, number=number, contract=contract))

    # When all of it is there

    def finish(self, say: SayProgress) -> None:
        self._latest = Inputs(**{source: said[-1].number for source, said in self._said.items() if said})
        for noted in sorted(self._noted, key=when):
            text = "nothing can be computed from what was known"
            with self._refuting("lives", noted.file, noted.position, text):
                self._again(noted, say)
        for clause, count in self._counts.items():
            self._report.recomputed(clause, f"{count} {OF[clause]}")

    def _again(self, noted: ToRepeat, say: SayProgress) -> None:
        event, inputs = noted.event, inputs_of(noted.event)
        if not self._is_known(noted, inputs):
            return
        match event:
            case rounds.RoundDrafted():
                say(f"round {event.round} of {event.stage}")
                self._pairing(event, noted)
            case rounds.PairingOverridden() | rounds.TablesRepaired():
                self._note(Verdict.RULES, "sheets", "made by hand", noted)
            case ranking.StageClosed() if inputs is not None:
                say(f"the order of {event.stage}")
                facts = self._facts("standings", before_it(inputs, noted.number))
                found = ranked(facts, {}, event.stage).order if facts else None
                if found is None or (found.places, found.groups) != (event.order, event.groups):
                    text = f"by what was known the order of {event.stage} is another one"
                    self._note(Verdict.REFUTED, "tables", text, noted)
                else:
                    self._count("tables")
            case qualifying.Qualified():
                self._qualified(event, noted)
            case sealed_tables.TableSealed():
                self._sealed(event, noted)
            case differences.TableChanged():
                self._changed(event, noted)
            case ResultAgreed():
                self._points(event, noted)
            case _:
                pass

    def _is_known(self, noted: ToRepeat, inputs: Inputs | None) -> bool:
        """Whether all that it rests on is here and shown."""
        clause = clause_of(noted.event)
        if self._rests_on_hidden(noted.event, noted.number, inputs):
            self._note(Verdict.UNCHECKABLE, clause, "it rests on messages that are not shown", noted)
            return False
        if inputs is not None and not self._latest.include(inputs):
            late = {source for source in SOURCES if inputs.of(source) > self._latest.of(source)}
            # Of a log that is whole, nothing follows.
            verdict = Verdict.REFUTED if late <= self._whole else Verdict.UNCHECKABLE
            self._note(verdict, clause, f"it rests on {inputs}, and less than that is here", noted)
            return False
        return True

    def _rests_on_hidden(self, event: Any, number: int | None, inputs: Inputs | None) -> bool:
        match event:
            case ResultAgreed():
                return bool(self._unheard)
            case ranking.StageClosed() | qualifying.Qualified() if inputs is not None:
                known = before_it(inputs, number)
            case _:
                known = inputs
        return known is not None and any(self._unheard.get(source, LAST) <= known.of(source) for source in SOURCES)

    def _points(self, event: ResultAgreed, noted: ToRepeat) -> None:
        """Both sides agreed upon the scores: the points follow by the rules, unless those of the game go by more than scores."""
        facts = self._facts("results", self._latest)
        if facts is None:
            return
        scoring = settings_of(facts, event.stage).scoring
        if points_of(scoring, all_exact(event.scores), by=event.by) == all_exact(event.points):
            self._count("results")
        else:
            self._note(Verdict.RULES, "results", "its points do not follow from the scores alone", noted)

    def _pairing(self, event: rounds.RoundDrafted, noted: ToRepeat) -> None:
        facts = self._facts("pairing", parse(event.drafted.inputs))
        if facts is None:
            self._note(Verdict.REFUTED, "sheets", "it was paired before the tournament had started", noted)
            return
        if event.drafted.method == BY_HAND:
            self._note(Verdict.RULES, "sheets", "made by hand", noted)
            return
        try:
            drafted, _ = pair(facts, event.stage, self._draw)
        except LotUnknown:
            self._note(Verdict.UNCHECKABLE, "sheets", "a lot was drawn for it that nobody has written down", noted)
            return
        except Refusal as refusal:
            text = f"by what was known round {event.round} of {event.stage} cannot be paired: {refusal}"
            self._note(Verdict.REFUTED, "sheets", text, noted)
            return
        if drafted.sheet.says_the_same_as(event.drafted.sheet):
            self._count("sheets")
        else:
            text = f"round {event.round} of {event.stage} is paired otherwise"
            self._differs("sheets", event.drafted.program, drafted.program, text, noted)

    def _sealed(self, event: sealed_tables.TableSealed, noted: ToRepeat) -> None:
        facts = self._facts("standings", parse(event.inputs))
        found = None
        if facts is not None and (event.stage, event.round) in facts.rounds:
            table = ranked(facts, NOBODY, event.stage, through=event.round)
            found = sha256(sealed_tables.content(event.tournament, event.stage, table)).hexdigest()
        if found == event.table:
            self._count("tables")
        else:
            text = f"the table of {event.stage} is another one"
            self._differs("tables", event.program, made_by(PROGRAM), text, noted)

    def _differs(self, clause: str, program: str | None, ours: str | None, text: str, noted: ToRepeat) -> None:
        """What another program has computed may come out otherwise here."""
        if program is not None and program != ours:
            text = f"{program} computed it, and this program computes otherwise"
            self._note(Verdict.UNCHECKABLE, clause, text, noted)
        else:
            self._note(Verdict.REFUTED, clause, f"by what was known {text}", noted)

    def _qualified(self, event: qualifying.Qualified, noted: ToRepeat) -> None:
        facts = self._facts("standings", before_it(parse(event.rests_on), noted.number))
        named = facts and [
            qualifying.qualified(event.tournament, facts, event.rests_on, is_over=over) for over in (False, True)
        ]
        if any(
            one is not None and msgspec.convert(one, qualifying.Qualified, from_attributes=True) == event
            for one in named or []
        ):
            self._count("tables")
        else:
            self._note(Verdict.REFUTED, "tables", "by what was known others go on", noted)

    def _changed(self, event: differences.TableChanged, noted: ToRepeat) -> None:
        before, after = self._facts("standings", parse(event.before)), self._facts("standings", parse(event.after))
        found = differences.differences(before, after) if before and after else ()
        if any((one.stage, one.round, one.moved) == (event.stage, event.round, event.moved) for one in found):
            self._count("tables")
        else:
            self._note(Verdict.REFUTED, "tables", f"the table of {event.stage} did not change in this way", noted)

    def _draw(self, purpose: str, identities: Iterable[str]) -> list[str]:
        """As it was drawn: whether that follows from the secret is checked beside it."""
        among = list(identities)
        if (order := self._lots.get((purpose, frozenset(among)))) is None:
            raise LotUnknown
        return order

    def _facts(self, service: str, inputs: Inputs) -> Facts | None:
        """What a service knew then. From one inputs to later ones the fold goes on; otherwise it begins anew."""
        skipped = {one for one, since in self._skipped.get(service, {}).items() if since <= inputs.of(service)}
        if skipped != self._without or any(inputs.of(source) < number for source, number in self._reached.items()):
            self._fold, self._reached, self._without = Fold(), dict.fromkeys(SOURCES, 0), skipped
        for source in SOURCES:
            said = self._said[source]
            first = bisect_right(said, self._reached[source], key=number_of)
            behind = bisect_right(said, inputs.of(source), key=number_of)
            for one in said[first:behind]:
                if (source, one.number) not in skipped and (source, one.number) not in self._impossible:
                    self._know(source, one)
            self._reached[source] = inputs.of(source)
        return self._fold.facts()

    def _know(self, source: str, one: ToldEvent) -> None:
        """What makes no tournament is refused once, and left out from then on."""
        self._impossible.add((source, one.number))
        with self._refuting("lives", f"logs/{source}/messages", one.position, "it cannot follow what was known"):
            self._fold.take(source, one.contract)
            self._impossible.discard((source, one.number))

    # How it is said

    @contextmanager
    def _refuting(self, clause: str, name: str, position: int, text: str) -> Generator[None]:
        """Whatever this program stumbles over there, it has not written itself."""
        try:
            yield
        except (RecursionError, MemoryError):  # which say nothing of what was written
            raise
        except Exception as error:  # noqa: BLE001 - no event that can be read makes a verifier fail
            said = " ".join(str(error).split())[:200] or type(error).__name__
            self._report.refuse(clause, f"{text}: {said}", file=name, position=position)

    def _count(self, clause: str) -> None:
        self._counts[clause] = self._counts.get(clause, 0) + 1

    def _refuse(self, read: LoggedEvent, clause: str, text: str) -> None:
        self._report.refuse(clause, text, file=read.records, position=read.position)

    def _note(self, verdict: Verdict, clause: str, text: str, noted: ToRepeat) -> None:
        self._report.note(verdict, clause, text, file=noted.file, position=noted.position)


def belongs(stream: str, tournament: str, event: Any) -> bool:
    """Whether it says the same as its envelope about what it is of."""
    match event:
        case rounds.RoundDrafted() | rounds.RoundPublished():
            return stream == f"{ROUND.kind}-{rounds.identity(event.tournament, event.stage, event.round)}"
        case _:
            return getattr(event, "tournament", tournament) == tournament


def contradiction(before: Any, event: Any) -> str | None:
    """Why nobody can have decided this, as far as it is looked for: what was decided is not decided again."""
    match before, event:
        case rounds.Draft() | rounds.Confirmed(), rounds.RoundPublished() if before.plan.sheet != event.sheet:
            return "another sheet was published than the one that stood there"
        case rounds.Unpaired() | rounds.Draft(), rounds.RoundPublished():
            return "a round was published that nobody had confirmed"
        case Reported() | Disputed(), ResultAgreed() if not any(is_of(one.result, event) for one in before.reports):
            return "nobody had reported the result that was agreed upon"
        case _:
            return None


def is_of(reported: Result, agreed: ResultAgreed) -> bool:
    """Who started, or has won in the end, may be known from elsewhere."""
    return (reported.scores, reported.points, reported.end, reported.by, reported.deciding) == (
        agreed.scores,
        agreed.points,
        agreed.end,
        agreed.by,
        agreed.deciding,
    )


def says_the_same(told: msgspec.Struct | None, expected: msgspec.Struct) -> bool:
    """An older message may lack what has a default by now: it is read with it."""
    return type(told) is type(expected) and msgspec.json.encode(told) == msgspec.json.encode(expected)


def when(noted: ToRepeat) -> tuple[int, ...]:
    """What rests on less comes first, so that what was known grows."""
    try:
        inputs = inputs_of(noted.event)
    except ValueError:  # it is refused when its turn comes
        inputs = None
    return (sum(inputs.of(source) for source in SOURCES) if inputs else LAST, noted.position)


def clause_of(event: Any) -> str:
    match event:
        case rounds.RoundDrafted():
            return "sheets"
        case ResultAgreed():
            return "results"
        case _:
            return "tables"


def inputs_of(event: Any) -> Inputs | None:
    """What an event says it rests on."""
    match event:
        case rounds.RoundDrafted():
            return parse(event.drafted.inputs)
        case ranking.StageClosed() | qualifying.Qualified():
            return parse(event.rests_on)
        case sealed_tables.TableSealed():
            return parse(event.inputs)
        case differences.TableChanged():
            return parse(event.after)
        case _:
            return None


def before_it(inputs: Inputs, number: int | None) -> Inputs:
    """With all that standings itself had said: it knows that at once, whoever else has heard of it."""
    return inputs if number is None else replace(inputs, standings=max(inputs.standings, number - 1))
