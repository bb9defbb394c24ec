"""The name of a class, or of a type, means one thing in the whole project: whoever meets it knows which one it is.

Two things may share a name where that says something: an event and what neighbours are told of it; the `Command`, `Event`
and `State` of each stream; and a role that every service has once.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OF_EACH_STREAM = {"Command", "Event", "State"}
OF_EACH_SERVICE = {"KnownTournament", "Tournaments", "Reaction"}
# These were there before the rule: none may be added, and one that has gone is taken off.
LEFT = """
  Absence Act AfterPosition Answer CheckIn Count Criterion Decision Departure Draft Drawn Entrant EntrantId EntrantOne
  EntrantOther EntrantUnknown Entry FederationId Foreseen Game GameHasBegun Groups IdTaken Key Kind LastEventId LineUp
  Merged NoSuchTie Number OfRound Order Origin Outcome Pair Part Particulars Penalty PersonId PersonUnknown Persons
  PersonsImported Placed Player Points Reason Result Room Round RoundHandler RoundNumber RoundUnknown Row
  Scores SeasonId SeasonUnknown Sheet Stage StageId State Step Table TooLate Tournament
""".split()  # noqa: SIM905 - a line for each of them would be longer than the test


def test_the_name_of_a_class_means_one_thing() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for name, place in names():
        places[name].append(place)
    twice = {name: sorted(found) for name, found in places.items() if len(found) > 1 and not is_meant(name, found)}
    assert {name: found for name, found in twice.items() if name not in LEFT} == {}
    assert set(LEFT) - twice.keys() == set()


def names() -> Iterator[tuple[str, str]]:
    for folder in ("services", "shared", "deploy"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            place = file.relative_to(ROOT).as_posix()
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                match node:
                    case ast.ClassDef(name=name):
                        yield name, place
                    case ast.TypeAlias(name=ast.Name(id=name)) if name not in OF_EACH_STREAM:
                        yield name, place
                    case _:
                        pass


def is_meant(name: str, places: list[str]) -> bool:
    if name in OF_EACH_SERVICE:
        services = [place.split("/")[1] for place in places if place.startswith("services/")]
        return len(services) == len(places) == len(set(services))
    told = [place for place in places if place.startswith("shared/contracts/")]
    return len(told) == 1 and len(places) == 2  # an event, and the contract that it becomes
