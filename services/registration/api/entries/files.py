"""Entries as CSV: one line for each person, brought in and taken out in the same columns.

Lines with the same `entry` are one team or pair. What belongs to the entry as a whole may stand in each of its lines, or
in the first only. All entries of a file come in or none, and every faulty line is named at once.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Query, Response
from msgspec.structs import replace
from pydantic import ValidationError

from services.registration.api.bodies import FileForeseen
from services.registration.api.entrants.bodies import MOST_RATING
from services.registration.api.entrants.views import listed_entrant_view
from services.registration.api.entries.bodies import FileImported, NewEntry, Outcome, OutcomeOfEntry, WhoEnters
from services.registration.api.entries.intake import Intake, Newcomers, called_as_sent, everybody, faults_of
from services.registration.api.permissions import OFFICIATE, ORGANISE
from services.registration.api.persons import files as person_files
from services.registration.api.persons.files import (
    NEW,
    PARTICULARS,
    known_persons,
    licence_faults,
    particulars_in,
    persons_in,
)
from services.registration.domain.homes import Homes
from services.registration.domain.names import UnusableName, readable
from services.registration.domain.tournament.admission import EntriesClosed
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.entrants import (
    EntrantState,
    EntryDetails,
    ProposedEntry,
    StruckOff,
    WaitingEntrant,
    Withdrawn,
)
from services.registration.domain.tournament.entries import Decision, Enter
from services.registration.domain.tournament.roster import Roster
from services.registration.domain.tournament.states import AnnouncedTournament, NotNow, State, known
from services.registration.eligibility.deadlines import as_stored
from services.registration.streams import TournamentHandler, announced
from shared.access import references
from shared.access.references import ids_in_columns
from shared.clock import Now
from shared.csv_lines import CSV, FORM, SENTENCE, YES, Line, as_csv, read, written
from shared.faults import Faulty, InputFault
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CREATED, answer_in, run, run_against_newest, tried
from shared.http.parameters import Absent, TournamentId
from shared.http.problems import documented
from shared.http.responses import BAD, DryRun
from shared.personal.particulars import NOTHING_KNOWN, Particulars
from shared.personal.sentences import spoken
from shared.refusals import Refusal
from shared.spelling import folded
from shared.values import Value

OF_ENTRY = ("team_name", "team", "rating", "key", "lists", "school", "club", "region", "declared", "consents", "needs",
            "history", "history_source", "direct", "direct_source", "carried")  # fmt: skip
COLUMNS = ("entry", "person", "name", "role", "captain", *OF_ENTRY, *PARTICULARS)
IDS: Mapping[str, references.Kind] = {
    "person": "person",
    "team": "team",
    "school": "home",
    "club": "home",
    "region": "home",
}
SEVERAL = ("lists", "declared", "consents", "needs")
ROLES = ("player", "substitute")
CODES = "should be codes of small letters, digits and hyphens, with spaces between them."
FORMS = person_files.FORMS | {
    "team": "should be the id that the team has from an earlier tournament of the series.",
    "rating": f"should be a whole number from 0 to {MOST_RATING}.",
    "key": "should be a whole number that is not below 0.",
    "lists": CODES,
    "declared": CODES,
    "consents": CODES,
    "needs": CODES,
    "history": "should be yes or no.",
    "history_source": "should be one code of small letters, digits and hyphens, such as mp-2019.",
    "direct": "should be yes or no.",
    "direct_source": "should be one code of small letters, digits and hyphens, such as brno-2026.",
    "carried": "should be a number, or a fraction such as 7/2.",
}
EXAMPLE = "entry,name,team_name,role,captain,rating\r\n1,Mária Nováková,,,,1700\r\n"

type EntrantKind = Literal["individual", "pair", "team"]
type EntriesFile = Annotated[
    bytes,
    Body(media_type=CSV, description=FORM, examples=[EXAMPLE], json_schema_extra=ids_in_columns(IDS)),
]


class EntryLines(Value):
    """One entry, and where each of its persons stands in the file."""

    sent: NewEntry
    players: tuple[Line, ...]
    substitutes: tuple[Line, ...]

    @property
    def first(self) -> Line:
        return first_of(self.players, self.substitutes)

    @property
    def numbers(self) -> set[int]:
        return {line.number for line, _ in self.members}

    @property
    def members(self) -> Iterator[tuple[Line, WhoEnters]]:
        """Each person, and the line in which they stand."""
        return zip((*self.players, *self.substitutes), everybody(self.sent), strict=True)

    def fault(self, fault: InputFault) -> InputFault:
        """A fault of this entry, said where it stands in the file."""
        return placed(fault.pointer.split("/")[1:], fault.detail, self.players, self.substitutes)


def entries_in(lines: Sequence[Line], kind: EntrantKind, homes: Homes, faults: list[InputFault]) -> list[EntryLines]:
    """The entries that have the right form; of the others every fault is named."""
    found: list[EntryLines] = []
    for group in grouped(lines, kind, faults):
        before = len(faults)
        players = tuple(line for line in group if line.cells.get("role", "player") == "player")
        substitutes = tuple(line for line in group if line not in players)
        faults += form_faults(group)
        body = body_of(group, players, substitutes, kind, homes, faults)
        try:
            sent = NewEntry.model_validate(body)
        except ValidationError as wrong:
            for one in wrong.errors(include_url=False, include_context=False, include_input=False):
                faults.append(placed([str(step) for step in one["loc"]], None, players, substitutes))
            continue
        if len(faults) == before:
            found.append(EntryLines(sent=sent, players=players, substitutes=substitutes))
    return found


def grouped(lines: Sequence[Line], kind: EntrantKind, faults: list[InputFault]) -> list[list[Line]]:
    """The lines of each entry, in the order of their first lines."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        name = line.cells.get("entry")
        if name is None and kind != "individual":
            faults.append(line.fault(f"says which lines are one {kind}: write the same in all of them.", "entry"))
        groups.setdefault(name or f"\n{line.number}", []).append(line)
    return list(groups.values())


