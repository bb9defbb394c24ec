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
# These were there before the rule, and none may be added.
LEFT = """
  Absence Act After AfterPosition Alternative Answer Answered Answering Asked Attendance Awaited Because Best
  Bracket Breach By Called Change Changes Check CheckIn Choice Chosen Claim Closed Complaint Content Contest Cost
  Count Counted Criterion CupRow Decision Departure Desk Details Doable Draft Draw Drawing Drawn Duel Effect Entrant
  EntrantId EntrantOne EntrantOther EntrantUnknown Entry Explanation Fact Fault FederationId Field Filled Final
  Fixed Foreseen Form Found Full Game GameHasBegun GoingOn Groups Happening Heard Held History IdTaken Json
  Judgement Key Kind Known KnownHere LastEventId Left Limit Line LineUp ListId Looking Lots Merged Named Names
  NoSuchTie Number Objection OfRound OfTournament Open Opened Opening Order Origin Outcome Page Pair Pairing Part
  Particulars Penalties Penalty PersonId PersonUnknown Persons PersonsImported Place Placed Places Plan Planned
  Player Playing Points Position Protest Protests PutOnRecord QualificationRow Qualified Qualifying Reached Reader
  Reading Reason Received Register Registering Remembered Report Result Room Rooms Round RoundNumber RoundUnknown
  Rounds Row Said Scores Season SeasonId SeasonUnknown Seat Seeding Settings Settled Sheet Shelf Shown Side Signing
  Situation Situations Span Stage StageId Standing Start State Status Step Streams Table Tables Team Terms Tie Told
  TooLate Tournament TournamentId Turn Undecided Units Unknown Unopened Unresolved Verdict Waiting Wanted Why Winner
  Wish Within Won Written
""".split()  # noqa: SIM905 - a line for each of them would be longer than the test


def test_the_name_of_a_class_means_one_thing() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for name, place in names():
        places[name].append(place)
    twice = {name: sorted(found) for name, found in places.items() if len(found) > 1 and not is_meant(name, found)}
    assert {name: found for name, found in twice.items() if name not in LEFT} == {}


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
