"""What is sent of somebody who enters becomes an entry, and new persons where it names any."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from services.registration.api import comer_forms, entrant_forms
from services.registration.api.eligible import Judge, particulars_of
from services.registration.api.naming import named_first
from services.registration.domain import person
from services.registration.domain.naming import readable
from services.registration.domain.person import RegisterPerson
from services.registration.domain.tournament import State, known, orders
from services.registration.domain.tournament.orders import Said
from services.registration.domain.tournament.states import Plan
from shared.act import Act
from shared.decider import Refusal
from shared.faults import Fault, Faulty, at
from shared.handle import Beside, Handler
from shared.ids import NewId
from shared.names import Names
from shared.particulars import Particulars

type PersonHandler = Handler[person.State, person.Command, person.Event]


@dataclass(frozen=True, kw_only=True, slots=True)
class New:
    """Whom and what one request makes known."""

    persons: dict[str, str] = field(default_factory=dict[str, str])  # names, by id
    teams: dict[str, str] = field(default_factory=dict[str, str])
    particulars: dict[str, Particulars] = field(default_factory=dict[str, Particulars])

    @property
    def names(self) -> Mapping[str, str]:
        return {**self.persons, **self.teams}


@dataclass(frozen=True, kw_only=True, slots=True)
class Comers:
    """Those of one request, in its order."""

    entries: tuple[orders.Entry, ...]
    new: New
    beside: Sequence[Beside]  # registers them, and claims what may be had once, in the same act

    def entrants(self, state: State) -> list[str]:
        """By which ids they take part now: who had entered before keeps theirs."""
        roster = known(state).roster
        taking_part = [roster.entrant_of(entry.said.persons[0]) for entry in self.entries]
        return [entrant.entrant for entrant in taking_part if entrant is not None]


@dataclass(frozen=True, kw_only=True)
class Entrance:
    persons: PersonHandler
    names: Names
    judge: Judge
    new_id: NewId

    async def comers(self, sent: Sequence[comer_forms.NewEntry], plan: Plan, act: Act) -> Comers:
        """Somebody known has to be known; somebody new belongs to the federation of the tournament."""
        entries: list[orders.Entry] = []
        new, faults = New(), list[Fault]()
        for place, entry in enumerate(sent):
            try:
                entries.append(await self._entry(entry, plan, new))
            except Faulty as faulty:
                below = at("entrants", place) if len(sent) > 1 else ""
                faults += [fault.below(below) for fault in faulty.faults]
        if faults:
            raise Faulty("Nobody was entered: mend what errors name.", faults)
        beside = [
            self.persons.part(one, RegisterPerson(person=one, federation=plan.federation), scope=one, origin=act.origin)
            for one in new.persons
        ]
        claims = self.judge.claims(entries, plan, act)
        return Comers(entries=tuple(entries), new=new, beside=[*beside, *claims])

    async def _entry(self, sent: comer_forms.NewEntry, plan: Plan, new: New) -> orders.Entry:
        """Or all its faults at once."""
        faults: list[Fault] = []
        base, captains = await self._persons(sent, new, faults)
        substitutes = [
            await self._who(one, new, at("substitutes", place), faults) for place, one in enumerate(sent.substitutes)
        ]
        if faults:
            raise Faulty("This is no entry yet.", faults)
        captain = sent.captain or (captains[0] if captains else None)
        entrant = str(self.new_id())
        if sent.name is not None:
            new.teams[entrant] = readable(sent.name)
        also, lists, judged = await self.judge.entry(
            sent, plan, base=tuple(base), substitutes=tuple(substitutes), captain=captain, new=new.particulars
        )
        said = Said(persons=tuple(base), rating=sent.rating, key=sent.key, lists=lists)
        return orders.Entry(entrant=entrant, said=said, also=also, verdicts=judged)

    async def _persons(self, sent: comer_forms.NewEntry, new: New, faults: list[Fault]) -> tuple[list[str], list[str]]:
        """Who plays, and who of them is marked as captain."""
        if (sent.person is None) == (sent.persons is None):
            faults.append(Fault("/person", "Send the person who plays, or several as persons, and not both."))
            return [], []
        if sent.person is not None:
            return [await self._who(sent.person, new, "/person", faults)], []
        several = sent.persons or []
        base = [await self._who(one, new, at("persons", place), faults) for place, one in enumerate(several)]
        captains = [identity for one, identity in zip(several, base, strict=True) if one.captain]
        if len(captains) + (sent.captain is not None) > 1:
            faults.append(Fault("/captain", "Name one captain."))
        return base, captains

    async def _who(self, sent: comer_forms.WhoEnters, new: New, pointer: str, faults: list[Fault]) -> str:
        match sent.id, sent.name:
            case str(identity), None if sent.particulars is None:
                state, _ = await self.persons.load(identity)
                if isinstance(state, person.Unknown):
                    faults.append(
                        Fault(pointer, f"There is no person {identity}: register them first, or send a name.")
                    )
                return identity
            case None, str(name):
                identity = str(self.new_id())
                new.persons[identity] = readable(name)
                if sent.particulars is not None:
                    new.particulars[identity] = particulars_of(sent.particulars)
                return identity
            case _:
                words = 'Send the id of a person, or {"name": …} of somebody new, and not both.'
                faults.append(Fault(pointer, words))
                return ""

    @asynccontextmanager
    async def coming(self, comers: Comers) -> AsyncGenerator[list[entrant_forms.Entrant]]:
        """Put into the list who has come in; what was new to nobody is forgotten again."""
        came: list[entrant_forms.Entrant] = []
        new = comers.new
        for identity, particulars in new.particulars.items():
            await self.judge.particulars.keep(identity, particulars)
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