def form_faults(group: Sequence[Line]) -> Iterator[InputFault]:
    first = group[0]
    for line in group:
        role = line.cells.get("role", "player")
        if role not in ROLES:
            yield line.fault(f"should be {' or '.join(ROLES)}, not {role}.", "role")
        if line.cells.get("captain", "no") not in {"yes", "no"}:
            yield line.fault("should be yes or no.", "captain")
        is_known = line.cells.get("person", NEW) != NEW
        if not is_known and "name" not in line.cells:
            yield line.fault(
                "is missing: write the name of somebody new, or the id of somebody known as person.", "name"
            )
        if is_known and (known := [one for one in PARTICULARS if one in line.cells]):
            yield line.fault("is only for somebody new: change it with the person.", known[0])
        for column in OF_ENTRY:
            if line.cells.get(column, wanted := first.cells.get(column, "")) != wanted:
                yield line.fault(f"differs from line {first.number} of the same entry: say it once.", column)


def body_of(
    group: Sequence[Line],
    players: Sequence[Line],
    substitutes: Sequence[Line],
    kind: EntrantKind,
    homes: Homes,
    faults: list[InputFault],
) -> dict[str, Any]:
    """The entry as it could have been sent; what is not there is left out."""
    first = group[0]
    body: dict[str, Any] = {
        column: first.listed(column) if column in SEVERAL else first.cells[column]
        for column in OF_ENTRY
        if column in first.cells
    }
    if "team_name" in body:
        body["name"] = body.pop("team_name")
    body |= {home: home_in(first, home, homes, faults) for home in ("school", "club", "region") if home in body}
    if kind == "individual" and len(group) == 1 and players:
        return body | {"person": person_in(first)}
    return body | {
        "persons": [person_in(line) for line in players],
        "substitutes": [person_in(line) for line in substitutes],
    }


def person_in(line: Line) -> dict[str, Any]:
    if line.cells.get("person", NEW) != NEW:
        found: dict[str, Any] = {"id": line.cells["person"]}
    else:
        known = particulars_in(line)
        found = {"name": line.cells.get("name")} | ({"particulars": known} if known else {})
    return found | ({"captain": True} if line.cells.get("captain") == "yes" else {})


def home_in(line: Line, kind: str, homes: Homes, faults: list[InputFault]) -> str | None:
    """The school, club or region that a cell names by its id, or by its name where only one is called so."""
    cell = line.cells[kind]
    if cell in homes.known:
        return cell
    named = [identity for identity, home in homes.known.items() if (home.kind, home.name) == (kind, cell)]
    if len(named) != 1:
        how = "several are called so" if named else f"the federation has no {kind} {cell}"
        faults.append(line.fault(f"{how}: write its id{'' if named else ', or register it first'}.", kind))
        return None
    return named[0]


