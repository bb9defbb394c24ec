"""What an organiser says of a tournament and of those who enter, as far as its rules ask for it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from deploy.demo.cast import PLAYERS, Player
from shared.rulesets.entry import Entry, Fee
from shared.rulesets.schema import Ruleset

type Said = dict[str, Any]

EARLIER = "mp-2019"  # a championship
KNOWN = {"citizenship": ["PL"], "town": "Kraków", "email": "somebody@example.org", "phone": "+48 900 000"}
YOUNG, OLD = "2012-05-17", "1985-03-02"
TEAMS_OF_A_SCHOOL = 2
POINTS_BROUGHT = 40
FEE = Fee(amount=Fraction(5), currency="EUR")


def chosen(ruleset: Ruleset) -> Ruleset:
    """With what the rules leave to the announcement: a category, a fee."""
    entry = ruleset.entry
    category = entry.categories[0].id if entry.categories else None
    fees = entry.fees if entry.fees or entry.payment == "recorded" else (FEE,)
    return ruleset.model_copy(update={"entry": entry.model_copy(update={"category": category, "fees": fees})})


def announcement(ruleset: Ruleset) -> Said:
    """What a plan says besides the name and the day."""
    entry = ruleset.entry
    changed: Said = {"category": entry.category} if entry.category else {}
    if entry.fees == (FEE,):
        changed["fees"] = [FEE.model_dump(mode="json")]
    return {
        **({"entry": changed} if changed else {}),
        **({"series": ruleset.id} if entry.kind == "team" else {}),
        **({"override": "demo"} if entry.windows else {}),
    }


def entries(ruleset: Ruleset, players: Sequence[Player], schools: Sequence[str]) -> Iterator[Said]:
    for place, player in enumerate(players):
        yield {
            **who(ruleset.entry, place, player),
            **of_place(ruleset, place, player),
            "lists": [one.id for n, one in enumerate(ruleset.lists, start=2) if is_of(n, place)],
            "declared": [one.declares for one in ruleset.entry.conditions if one.declares is not None],
            "consents": ruleset.entry.consents,
            **({"school": schools[place // TEAMS_OF_A_SCHOOL]} if schools else {}),
        }


def who(entry: Entry, place: int, player: Player) -> Said:
    asked = particulars(entry, place)
    if entry.team is None:
        return {"person": {"name": player.name} | asked}
    size = entry.team.base + entry.team.substitutes
    family = player.name.partition(" ")[2]
    first_names = (PLAYERS[(place + n) % len(PLAYERS)].name.partition(" ")[0] for n in range(size))
    team = [{"name": f"{first} {family}", "captain": n == 0} | asked for n, first in enumerate(first_names)]
    return {"name": player.name, "persons": team[: entry.team.base], "substitutes": team[entry.team.base :]}


def particulars(entry: Entry, place: int) -> Said:
    """Of the list of the young is whoever is young."""
    rules = {one.rule for one in entry.conditions}
    ages = bool(rules & {"age-at-most", "age-below", "year-age-at-most"})
    asked = {*entry.particulars, *(["born"] if ages else []), *(["citizenship"] if "citizenship" in rules else [])}
    known = KNOWN | {"born": YOUNG if ages or is_of(3, place) else OLD}
    return {"particulars": {name: known[name] for name in sorted(asked)}} if asked else {}


def is_of(every: int, place: int) -> bool:
    return place % every == 0


def of_place(ruleset: Ruleset, place: int, player: Player) -> Mapping[str, Any]:
    """What start numbers come from: the players are told best first."""
    said: Said = {"history": True, "history_source": EARLIER} if ruleset.entry.history and is_of(3, place) else {}
    match ruleset.entry.seeding.by:
        case "rating":
            return said | {"rating": player.rating}
        case "tiers":
            return said | {"key": place + 1}
        case "carried":
            return said | {"carried": POINTS_BROUGHT - place}
        case "lot" | "order":
            return said


def school_types(entry: Entry) -> Sequence[str]:
    """Of a school that everybody may be of."""
    return next((one.types[:1] for one in entry.conditions if one.types), ())
