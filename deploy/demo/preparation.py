"""From nothing to a tournament that runs: a federation, its officials, and a field of players who are all there."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from secrets import randbelow
from typing import Any

from deploy.demo.cast import ARBITER, PLAYERS, RULESET, SCORERS, CastPlayer, cast
from deploy.demo.client import Services, User
from deploy.tokens import OPERATOR
from services.registration.domain.tournament.plan import is_judged_by_day
from shared.numbers import shown
from shared.rulesets.entry import Entry, Fee
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import announces_advance
from shared.values import Value

type Body = dict[str, Any]

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


def announcement(ruleset: Ruleset) -> Body:
    """What a plan says besides the name and the day."""
    entry = ruleset.entry
    changed: Body = {"category": entry.category} if entry.category else {}
    if entry.fees == (FEE,):
        changed["fees"] = [FEE.model_dump(mode="json")]
    return {
        **({"entry": changed} if changed else {}),
        **({"series": ruleset.id} if entry.holds_through_series else {}),
        **({"override": "demo"} if entry.windows else {}),
    }


def entries(ruleset: Ruleset, players: Sequence[CastPlayer], schools: Sequence[str]) -> Iterator[Body]:
    for place, player in enumerate(players):
        yield {
            **who(ruleset.entry, place, player),
            **of_place(ruleset, place, player),
            "lists": [one.id for n, one in enumerate(ruleset.lists, start=2) if is_of(n, place)],
            "declared": [one.declares for one in ruleset.entry.conditions if one.declares is not None],
            "consents": ruleset.entry.consents,
            **({"school": schools[place // TEAMS_OF_A_SCHOOL]} if schools else {}),
        }


def who(entry: Entry, place: int, player: CastPlayer) -> Body:
    asked = particulars(entry, place)
    if entry.team is None:
        return {"person": {"name": player.name} | asked}
    size = entry.team.base + entry.team.substitutes
    family = player.name.partition(" ")[2]
    first_names = (PLAYERS[(place + n) % len(PLAYERS)].name.partition(" ")[0] for n in range(size))
    team = [{"name": f"{first} {family}", "captain": n == 0} | asked for n, first in enumerate(first_names)]
    return {"name": player.name, "persons": team[: entry.team.base], "substitutes": team[entry.team.base :]}


def particulars(entry: Entry, place: int) -> Body:
    """Of the list of the young is whoever is young."""
    rules = {one.rule for one in entry.conditions}
    ages = bool(rules & {"age-at-most", "age-below", "year-age-at-most"})
    asked = {*entry.particulars, *(["born"] if ages else []), *(["citizenship"] if "citizenship" in rules else [])}
    known = KNOWN | {"born": YOUNG if ages or is_of(3, place) else OLD}
    return {"particulars": {name: known[name] for name in sorted(asked)}} if asked else {}


def is_of(every: int, place: int) -> bool:
    return place % every == 0


def of_place(ruleset: Ruleset, place: int, player: CastPlayer) -> Mapping[str, Any]:
    """What start numbers come from: the players are told best first."""
    said: Body = {"history": True, "history_source": EARLIER} if ruleset.entry.history and is_of(3, place) else {}
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


ADVANCE = 2  # how many go on, where that is announced
HOST = "host-school"
AHEAD = timedelta(days=14)  # entries are still open then
TIME_ZONE = "Europe/Bratislava"


class CupPlan(Value):
    """What is to be played."""

    ruleset: str = RULESET
    players: Sequence[CastPlayer] = ()  # none: as many as the demo of the ruleset has
    options: Mapping[str, Any] = {}
    lot_source: str | None = None  # dice


SCRABBLE = CupPlan()


class Cup(Value):
    """A tournament that runs."""

    id: str
    ruleset: Ruleset
    players: Mapping[str, CastPlayer]  # by the ids under which they have entered
    persons: Mapping[str, Sequence[str]]  # of whom each consists
    started: str | None  # the position of the start: whoever looks after it knows the tournament

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"

    @property
    def stage(self) -> str:
        """The first one."""
        return self.of(self.ruleset.stages[0].id)

    def of(self, stage: str) -> str:
        return f"{self.path}/stages/{stage}"


def director(network: Services) -> User:
    return network.person(OPERATOR)  # who founds a federation directs it


async def found(network: Services, today: date, wanted: CupPlan = SCRABBLE) -> Cup:
    director_ = director(network)
    ruleset = await rules_of(director_, wanted.ruleset)
    players = wanted.players or cast(wanted.ruleset)
    federation = await found_federation(director_)
    schools = await found_schools(director_, federation, ruleset, len(players))
    said = {"federation": federation, "options": wanted.options, "lot_source": wanted.lot_source}
    said |= {"host": schools[0]} if schools else {}
    tournament = await announce(director_, ruleset, today + AHEAD, said)
    several = list(entries(ruleset, players, schools))
    entered = await enter(director_, tournament, ruleset, several, today)
    by_id = {one["id"]: player for one, player in zip(entered, players, strict=True)}
    return await start(director_, tournament, ruleset, by_id, today)


async def rules_of(director: User, ruleset: str) -> Ruleset:
    return chosen(Ruleset.model_validate(await director.look("registration", f"/v1/rulesets/{ruleset}")))


async def announce(director: User, ruleset: Ruleset, on: date, said: Mapping[str, Any]) -> str:
    """Open for entries; what was said of it goes before what the demo says of any."""
    plan: dict[str, Any] = {
        "name": "Demo Cup",
        "ruleset": ruleset.id,
        "time_zone": TIME_ZONE,
        "starts_on": on.isoformat(),
        "first_round": "09:00",
        **announcement(ruleset),
    }
    announced = await director.act("registration", "/v1/tournaments", {**plan, **said})
    tournament: str = announced.body["id"]
    path = f"/v1/tournaments/{tournament}"
    if ruleset.entry.director:
        await director.act("registration", f"{path}/officials", {"subject": OPERATOR, "role": "director"})
    if announces_advance(ruleset):
        await director.act("registration", f"{path}/announce-advance", {"advance": ADVANCE})
    await director.act("registration", f"{path}/open")
    return tournament


async def enter(
    director: User, tournament: str, ruleset: Ruleset, several: Sequence[Mapping[str, Any]], today: date
) -> Sequence[Mapping[str, Any]]:
    path = f"/v1/tournaments/{tournament}/entrants"
    entered = (await director.act("registration", f"{path}/import", {"entrants": several})).body["entrants"]
    for place, one in enumerate(entered):
        await prepare(director, f"{path}/{one['id']}", ruleset.entry, today, is_host=not place)
    return entered


def thrown(source: str) -> str:
    """What the dice of the demo show."""
    return " ".join(str(randbelow(6) + 1) for _ in range(int(source.removeprefix("dice "))))


async def start(
    director: User, tournament: str, ruleset: Ruleset, players: Mapping[str, CastPlayer], today: date
) -> Cup:
    """With those of the players who have a place."""
    path = f"/v1/tournaments/{tournament}"
    opened = await director.act("registration", f"{path}/open-check-in")
    await director.act("registration", f"{path}/check-in", {})
    await bring_forward(director, path, ruleset, today)
    if opened.body["lot_source"]:
        await director.act("registration", f"{path}/open-lots", {"value": thrown(opened.body["lot_source"])})
    size = {"decision": "demo"} if ruleset.entry.size.overridden else None
    started = await director.act("registration", f"{path}/start", size)
    listed = (await director.look("registration", f"{path}/entrants", after=started.position))["items"]
    persons = {one["id"]: [person["id"] for person in one["persons"]] for one in listed if one["number"]}
    return Cup(
        id=tournament,
        ruleset=ruleset,
        players={one: players[one] for one in persons},
        persons=persons,
        started=started.position,
    )


async def bring_forward(director: User, tournament: str, ruleset: Ruleset, today: date) -> None:
    """Whoever looks on finds it played today; where who may play depends on the day, it stays as it was announced."""
    if not is_judged_by_day(ruleset, (today + AHEAD).isoformat(), today.isoformat()):
        change = {"starts_on": today.isoformat(), "reason": {"code": "announcement"}}
        await director.act("registration", f"{tournament}/change-plan", change)


async def found_federation(director: User) -> str:
    founded = await director.act("registration", "/v1/federations", {"name": "Demo Federation"})
    federation: str = founded.body["id"]
    offices = ((OPERATOR, "council"), (ARBITER, "arbiter"), *((scorer, "scorer") for scorer in SCORERS))
    for subject, role in offices:
        office = {"subject": subject, "role": role}
        await director.act("registration", f"/v1/federations/{federation}/officials", office)
    return federation


async def found_schools(director: User, federation: str, ruleset: Ruleset, teams: int) -> Sequence[str]:
    """Where the rules ask of which school somebody is."""
    types = school_types(ruleset.entry)
    if not types:
        return ()
    path = f"/v1/federations/{federation}/homes"
    schools = [
        {"kind": "school", "name": f"School {number}", "types": types}
        for number in range(1, (teams + TEAMS_OF_A_SCHOOL - 1) // TEAMS_OF_A_SCHOOL + 1)
    ]
    return [(await director.act("registration", path, school)).body["id"] for school in schools]


async def prepare(director: User, entrant: str, entry: Entry, today: date, *, is_host: bool) -> None:
    """What an entry lacks before it may start: a place is confirmed, a fee is paid or waived."""
    if any(one.of == "confirmation" for one in entry.deadlines):
        await director.act("registration", f"{entrant}/confirm")
    for fee in entry.fees[:1] if entry.payment != "recorded" else ():
        if is_host and HOST in fee.waived_for:
            await director.act("registration", f"{entrant}/waivers/request", {"ground": HOST})
            await director.act("registration", f"{entrant}/waivers/grant", {"ground": HOST})
        else:
            paid = {"amount": shown(fee.amount), "currency": fee.currency, "on": today.isoformat()}
            await director.act("registration", f"{entrant}/payments", paid | {"reference": entrant.rpartition("/")[2]})
