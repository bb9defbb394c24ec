"""One entry as it was sent, read: who plays, and what else it says. All its faults are named at once."""

from collections.abc import Iterator, Mapping

import msgspec

from services.registration.api import comer_forms
from services.registration.api.reading_details import SENTENCE, entry_said, particulars_of
from services.registration.domain.names import UnusableName, readable
from services.registration.domain.tournament.entrants import EntrySaid, ProposedEntry
from services.registration.domain.tournament.states import Plan
from services.registration.eligibility.judge import Background
from shared.faults import Fault, Faulty, at
from shared.ids import NewId
from shared.personal.particulars import Particulars
from shared.values import Value

# Without the id, which would be answered with the name of whoever has it.
NOBODY = "The federation has no such person: register them first, or send a name."


class New(Value):
    """Whom and what one request makes known."""

    persons: dict[str, str] = msgspec.field(default_factory=dict[str, str])  # names, by id
    teams: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    particulars: dict[str, Particulars] = msgspec.field(default_factory=dict[str, Particulars])

    @property
    def names(self) -> Mapping[str, str]:
        return {**self.persons, **self.teams}


def everybody(sent: comer_forms.NewEntry) -> Iterator[comer_forms.WhoEnters]:
    if sent.person is not None:
        yield sent.person
    yield from sent.persons or ()
    yield from sent.substitutes


class Reader(Value):
    plan: Plan
    background: Background
    registered: Mapping[str, str]  # of the persons who are named: the id that they take part under
    new: New
    new_id: NewId

    def entry(self, sent: comer_forms.NewEntry) -> ProposedEntry:
        faults: list[Fault] = []
        base, captains = self._persons(sent, faults)
        substitutes = [self._who(one, at("substitutes", place), faults) for place, one in enumerate(sent.substitutes)]
        entrant = str(self.new_id())
        if sent.name is not None and (name := self._name(sent.name, "/name", faults)):
            self.new.teams[entrant] = name
        if faults:
            raise Faulty(SENTENCE, faults)
        also, lists, judged = entry_said(
            sent,
            self.plan,
            self.background,
            base=tuple(base),
            substitutes=tuple(substitutes),
            captain=self.registered.get(sent.captain, sent.captain)
            if sent.captain
            else (captains[0] if captains else None),
        )
        said = EntrySaid(persons=tuple(base), rating=sent.rating, key=sent.key, lists=lists)
        return ProposedEntry(entrant=entrant, said=said, also=also, verdicts=judged)

    def _persons(self, sent: comer_forms.NewEntry, faults: list[Fault]) -> tuple[list[str], list[str]]:
        """Who plays, and who of them is marked as captain."""
        if (sent.person is None) == (sent.persons is None):
            faults.append(Fault("/person", "Send the person who plays, or several as persons, and not both."))
            return [], []
        if sent.person is not None:
            return [self._who(sent.person, "/person", faults)], []
        several = sent.persons or []
        base = [self._who(one, at("persons", place), faults) for place, one in enumerate(several)]
        captains = [identity for one, identity in zip(several, base, strict=True) if one.captain]
        if len(captains) + (sent.captain is not None) > 1:
            faults.append(Fault("/captain", "Name one captain."))
        return base, captains

    def _who(self, sent: comer_forms.WhoEnters, pointer: str, faults: list[Fault]) -> str:
        match sent.id, sent.name:
            case str(identity), None if sent.particulars is None:
                if identity not in self.registered:
                    faults.append(Fault(pointer, NOBODY))
                return self.registered.get(identity, identity)
            case None, str(name):
                identity = str(self.new_id())
                self.new.persons[identity] = self._name(name, pointer, faults)
                if sent.particulars is not None:
                    known = particulars_of(sent.particulars)
                    self.new.particulars[identity] = self.background.known[identity] = known
                return identity
            case _:
                words = 'Send the id of a person, or {"name": …} of somebody new, and not both.'
                faults.append(Fault(pointer, words))
                return ""

    def _name(self, name: str, pointer: str, faults: list[Fault]) -> str:
        try:
            return readable(name)
        except UnusableName as unusable:
            faults.append(Fault(pointer, str(unusable)))
            return ""
