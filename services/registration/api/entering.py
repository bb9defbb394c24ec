"""What is sent of somebody who enters becomes an entry, and a new person where it names one."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from services.registration.api import entrant_forms
from services.registration.api.naming import named_first
from services.registration.domain import person
from services.registration.domain.naming import readable
from services.registration.domain.person import RegisterPerson
from services.registration.domain.tournament import State, known, orders
from services.registration.domain.tournament.orders import Said
from shared.act import Act
from shared.faults import Fault, Faulty, at
from shared.handle import Beside, Handler
from shared.ids import NewId
from shared.names import Names

type PersonHandler = Handler[person.State, person.Command, person.Event]


@dataclass(frozen=True, kw_only=True, slots=True)
class Comers:
    """Those of one request, in its order."""

    entries: tuple[orders.Entry, ...]
    names: Mapping[str, str]  # of those who are new
    beside: Sequence[Beside]  # registers them, in the same act

    def entrants(self, state: State) -> list[str]:
        """By which ids they take part now: who had entered before keeps theirs."""
        roster = known(state).roster
        taking_part = [roster.entrant_of(entry.said.persons[0]) for entry in self.entries]
        return [entrant.entrant for entrant in taking_part if entrant is not None]


@dataclass(frozen=True, kw_only=True)
class Entrance:
    persons: PersonHandler
    names: Names
    new_id: NewId

    async def comers(self, sent: Sequence[entrant_forms.Entry], federation: str, act: Act) -> Comers:
        """Somebody known has to be known; somebody new belongs to the federation of the tournament."""
        entries: list[orders.Entry] = []
        names: dict[str, str] = {}
        faults: list[Fault] = []
        for place, entry in enumerate(sent):
            who = await self._who(entry.person, names)
            if isinstance(who, Fault):
                faults.append(who.below(at("entrants", place) if len(sent) > 1 else ""))
                continue
            said = Said(persons=(who,), rating=entry.rating, key=entry.key, lists=tuple(sorted(set(entry.lists))))
            entries.append(orders.Entry(entrant=str(self.new_id()), said=said))
        if faults:
            raise Faulty("Nobody was entered: mend what errors name.", faults)
        beside = [
            self.persons.part(new, RegisterPerson(person=new, federation=federation), scope=new, origin=act.origin)
            for new in names
        ]
        return Comers(entries=tuple(entries), names=names, beside=beside)

    async def _who(self, sent: entrant_forms.WhoEnters, names: dict[str, str]) -> str | Fault:
        match sent.id, sent.name:
            case str(identity), None:
                state, _ = await self.persons.load(identity)
                if isinstance(state, person.Unknown):
                    return Fault("/person", f"There is no person {identity}: register them first, or send a name.")
                return identity
            case None, str(name):
                new = str(self.new_id())
                names[new] = readable(name)
                return new
            case _:
                return Fault("/person", 'Send the id of a person, or {"name": …} of somebody new, and not both.')

    @asynccontextmanager
    async def coming(self, comers: Comers) -> AsyncGenerator[list[entrant_forms.Entrant]]:
        """Put into the list who has come in; names of persons who were new to nobody are forgotten again."""
        came: list[entrant_forms.Entrant] = []
        async with named_first(self.names, comers.names):
            yield came
        known_now = {shown.id for entrant in came for shown in entrant.persons}
        if unused := [new for new in comers.names if new not in known_now]:
            await self.names.erase(unused)