def first_of(players: Sequence[Line], substitutes: Sequence[Line]) -> Line:
    return min((*players, *substitutes), key=lambda line: line.number)


def placed(
    steps: Sequence[str], detail: str | None, players: Sequence[Line], substitutes: Sequence[Line]
) -> InputFault:
    """The fault of the cell that steps into an entry lead to; without a detail its form is what is wrong."""
    first = first_of(players, substitutes)
    match list(steps):
        case [("persons" | "substitutes") as role, number, *inside] if number.isdecimal():
            line = (players if role == "persons" else substitutes)[int(number)]
            return line.fault(*person_fault(line, inside, detail))
        case ["person", *inside]:
            return first.fault(*person_fault(first, inside, detail))
        case ["name", *_]:
            return first.fault(detail or FORMS["name"], "team_name")
        case [column, *_] if column in COLUMNS:
            return first.fault(detail or FORMS.get(column, "is not in the form that is needed."), column)
        case _:
            return first.fault(detail or "This is no entry yet: say who plays.")


def person_fault(line: Line, inside: Sequence[str], detail: str | None) -> tuple[str, str]:
    found = [step for step in inside if step in FORMS]
    column = found[-1] if found else "person" if "person" in line.cells else "name"
    return detail or FORMS[column], column


def lines_of(entrant: EntrantState, details: EntryDetails, names: Mapping[str, str]) -> Iterator[dict[str, str | int]]:
    """The lines of an entry that is there. What is known of persons besides their names stays where it is."""
    also, said = details.also, entrant.said.sent
    whole: dict[str, str | int | None] = {
        "team_name": names.get(entrant.entrant) if len(said.persons) + len(also.substitutes) > 1 else None,
        "team": also.team,
        "rating": said.rating,
        "key": said.key,
        "lists": " ".join(said.lists),
        "school": also.school,
        "club": also.club,
        "region": also.region,
        "declared": " ".join(also.declared),
        "consents": " ".join(also.consents),
        "needs": " ".join(also.needs),
        "history": YES[also.history],
        "history_source": also.history_source,
        "direct_source": also.direct_source,
        "direct": YES[also.direct],
        "carried": also.carried or None,
    }
    for role, persons in (("player", said.persons), ("substitute", also.substitutes)):
        for person in persons:
            line: dict[str, str | int | None] = {
                "entry": entrant.entrant,
                "person": person,
                "name": names.get(person),
                "role": role,
                "captain": YES[person == also.captain],
            } | whole
            yield {name: cell for name, cell in line.items() if cell is not None}


type EntryNames = tuple[
    str | None, tuple[str | None, ...], int
]  # of an entry and its members; how many are no substitutes


def said_again(name: str | None) -> str | None:
    try:
        return None if name is None else readable(name)
    except UnusableName:
        return name


