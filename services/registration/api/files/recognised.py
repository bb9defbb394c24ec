"""Who in a file is there already: the same file sent again changes nothing, also where it names nobody by an id."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from services.registration.api import comer_forms
from services.registration.api.files.entry_lines import OF_PARTICULARS, EntryLines
from services.registration.api.reading_details import particulars_of
from services.registration.domain.names import UnusableName, readable
from services.registration.domain.tournament.entrants import EntrantState, StruckOff, Withdrawn
from services.registration.domain.tournament.roster import Roster
from shared.faults import Fault
from shared.personal.particulars import NOTHING_KNOWN, Particulars

type Called = tuple[str | None, tuple[str | None, ...], tuple[str | None, ...]]  # an entry, and who plays for it


def said_again(name: str | None) -> str | None:
    try:
        return None if name is None else readable(name)
    except UnusableName:
        return name


@dataclass(frozen=True, kw_only=True)
class Recognising:
    """One file: of two entries of the same names the first is the first that has entered."""

    roster: Roster
    names: Mapping[str, str]
    known: Mapping[str, Particulars]
    _there: dict[Called, list[EntrantState]] = field(default_factory=dict[Called, list[EntrantState]], init=False)
    _teams: set[str] = field(default_factory=set[str], init=False)

    def __post_init__(self) -> None:
        for entrant in self.roster.entrants.values():
            called = self._called(entrant)
            self._there.setdefault(called, []).append(entrant)
            if called[0] is not None:
                self._teams.add(called[0])

    def entry(self, lines: EntryLines, faults: list[Fault]) -> tuple[EntryLines, bool]:
        """By the ids of those who have entered, if they have; and whether they are gone again."""
        sent = lines.sent
        players = [sent.person] if sent.person else sent.persons or []
        called: Called = (
            said_again(sent.name),
            tuple(self._name(one) for one in players),
            tuple(self._name(one) for one in sent.substitutes),
        )
        faults += self._misnamed(lines, [*players, *sent.substitutes])
        found = self._taken(called, [*players, *sent.substitutes])
        if found is None:
            if called[0] in self._teams and sent.team is None:
                detail = "has entered already, and with others: correct that entry, or give this one another name."
                faults.append(lines.first.fault(detail, "team_name"))
            return lines, False
        faults += self._said_otherwise(lines, found)
        return replace(lines, sent=self._by_ids(sent, found)), isinstance(found, Withdrawn | StruckOff)

    def _called(self, entrant: EntrantState) -> Called:
        substitutes = self.roster.details_of(entrant.entrant).also.substitutes
        return (
            self.names.get(entrant.entrant),
            tuple(self.names.get(one) for one in entrant.said.persons),
            tuple(self.names.get(one) for one in substitutes),
        )

    def _name(self, one: comer_forms.WhoEnters) -> str | None:
        return said_again(one.name) if one.id is None else self.names.get(one.id)

    def _taken(self, called: Called, members: Iterable[comer_forms.WhoEnters]) -> EntrantState | None:
        """Each once; whoever is named by an id is nobody else."""
        ids = [one.id for one in members]
        for entrant in self._there.get(called, []):
            there = self._members(entrant)
            if all(identity in {None, known} for identity, known in zip(ids, there, strict=True)):
                self._there[called].remove(entrant)
                return entrant
        return None

    def _members(self, entrant: EntrantState) -> tuple[str, ...]:
        return (*entrant.said.persons, *self.roster.details_of(entrant.entrant).also.substitutes)

    def _by_ids(self, sent: comer_forms.NewEntry, found: EntrantState) -> comer_forms.NewEntry:
        substitutes = self.roster.details_of(found.entrant).also.substitutes
        players = [sent.person] if sent.person else sent.persons or []
        base = [
            comer_forms.WhoEnters(id=identity, captain=one.captain)
            for one, identity in zip(players, found.said.persons, strict=True)
        ]
        update = {"person": base[0]} if sent.person else {"persons": base}
        return sent.model_copy(update=update | {"substitutes": [comer_forms.WhoEnters(id=one) for one in substitutes]})

    def _misnamed(self, lines: EntryLines, members: Iterable[comer_forms.WhoEnters]) -> Iterable[Fault]:
        for line, one in zip((*lines.players, *lines.substitutes), members, strict=True):
            name = self.names.get(one.id) if one.id else None
            if name is not None and said_again(line.cells.get("name")) not in {None, name}:
                yield line.fault("is not what this person is called: mend the id, or leave the name out.", "name")

    def _said_otherwise(self, lines: EntryLines, found: EntrantState) -> Iterable[Fault]:
        sent = lines.sent
        players = [sent.person] if sent.person else sent.persons or []
        rows = zip(
            (*lines.players, *lines.substitutes), (*players, *sent.substitutes), self._members(found), strict=True
        )
        for line, one, person in rows:
            if one.particulars is None:
                continue
            said, known = particulars_of(one.particulars), self.known.get(person, NOTHING_KNOWN)
            for column in OF_PARTICULARS:
                if getattr(said, column) not in {None, (), getattr(known, column)}:
                    yield line.fault("is known otherwise of who has entered: change it with the person.", column)
