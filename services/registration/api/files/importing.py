"""A file of entries becomes entries: all of them or none, and every faulty line is named at once."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus

from fastapi import Response
from msgspec.structs import replace

from services.registration.api.entering import Comers, Entrance, faults_of
from services.registration.api.files import entry_lines
from services.registration.api.files.entry_lines import EntryLines
from services.registration.api.files.forms import FileForeseen, FileImported, Outcome, OutcomeOfEntry
from services.registration.api.files.licences import licence_faults
from services.registration.api.files.recognised import Recognising
from services.registration.api.reading_entries import everybody
from services.registration.api.showing import listed
from services.registration.api.tournaments import TournamentHandler
from services.registration.domain.tournament.admission import EntriesClosed
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.entrants import ProposedEntry, WaitingEntrant
from services.registration.domain.tournament.entries import Decision, Enter
from services.registration.domain.tournament.states import AnnouncedTournament, NotNow, State, known
from services.registration.eligibility.deadlines import as_stored
from shared.clock import Now
from shared.commands.handler import ChangedSince
from shared.csv_lines import SENTENCE, Line, read
from shared.faults import Fault, Faulty
from shared.http.door import Act
from shared.http.orders import run
from shared.http.responses import JSON
from shared.refusals import Refusal
from shared.values import Value

ATTEMPTS = 5


class Ready(Value):
    """A file without faults, as it was read for one version of the tournament."""

    order: Enter
    comers: Comers
    lines: Sequence[EntryLines]
    gone: Sequence[EntryLines]


class Importing(Value):
    tournaments: TournamentHandler
    entrance: Entrance
    now: Now

    async def happens(self, tournament_id: str, content: bytes, decision: Decision | None, act: Act) -> Response:
        """Over the version that the file was held against; when somebody else was faster it is held against theirs."""
        for attempt in range(ATTEMPTS):
            state, version = await self.tournaments.load(tournament_id)
            ready = await self._ready(known(state), content, decision, act)
            over = act if act.versions is not None else replace(act, versions=frozenset({version}))
            try:
                return await self._happens(tournament_id, ready, over)
            except ChangedSince:
                if act.versions is not None or attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError

    async def foreseen(self, tournament_id: str, content: bytes, decision: Decision | None, act: Act) -> Response:
        state, _ = await self.tournaments.load(tournament_id)
        ready = await self._ready(known(state), content, decision, act)
        then = TOURNAMENT.fold(TOURNAMENT.decide(state, ready.order), state)
        return Response(foreseen(outcomes(ready, then)).model_dump_json(), media_type=JSON)

    async def _happens(self, tournament_id: str, ready: Ready, act: Act) -> Response:
        async with self.entrance.coming(ready.comers) as came:
            response = await run(
                self.tournaments,
                tournament_id,
                ready.order,
                act,
                lambda state: imported(outcomes(ready, state)),
                status=HTTPStatus.CREATED,
                beside=ready.comers.beside,
            )
            answered = FileImported.model_validate_json(bytes(response.body))
            state, _ = await self.tournaments.load(tournament_id)
            there = known(state).roster.entrants
            came += [listed(known(state), there[one.entrant]) for one in answered.entries if one.entrant]
        return response

    async def _ready(self, state: AnnouncedTournament, content: bytes, decision: Decision | None, act: Act) -> Ready:
        plan, faults = state.plan, list[Fault]()
        needed = ["entry"] if plan.ruleset.entry.kind != "individual" else []
        lines = read(content, entry_lines.COLUMNS, needed=needed)
        homes = (await self.entrance.judge.background(plan, [])).homes
        found = entry_lines.entries_in(lines, plan.ruleset.entry.kind, homes, faults)
        recognising = await self._recognising(state, lines)
        recognised = [recognising.entry(one, faults) for one in found]
        coming = [one for one, is_gone in recognised if not is_gone]
        read_entries, new = await self.entrance.read([one.sent for one in coming], plan)
        faults += [coming[place].fault(fault) for place, fault in faults_of(read_entries)]
        good = [
            (entry, one) for entry, one in zip(read_entries, coming, strict=True) if isinstance(entry, ProposedEntry)
        ]
        entries = [entry for entry, _ in good]
        order = Enter(
            entries=tuple(entries),
            at=as_stored(self.now()),
            decision=decision,
            passed=self.entrance.judge.passed(plan),
        )
        faults += self._refused(state, order, [one for _, one in good], is_whole=not faults)
        members = [
            (line, who.id)
            for one in coming
            for line, who in zip((*one.players, *one.substitutes), everybody(one.sent), strict=True)
        ]
        faults += await licence_faults(members, plan.federation, self.entrance.people)
        claims = await self.entrance.judge.claim_faults(entries, plan)
        faults += [good[place][1].first.fault(sentence) for place, sentence in claims]
        if faults:
            raise Faulty(SENTENCE, sorted(dict.fromkeys(faults), key=number_of))
        return Ready(
            order=order,
            comers=self.entrance.comers_of(entries, new, plan, act),
            lines=[one for _, one in good],
            gone=[one for one, is_gone in recognised if is_gone],
        )

    async def _recognising(self, state: AnnouncedTournament, lines: Sequence[Line]) -> Recognising:
        field = state.roster
        persons = [*(one for entrant in field.entrants.values() for one in entrant.said.persons)]
        persons += [one for entrant in field.entrants for one in field.details_of(entrant).also.substitutes]
        judge, named = self.entrance.judge, [line.cells["person"] for line in lines if "person" in line.cells]
        own = await judge.persons_of(state.plan.federation, named)
        names, particulars = await asyncio.gather(
            self.entrance.names.in_full([*persons, *field.entrants, *own]), judge.known(state.plan, persons)
        )
        return Recognising(roster=field, names=names, known=particulars)

    def _refused(
        self, state: AnnouncedTournament, order: Enter, lines: Sequence[EntryLines], *, is_whole: bool
    ) -> list[Fault]:
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


def number_of(fault: Fault) -> int:
    return int(fault.pointer.split("/")[2]) if fault.pointer.count("/") > 1 else 0


def outcomes(ready: Ready, state: State) -> list[OutcomeOfEntry]:
    field, found = known(state).roster, list[OutcomeOfEntry]()
    for entry, lines in zip(ready.order.entries, ready.lines, strict=True):
        there = field.entrant_of(entry.said.persons[0])
        entrant = there.entrant if there else entry.entrant
        outcome: Outcome = (
            "unchanged" if entrant != entry.entrant else "waiting" if isinstance(there, WaitingEntrant) else "entered"
        )
        found.append(OutcomeOfEntry(line=lines.first.number, entrant=entrant, outcome=outcome))
    found += [OutcomeOfEntry(line=one.first.number, entrant=None, outcome="gone") for one in ready.gone]
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
    sentences: dict[Outcome, str] = {
        "entered": "come in",
        "waiting": "wait for a place",
        "unchanged": "are there already and stay as they are",
        "gone": "have withdrawn or were struck off, and are passed over",
    }
    changes = [
        f"{number} of {len(found)} {words}." for kind, words in sentences.items() if (number := count(found, kind))
    ]
    return FileForeseen(changes=changes, lost=[])


def count(found: Sequence[OutcomeOfEntry], outcome: Outcome) -> int:
    return sum(one.outcome == outcome for one in found)