@dataclass(frozen=True, kw_only=True)
class EntriesThere:
    """Who in a file is there already: the same file sent again changes nothing, also where it names nobody by an id.

    Of two entries of the same names the first in the file is the first that has entered; who has gone and entered again is
    there.
    """

    roster: Roster
    names: Mapping[str, str]
    known: Mapping[str, Particulars]
    _there: dict[EntryNames, list[EntrantState]] = field(
        default_factory=dict[EntryNames, list[EntrantState]], init=False
    )
    _teams: set[str] = field(default_factory=set[str], init=False)

    def __post_init__(self) -> None:
        for entrant in sorted(self.roster.entrants.values(), key=is_gone):
            called = self._called(entrant)
            self._there.setdefault(called, []).append(entrant)
            if called[0] is not None and not is_gone(entrant):
                self._teams.add(called[0])

    def recognised(self, lines: EntryLines, faults: list[InputFault]) -> tuple[EntryLines, EntrantState | None]:
        """The entry by the ids of those who have entered, if they have; and what became of it."""
        sent, names = lines.sent, tuple(map(self._name, everybody(lines.sent)))
        called: EntryNames = (said_again(sent.name), names, len(lines.players))
        faults += self._misnamed(lines)
        found = self._taken(called, sent)
        if found is None:
            if called[0] in self._teams and sent.team is None:
                detail = "has entered already, with others or in another order: correct that entry, or give this one another name."
                faults.append(lines.first.fault(detail, "team_name"))
            return lines, None
        faults += self._said_otherwise(lines, found)
        return replace(lines, sent=self._by_ids(sent, found)), found

    def _called(self, entrant: EntrantState) -> EntryNames:
        names = tuple(map(self.names.get, line_up(self.roster, entrant)))
        return self.names.get(entrant.entrant), names, len(entrant.said.persons)

    def _name(self, one: WhoEnters) -> str | None:
        return said_again(one.name) if one.id is None else self.names.get(one.id)

    def _taken(self, called: EntryNames, sent: NewEntry) -> EntrantState | None:
        """Each entry is found once; whoever is named by an id is nobody else."""
        ids = [one.id for one in everybody(sent)]
        for entrant in self._there.get(called, []):
            there = line_up(self.roster, entrant)
            if all(identity in {None, known} for identity, known in zip(ids, there, strict=True)):
                self._there[called].remove(entrant)
                return entrant
        return None

    def _by_ids(self, sent: NewEntry, found: EntrantState) -> NewEntry:
        there = zip(everybody(sent), line_up(self.roster, found), strict=True)
        members = [WhoEnters(id=identity, captain=one.captain) for one, identity in there]
        players, substitutes = members[: len(found.said.persons)], members[len(found.said.persons) :]
        who_plays = {"person": players[0]} if sent.person else {"persons": players}
        return sent.model_copy(update=who_plays | {"substitutes": substitutes})

    def _misnamed(self, lines: EntryLines) -> Iterable[InputFault]:
        for line, one in lines.members:
            name = self.names.get(one.id) if one.id else None
            if name is not None and said_again(line.cells.get("name")) not in {None, name}:
                yield line.fault("is not what this person is called: mend the id, or leave the name out.", "name")

    def _said_otherwise(self, lines: EntryLines, found: EntrantState) -> Iterable[InputFault]:
        for (line, one), person in zip(lines.members, line_up(self.roster, found), strict=True):
            if one.particulars is None:
                continue
            said, known = one.particulars.known(), self.known.get(person, NOTHING_KNOWN)
            for column in PARTICULARS:
                if getattr(said, column) not in {None, (), getattr(known, column)}:
                    yield line.fault("is known otherwise of who has entered: change it with the person.", column)


def line_up(roster: Roster, entrant: EntrantState) -> tuple[str, ...]:
    return (*entrant.said.persons, *roster.details_of(entrant.entrant).also.substitutes)


def is_gone(entrant: EntrantState) -> bool:
    return isinstance(entrant, Withdrawn | StruckOff)


class ReadyFile(Value):
    """A file without faults, as it was read for one version of the tournament."""

    order: Enter
    newcomers: Newcomers
    lines: Sequence[EntryLines]
    gone: Sequence[EntryLines]
    erased: Sequence[tuple[EntryLines, str]]  # entries that are there, of somebody whom nobody can enter any more


