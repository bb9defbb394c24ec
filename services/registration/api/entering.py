"""What is sent of somebody who enters becomes an entry, and new persons where it names any."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager

from services.registration.api import comer_forms, entrant_forms
from services.registration.api.naming import named_first
from services.registration.api.people import People
from services.registration.api.reading_entries import New, Reader, everybody
from services.registration.domain.tournament.entrants import ProposedEntry
from services.registration.domain.tournament.states import Plan, State, known
from services.registration.eligibility.judge import Judge
from shared.commands.handler import Beside
from shared.faults import Fault, Faulty, at
from shared.http.door import Act
from shared.ids import NewId
from shared.personal.names import Names
from shared.refusals import Refusal
from shared.values import Value


class Comers(Value):
    """Those of one request, in its order."""

    entries: tuple[ProposedEntry, ...]
    new: New
    beside: Sequence[Beside]  # registers them, and claims what may be had once, in the same act

    def entrants(self, state: State) -> list[str]:
        """By which ids they take part now: who had entered before keeps theirs."""
        roster = known(state).roster
        taking_part = [roster.entrant_of(entry.said.persons[0]) for entry in self.entries]
        return [entrant.entrant for entrant in taking_part if entrant is not None]


class Entrance(Value):
    people: People
    names: Names
    judge: Judge
    new_id: NewId

    async def comers(self, sent: Sequence[comer_forms.NewEntry], plan: Plan, act: Act) -> Comers:
        """Somebody known has to be known; somebody new belongs to the federation of the tournament."""
        read, new = await self.read(sent, plan)
        below = [fault.below(at("entrants", place) if len(sent) > 1 else "") for place, fault in faults_of(read)]
        if below:
            raise Faulty("Nobody was entered: mend what errors name.", below)
        return self.comers_of([one for one in read if isinstance(one, ProposedEntry)], new, plan, act)

    async def read(self, sent: Sequence[comer_forms.NewEntry], plan: Plan) -> tuple[list[ProposedEntry | Faulty], New]:
        """Each as an entry, or with all that is wrong with it; and whom they make known."""
        named = {one.id for entry in sent for one in everybody(entry) if one.id is not None}
        here = await asyncio.gather(*(self.people.known_here(identity, plan) for identity in named))
        reader = Reader(
            plan=plan,
            background=await self.judge.background(plan, {one for one in here if one is not None}),
            registered={one: found for one, found in zip(named, here, strict=True) if found is not None},
            new=New(),
            new_id=self.new_id,
        )
        read: list[ProposedEntry | Faulty] = []
        for entry in sent:
            try:
                read.append(reader.entry(entry))
            except Faulty as faulty:
                read.append(faulty)
        return read, reader.new

    def comers_of(self, entries: Sequence[ProposedEntry], new: New, plan: Plan, act: Act) -> Comers:
        beside = self.people.registering([*new.persons], new.particulars, plan.federation, act)
        return Comers(entries=tuple(entries), new=new, beside=[*beside, *self.judge.claims(entries, plan, act)])

    @asynccontextmanager
    async def coming(self, comers: Comers) -> AsyncGenerator[list[entrant_forms.Entrant]]:
        """Put into the list who has come in; what was new to nobody is forgotten again."""
        came: list[entrant_forms.Entrant] = []
        new = comers.new
        await self.judge.particulars.keep_all(new.particulars)
        try:
            async with named_first(self.names, new.names):
                yield came
        except Refusal:
            if new.particulars:
                await self.judge.particulars.erase(new.particulars)
            raise
        shown = {one.id for entrant in came for one in (*entrant.persons, *entrant.substitutes)}
        known_now = shown | {entrant.id for entrant in came}
        if unused := [one for one in new.names if one not in known_now]:
            await self.names.erase(unused)
        if unused := [one for one in new.particulars if one not in known_now]:
            await self.judge.particulars.erase(unused)


def faults_of(read: Sequence[ProposedEntry | Faulty]) -> Iterator[tuple[int, Fault]]:
    for place, one in enumerate(read):
        if isinstance(one, Faulty):
            yield from ((place, fault) for fault in one.faults)
