"""The seasons of a federation: each with rules of its own, fixed when it is opened. One stream a federation.

Who has qualified in one, as standings says, goes on to the championship that is named for it.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from services.registration.domain.names import readable
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.contracts.parts import QualificationPlace
from shared.faults import InputFault
from shared.refusals import Conflict, NotFound
from shared.rulesets.schema import Ruleset
from shared.rulesets.season import Rating, Season
from shared.values import Value

# Orders


class OpenSeason(Order):
    season: str
    federation: str
    name: str
    rules: bytes  # the whole of them, as JSON


class LeadOn(Order):
    """Its best go on to a championship, and those who get no place there to another one; or nobody goes on."""

    season: str
    next_level: str | None
    otherwise: str | None = None


class NoteQualification(Order):
    season: str
    qualification: tuple[QualificationPlace, ...]


type Command = OpenSeason | LeadOn | NoteQualification


# Facts


class SeasonOpened(Fact):
    """A season of the federation begins, by these rules."""

    season: str
    federation: str
    name: str
    rules: msgspec.Raw


class ChampionshipNamed(Fact):
    """Those who qualify by the season come to this tournament, and whoever gets no place there to the other one."""

    season: str
    federation: str
    next_level: str | None
    otherwise: str | None = None


class QualificationNoted(Fact):
    """Standings has said who has qualified; the last word counts."""

    season: str
    qualification: tuple[QualificationPlace, ...]


type Event = SeasonOpened | ChampionshipNamed | QualificationNoted


# State


class OpenedSeason(Value):
    federation: str
    name: str
    rules: Season
    next_level: str | None = None
    otherwise: str | None = None
    qualification: tuple[QualificationPlace, ...] | None = None  # once it is published


class Seasons(Value):
    # in the order of their opening
    opened: Mapping[str, OpenedSeason] = msgspec.field(default_factory=dict[str, OpenedSeason])


# Refusals


class SeasonUnknown(NotFound):
    """The federation has no such season."""


class SeasonTaken(Conflict):
    """There is a season of that name."""


class NoChampionship(Conflict):
    """Nobody can go on to that from this season."""


def decide(state: Seasons, command: Command) -> list[Event]:
    match command:
        case OpenSeason():
            return open_one(state, command)
        case LeadOn():
            return lead_on(season_of(state, command.season), command)
        case NoteQualification():
            known = season_of(state, command.season).qualification == command.qualification
            noted = QualificationNoted(season=command.season, qualification=command.qualification)
            return [] if known else [noted]


def open_one(state: Seasons, command: OpenSeason) -> list[Event]:
    name = readable(command.name)
    if any(one.name == name for one in state.opened.values()):
        raise SeasonTaken(f"The federation has a season {name} already: give this one another name.")
    opened = SeasonOpened(
        season=command.season, federation=command.federation, name=name, rules=msgspec.Raw(command.rules)
    )
    return [opened]


def lead_on(known: OpenedSeason, command: LeadOn) -> list[Event]:
    if (known.next_level, known.otherwise) == (command.next_level, command.otherwise):
        return []
    if (why := why_nobody_is_led_on(known)) is not None:
        raise NoChampionship(why)
    if command.otherwise is not None and command.next_level in {None, command.otherwise}:
        raise NoChampionship("Name the championship, and besides at most another one for those left over.")
    named = ChampionshipNamed(
        season=command.season,
        federation=known.federation,
        next_level=command.next_level,
        otherwise=command.otherwise,
    )
    return [named]


def why_nobody_is_led_on(known: OpenedSeason) -> str | None:
    """Why no championship can be named, or no other one any more."""
    if known.rules.cut is None:
        return "Nobody qualifies by the rules of this season."
    if known.next_level is not None and known.qualification is not None:
        return (
            f"Who has qualified was told to {known.next_level} already: withdraw there whoever shall not play, and enter "
            "them elsewhere by hand."
        )
    return None


def evolve(state: Seasons, event: Event) -> Seasons:
    match event:
        case SeasonOpened():
            rules = Season.model_validate_json(bytes(event.rules))
            then = OpenedSeason(federation=event.federation, name=event.name, rules=rules)
        case ChampionshipNamed():
            known = state.opened[event.season]
            then = replace(known, next_level=event.next_level, otherwise=event.otherwise)
        case QualificationNoted():
            then = replace(state.opened[event.season], qualification=event.qualification)
    return Seasons(opened={**state.opened, event.season: then})


SEASONS: Decider[Seasons, Command, Event] = Decider(
    kind="seasons", initial=Seasons(), decide=decide, evolve=evolve, events=classes_of(Event)
)


def season_of(state: Seasons, season: str) -> OpenedSeason:
    if season not in state.opened:
        raise SeasonUnknown("The federation has no such season: open it first, or look for it in the list.")
    return state.opened[season]


# As what a tournament counts


class Counting(Value):
    """The kind as which a tournament counts in a season."""

    season: str
    kind: str
    rating_list: str | None  # that it moves
    organisers: tuple[str, ...]


class SaidOfSeason(Value):
    """What an announcement says about the season."""

    kind: str | None
    rating_list: str | None
    competition: str | None
    variant: str | None


def counted_as(rules: Season, ruleset: Ruleset, said: SaidOfSeason, faults: list[InputFault]) -> tuple[str, str | None]:
    """Find the kind of a tournament and the list that it moves. What speaks against it is added to the faults."""
    implied = implied_kind(rules, ruleset, said.variant)
    kind = said.kind or implied or kind_by_rules(rules, ruleset, said.competition)
    found = list(kind_faults(rules, kind, implied))
    lists = [] if kind is None else [rating for rating in rules.ratings if kind in rating.kinds]
    if not found and said.rating_list is not None and said.rating_list not in {rating.id for rating in lists}:
        there_are = " or ".join(rating.id for rating in lists) or "no list"
        found.append(InputFault("/rating_list", f"{kind} moves {there_are}"))
    faults += found
    return kind or "", said.rating_list or moved(lists, ruleset)


def implied_kind(rules: Season, ruleset: Ruleset, variant: str | None) -> str | None:
    implied = (rules.implied.get(name) for name in (ruleset.entry.kind, variant) if name is not None)
    return next((kind for kind in implied if kind is not None), None)


def kind_by_rules(rules: Season, ruleset: Ruleset, competition: str | None) -> str | None:
    """The kind is what the tournament is in the calendar, or else what its ruleset says."""
    if competition is not None:
        return competition if competition in rules.kinds else None
    return ruleset.season.kind if ruleset.season is not None and ruleset.season.id == rules.id else None


def kind_faults(rules: Season, kind: str | None, implied: str | None) -> Iterator[InputFault]:
    if kind is None or kind not in rules.kinds:
        yield InputFault("/season_kind", f"is needed: one of {', '.join(rules.kinds)}")
    elif implied is not None and kind != implied:
        yield InputFault(
            "/season_kind", f"should be {implied}, which is what such a tournament counts as in this season"
        )


def moved(lists: Sequence[Rating], ruleset: Ruleset) -> str | None:
    """The list by which its ruleset seeds is moved where that is possible, otherwise the first that can be."""
    by_seeding = (rating.id for rating in lists if rating.called == ruleset.entry.seeding.rating)
    return next(by_seeding, lists[0].id if lists else None)