class EntryImport(Value):
    tournaments: TournamentHandler
    intake: Intake
    now: Now

    async def carry_out(self, tournament_id: str, content: bytes, decision: Decision | None, act: Act) -> Response:
        """The file is held against the tournament; when somebody else was faster it is held against what they left."""

        async def once(state: State, over: Act) -> Response:
            return await self._carry_out(tournament_id, await self._ready(known(state), content, decision, act), over)

        return await run_against_newest(self.tournaments, tournament_id, act, once, status=HTTPStatus.CREATED)

    async def try_out(self, tournament_id: str, content: bytes, decision: Decision | None, act: Act) -> Response:
        state = await announced(self.tournaments, tournament_id)
        ready = await self._ready(state, content, decision, act)
        then = TOURNAMENT.fold(TOURNAMENT.decide(state, ready.order), state)
        return tried(foreseen(outcomes(ready, then)))

    async def _carry_out(self, tournament_id: str, ready: ReadyFile, act: Act) -> Response:
        async with self.intake.taking_in(ready.newcomers) as came:
            response = await run(
                self.tournaments,
                tournament_id,
                ready.order,
                act,
                lambda state: imported(outcomes(ready, state)),
                status=HTTPStatus.CREATED,
                also=ready.newcomers.also,
                relying=ready.newcomers.relying,
            )
            answered = answer_in(response, FileImported)
            state = await announced(self.tournaments, tournament_id)
            there = state.roster.entrants
            came += [listed_entrant_view(state, there[one.entrant]) for one in answered.entries if one.entrant]
        return response

    async def _ready(
        self, state: AnnouncedTournament, content: bytes, decision: Decision | None, act: Act
    ) -> ReadyFile:
        plan, faults = state.plan, list[InputFault]()
        needed = ["entry"] if plan.ruleset.entry.kind != "individual" else []
        lines = read(content, COLUMNS, needed=needed)
        homes = (await self.intake.judge.background(plan, [])).homes
        found = entries_in(lines, plan.ruleset.entry.kind, homes, faults)
        there = await self._entries_there(state, lines)
        recognised = [there.recognised(one, faults) for one in found]
        coming, gone, erased = list[EntryLines](), list[EntryLines](), list[tuple[EntryLines, str]]()
        for one, was in recognised:
            if was is not None and is_gone(was):
                gone.append(one)
            elif was is not None and await self._names_erased(one, there.names):
                erased.append((one, was.entrant))
            else:
                coming.append(one)
        read_entries, new = await self.intake.read([one.sent for one in coming], plan)
        faults += [coming[place].fault(fault) for place, fault in faults_of(read_entries)]
        good = [
            (entry, one) for entry, one in zip(read_entries, coming, strict=True) if isinstance(entry, ProposedEntry)
        ]
        entries = [entry for entry, _ in good]
        order = Enter(
            entries=tuple(entries),
            at=as_stored(self.now()),
            decision=decision,
            passed=self.intake.judge.passed(plan),
        )
        of_rules = self._refused(state, order, [one for _, one in good], is_whole=not faults)
        named = {number_of(fault) for fault in (*faults, *of_rules)}
        faults += await self._alike([one for one in coming if not named & one.numbers], plan.federation)
        members = [(line, person.id) for one in coming for line, person in one.members]
        faults += await licence_faults(members, plan.federation, self.intake.directory)
        claims = await self.intake.judge.claim_faults(entries, plan)
        of_rules += [good[place][1].first.fault(sentence) for place, sentence in claims]
        called = called_as_sent(entries, new)
        faults += [InputFault(one.pointer, spoken(one.detail, called)) for one in of_rules]
        if faults:
            raise Faulty(SENTENCE, sorted(dict.fromkeys(faults), key=number_of))
        return ReadyFile(
            order=order,
            newcomers=self.intake.newcomers_of(entries, new, plan, act),
            lines=[one for _, one in good],
            gone=gone,
            erased=erased,
        )

    async def _alike(self, entries: Sequence[EntryLines], federation: str) -> list[InputFault]:
        """Nobody is registered twice only because a file has left out their id."""
        members = [member for one in entries for member in one.members]
        new = persons_in([line for line, person in members if person.id is None], [])
        if not new:
            return []
        called = await known_persons(self.intake.directory, federation, {folded(one.name) for one in new})
        return [*called.alike(new, {person.id for _, person in members if person.id is not None})]

    async def _names_erased(self, lines: EntryLines, names: Mapping[str, str]) -> bool:
        nameless = [one.id for one in everybody(lines.sent) if one.id is not None and one.id not in names]
        return any([await self.intake.directory.is_erased(one) for one in nameless])

    async def _entries_there(self, state: AnnouncedTournament, lines: Sequence[Line]) -> EntriesThere:
        roster = state.roster
        persons = [one for entrant in roster.entrants.values() for one in line_up(roster, entrant)]
        judge, named = self.intake.judge, [one for line in lines if (one := line.cells.get("person", NEW)) != NEW]
        own = await judge.persons_of(state.plan.federation, named)
        names, particulars = await asyncio.gather(
            self.intake.directory.names.in_full([*persons, *roster.entrants, *own]), judge.known(state.plan, persons)
        )
        return EntriesThere(roster=roster, names=names, known=particulars)

    def _refused(
        self, state: AnnouncedTournament, order: Enter, lines: Sequence[EntryLines], *, is_whole: bool
    ) -> list[InputFault]:
        """What the rules say against single entries; what is against all of them is no fault of a line."""
        try:
            TOURNAMENT.decide(state, order)
        except Faulty as faulty:
            return [lines[int(fault.pointer.split("/")[2])].first.fault(fault.detail) for fault in faulty.faults]
        except (NotNow, EntriesClosed):
            if is_whole:
                raise
        except Refusal as refusal:
            return [lines[0].first.fault(str(refusal))]
        return []


