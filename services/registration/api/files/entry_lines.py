"""Entries in a file: one line for each person. Lines with the same `entry` are one team or pair.

What belongs to the entry as a whole may stand in each of its lines, or in the first only.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import ValidationError

from services.registration.api import comer_forms
from services.registration.api.comer_forms import MOST_RATING
from services.registration.domain.clubs_and_schools import Homes
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.tournament.entrants import EntrantState, EntryDetails
from shared.access import references
from shared.csv_lines import YES, Line
from shared.faults import Fault
from shared.values import Value

OF_ENTRY = ("team_name", "team", "rating", "key", "lists", "school", "club", "region", "declared", "consents", "needs",
            "history", "history_source", "direct", "direct_source", "carried")  # fmt: skip
OF_PARTICULARS = ("born", "citizenship", "town", "email", "phone", "licence")
COLUMNS = ("entry", "person", "name", "role", "captain", *OF_ENTRY, *OF_PARTICULARS)
IDS: Mapping[str, references.Kind] = {
    "person": "person",
    "team": "team",
    "school": "home",
    "club": "home",
    "region": "home",
}
SEVERAL = ("lists", "declared", "consents", "needs", "citizenship")
ROLES = ("player", "substitute")
CODES = "should be codes of small letters, digits and hyphens, with spaces between them."
FORMS = {
    "person": "should be the id of somebody who is registered.",
    "name": f"should be a name of at most {LONGEST_NAME} characters.",
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
    "born": "should be a date such as 2011-05-17, or a year.",
    "citizenship": "should be countries of two capital letters, such as SK, with spaces between them.",
    "town": "should be a town of at most 100 characters.",
    "email": "should be an e-mail address.",
    "phone": "should be digits and spaces, with a plus in front if need be.",
    "licence": "should be a number of at most 40 characters, without spaces.",
}

type Kind = Literal["individual", "pair", "team"]


class EntryLines(Value):
    """One entry, and where each of its persons stands in the file."""

    sent: comer_forms.NewEntry
    players: tuple[Line, ...]
    substitutes: tuple[Line, ...]

    @property
    def first(self) -> Line:
        return min((*self.players, *self.substitutes), key=lambda line: line.number)

    def fault(self, fault: Fault) -> Fault:
        """The same, where it stands in the file."""
        return placed(fault.pointer.split("/")[1:], fault.detail, self.players, self.substitutes)


def entries_in(lines: Sequence[Line], kind: Kind, homes: Homes, faults: list[Fault]) -> list[EntryLines]:
    """Those that have the right form; of the others every fault is named."""
    found: list[EntryLines] = []
    for group in together(lines, kind, faults):
        before = len(faults)
        players = tuple(line for line in group if line.cells.get("role", "player") == "player")
        substitutes = tuple(line for line in group if line not in players)
        faults += form_faults(group)
        body = said(group, players, substitutes, kind, homes, faults)
        try:
            sent = comer_forms.NewEntry.model_validate(body)
        except ValidationError as wrong:
            for one in wrong.errors(include_url=False, include_context=False, include_input=False):
                faults.append(placed([str(step) for step in one["loc"]], None, players, substitutes))
            continue
        if len(faults) == before:
            found.append(EntryLines(sent=sent, players=players, substitutes=substitutes))
    return found


def together(lines: Sequence[Line], kind: Kind, faults: list[Fault]) -> list[list[Line]]:
    """In the order of their first lines."""
    groups: dict[str, list[Line]] = {}
    for line in lines:
        name = line.cells.get("entry")
        if name is None and kind != "individual":
            faults.append(line.fault(f"says which lines are one {kind}: write the same in all of them.", "entry"))
        groups.setdefault(name or f"\n{line.number}", []).append(line)
    return list(groups.values())


def form_faults(group: Sequence[Line]) -> Iterator[Fault]:
    first = group[0]
    for line in group:
        role = line.cells.get("role", "player")
        if role not in ROLES:
            yield line.fault(f"should be {' or '.join(ROLES)}, not {role}.", "role")
        if line.cells.get("captain", "no") not in {"yes", "no"}:
            yield line.fault("should be yes or no.", "captain")
        if "person" not in line.cells and "name" not in line.cells:
            yield line.fault(
                "is missing: write the name of somebody new, or the id of somebody known as person.", "name"
            )
        if "person" in line.cells and (known := [one for one in OF_PARTICULARS if one in line.cells]):
            yield line.fault("is only for somebody new: change it with the person.", known[0])
        for column in OF_ENTRY:
            if line.cells.get(column, wanted := first.cells.get(column, "")) != wanted:
                yield line.fault(f"differs from line {first.number} of the same entry: say it once.", column)


def said(
    group: Sequence[Line],
    players: Sequence[Line],
    substitutes: Sequence[Line],
    kind: Kind,
    homes: Homes,
    faults: list[Fault],
) -> dict[str, Any]:
    """As it could have been sent; what is not there is left out."""
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
    if "person" in line.cells:
        found: dict[str, Any] = {"id": line.cells["person"]}
    else:
        known = {
            column: line.listed(column) if column in SEVERAL else line.cells[column]
            for column in OF_PARTICULARS
            if column in line.cells
        }
        found = {"name": line.cells.get("name")} | ({"particulars": known} if known else {})
    return found | ({"captain": True} if line.cells.get("captain") == "yes" else {})


def home_in(line: Line, kind: str, homes: Homes, faults: list[Fault]) -> str | None:
    """By its id, or by its name where only one is called so."""
    cell = line.cells[kind]
    if cell in homes.known:
        return cell
    named = [identity for identity, home in homes.known.items() if (home.kind, home.name) == (kind, cell)]
    if len(named) != 1:
        how = "several are called so" if named else f"the federation has no {kind} {cell}"
        faults.append(line.fault(f"{how}: write its id{'' if named else ', or register it first'}.", kind))
        return None
    return named[0]


def placed(steps: Sequence[str], detail: str | None, players: Sequence[Line], substitutes: Sequence[Line]) -> Fault:
    """What is wrong where a step into an entry leads in the file; by default the form of the cell is."""
    first = min((*players, *substitutes), key=lambda line: line.number)
    match list(steps):
        case [("persons" | "substitutes") as role, number, *inside] if number.isdecimal():
            line = (players if role == "persons" else substitutes)[int(number)]
            return line.fault(*of_person(line, inside, detail))
        case ["person", *inside]:
            return first.fault(*of_person(first, inside, detail))
        case ["name", *_]:
            return first.fault(detail or FORMS["name"], "team_name")
        case [column, *_] if column in COLUMNS:
            return first.fault(detail or FORMS.get(column, "is not in the form that is needed."), column)
        case _:
            return first.fault(detail or "This is no entry yet: say who plays.")


def of_person(line: Line, inside: Sequence[str], detail: str | None) -> tuple[str, str]:
    found = [step for step in inside if step in FORMS]
    column = found[-1] if found else "person" if "person" in line.cells else "name"
    return detail or FORMS[column], column


def lines_of(entrant: EntrantState, details: EntryDetails, names: Mapping[str, str]) -> Iterator[dict[str, str | int]]:
    """The lines of an entry that is there. What is known of persons besides their names stays where it is."""
    also, said = details.also, entrant.said
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