def number_of(fault: InputFault) -> int:
    return int(fault.pointer.split("/")[2]) if fault.pointer.count("/") > 1 else 0


def outcomes(ready: ReadyFile, state: State) -> list[OutcomeOfEntry]:
    roster, found = known(state).roster, list[OutcomeOfEntry]()
    for entry, lines in zip(ready.order.entries, ready.lines, strict=True):
        there = roster.entrant_of(entry.said.persons[0])
        entrant = there.entrant if there else entry.entrant
        outcome: Outcome = (
            "unchanged" if entrant != entry.entrant else "waiting" if isinstance(there, WaitingEntrant) else "entered"
        )
        found.append(OutcomeOfEntry(line=lines.first.number, entrant=entrant, outcome=outcome))
    found += [OutcomeOfEntry(line=one.first.number, entrant=None, outcome="gone") for one in ready.gone]
    found += [
        OutcomeOfEntry(line=one.first.number, entrant=entrant, outcome="unchanged") for one, entrant in ready.erased
    ]
    return sorted(found, key=lambda one: one.line)


def imported(found: list[OutcomeOfEntry]) -> FileImported:
    return FileImported(
        entered=count(found, "entered"),
        waiting=count(found, "waiting"),
        unchanged=count(found, "unchanged"),
        gone=count(found, "gone"),
        entries=found,
    )


def foreseen(found: list[OutcomeOfEntry]) -> FileForeseen:
    words: dict[Outcome, str] = {
        "entered": "Coming in",
        "waiting": "Waiting for a place",
        "unchanged": "There already, and left as they are",
        "gone": "Withdrawn or struck off, and passed over",
    }
    changes = [f"{said}: {number} of {len(found)}." for kind, said in words.items() if (number := count(found, kind))]
    return FileForeseen(changes=changes, lost=[])


def count(found: Sequence[OutcomeOfEntry], outcome: Outcome) -> int:
    return sum(one.outcome == outcome for one in found)


def routes(*, importing: EntryImport, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/entries", tags=["entries"])

    @router.post(
        "/import",
        summary="Enter whoever stands in a file",
        description=f"CSV, one line for each person: all of them come in, or nobody. Columns: {', '.join(COLUMNS)}.",
        operation_id="importEntries",
        status_code=HTTPStatus.CREATED,
        response_model=FileImported,
        responses=CREATED | {HTTPStatus.OK.value: {"model": FileForeseen, "description": "What it would change."}},
    )
    async def bring_in(
        tournament_id: TournamentId,
        content: EntriesFile,
        act: Annotated[Act, Depends(door.acts(ORGANISE))],
        decision: Annotated[
            Decision | Absent,
            Query(description="Why the organiser takes them after entries have closed.", examples=["other"]),
        ] = None,
        dry_run: DryRun = False,
    ) -> Response:
        if dry_run:
            return await importing.try_out(tournament_id, content, decision, act)
        return await importing.carry_out(tournament_id, content, decision, act)

    @router.get(
        "/export",
        summary="Entries as a file",
        description="CSV in the columns of the import, of everybody who takes part or waits. Brought in again it changes "
        "nothing.",
        operation_id="exportEntries",
        response_class=Response,
        responses=as_csv(EXAMPLE) | BAD | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(OFFICIATE))],
    )
    async def take_out(tournament_id: TournamentId) -> Response:
        roster = (await announced(importing.tournaments, tournament_id)).roster
        there = [one for one in roster.entrants.values() if not is_gone(one)]
        persons = [one for entrant in there for one in line_up(roster, entrant)]
        names = await importing.intake.directory.names.in_full([*persons, *roster.entrants])
        rows = [row for one in there for row in lines_of(one, roster.details_of(one.entrant), names)]
        headers = {"Content-Disposition": f'attachment; filename="entries-{tournament_id}.csv"'}
        return Response(written(COLUMNS, rows), media_type=CSV, headers=headers)

    return router
