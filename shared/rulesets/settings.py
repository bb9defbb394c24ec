"""The settings that hold for one stage with a field of a given size: the ruleset with all its changes made."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args

from pydantic import Field

from shared.rulesets.pairing_and_standings import ROUND_ROBIN, SWISS, Pairing, Standings
from shared.rulesets.parts import Part
from shared.rulesets.play import Contest, Results, Scoring
from shared.rulesets.schema import AnnouncedPath, Ruleset
from shared.rulesets.stages import Best, Complement, GroupPlaces, Stage

VARIANT = "contest.variant"

# Settings that a tournament may change, by path. Other changes are a ruleset of one's own.
OPTIONS = frozenset(
    {
        "contest.tiles",
        VARIANT,
        "scoring.bye",
        "standings.criteria",
        "standings.unplayed",
        "standings.buchholz_opponents",
        "standings.brightwell_c",
        "standings.unplayed_counts",
        "pairing.system",
        "pairing.meetings",
        "pairing.starter_history",
        "pairing.start_number_higher",
        "pairing.rounds",
        "pairing.field",
        "pairing.timetable",
        "results.flag_cap",
    }
)
# Settings that a tournament announces for itself where its ruleset leaves them to the announcement.
ANNOUNCED = frozenset(get_args(AnnouncedPath.__value__))
OF_TWO = frozenset({"results.minutes", "contest.periods"})  # a clock for a whole game is for two
# Options that are about a table, and mean nothing where matches decide, or where a later stage says it for itself.
OF_TABLES = frozenset({"pairing.system", "pairing.rounds", "pairing.meetings", "standings.criteria"})
PAIR = 2
PARTS: Mapping[str, type[Part]] = {
    "contest": Contest,
    "scoring": Scoring,
    "results": Results,
    "pairing": Pairing,
    "standings": Standings,
}


class Settings(Part):
    """What holds in one stage."""

    contest: Contest
    scoring: Scoring
    results: Results
    pairing: Pairing
    standings: Standings
    rounds: int | None = Field(description="How many there are; none where only the play shows it.")

    @property
    def is_swiss(self) -> bool:
        return self.pairing.system in SWISS

    @property
    def is_round_robin(self) -> bool:
        return self.pairing.system in ROUND_ROBIN

    @property
    def goes_by_plan(self) -> bool:
        """Who meets whom in all rounds is known from the beginning, and with it who rests."""
        return self.is_round_robin or self.pairing.system == "groups"


def stage_of(ruleset: Ruleset, stage: str) -> Stage:
    return next(found for found in ruleset.stages if found.id == stage)


@lru_cache(maxsize=500)
def settings(ruleset: Ruleset, stage: str, *, size: int, rounds: int | None = None) -> Settings:
    """What holds for so many entrants; where a stage was shortened, with so many `rounds`."""
    plain = plain_settings(ruleset, stage, size=size)
    if rounds is None:
        rounds = rounds_of(plain["pairing"]["system"], plain["pairing"]["rounds"], size)
    return Settings.model_validate(plain | {"rounds": rounds})


def fixed_size(ruleset: Ruleset, stage: str, *, size: int) -> int | None:
    """How many have to be in a stage that would have so many; none where the rules or an option leave it open."""
    if settings(ruleset, stage, size=size).pairing.field != "fixed":
        return None
    if stage == ruleset.stages[0].id:
        return ruleset.entry.size.most
    field = stage_of(ruleset, stage).field
    return field.up_to if isinstance(field, Complement) else None


def plain_settings(ruleset: Ruleset, stage: str, *, size: int) -> dict[str, Any]:
    """The stage, then the size of its field, then its system, then the options of the tournament."""
    wanted = stage_of(ruleset, stage)
    options = {
        path: value
        for path, value in ruleset.options.items()
        if not (path in OF_TABLES and stands_apart(ruleset, wanted, path))
    }
    plain = ruleset.model_dump(include=set(PARTS))
    change(plain, wanted.changes)
    rounds = options.get("pairing.rounds", plain["pairing"]["rounds"])
    for by_size in wanted.by_size:
        if size <= (by_size.at_most if isinstance(by_size.at_most, int) else (rounds or 0) + 1):
            change(plain, by_size.changes)
            break
    system = options.get("pairing.system", plain["pairing"]["system"])
    change(plain, wanted.by_system.get(system, {}))
    _, most = plain["contest"]["seats"]
    change(plain, {path: value for path, value in options.items() if most <= PAIR or path not in OF_TWO})
    if plain["results"]["one_limit"] and plain["results"]["minutes"] is not None:
        plain["results"]["minutes_of_turn"] = None
    return plain


def variant_by_rules(ruleset: Ruleset) -> str | None:
    """That its options, or it itself, say to be played."""
    said = ruleset.options.get(VARIANT, ruleset.contest.variant)
    return said if isinstance(said, str) else None


def in_variant(ruleset: Ruleset, variant: str | None) -> Ruleset:
    """The ruleset of a tournament that is announced so, where the variant says with which tiles it is played."""
    if variant is None or ruleset.contest.tiles is None:
        return ruleset
    return ruleset.model_copy(update={"options": {**ruleset.options, VARIANT: variant}})


def announces_advance(ruleset: Ruleset) -> bool:
    """Whether the rules leave open how many go on, to a later stage or to another tournament."""
    return announces_stage(ruleset) or ruleset.final.advance == "announced"


def announces_stage(ruleset: Ruleset) -> bool:
    """Whether the announced number is that of a later stage."""
    return any(isinstance(one.field, Best) and one.field.count == "announced" for one in ruleset.stages)


def stands_apart(ruleset: Ruleset, stage: Stage, path: str) -> bool:
    """Whether an option that is about a table says nothing of this one: it is of matches, or a later one with its own value."""
    return is_played_in_matches(stage) or (stage is not ruleset.stages[0] and path in stage.changes)


def is_played_in_matches(stage: Stage) -> bool:
    """A play-off stays one whatever system the tournament chooses for its rounds."""
    return stage.changes.get("pairing.system") == "knockout"


def group_count(ruleset: Ruleset, stage: str, *, size: int) -> int | None:
    """Into how many groups a field is drawn, as the play-off says that goes on from them; none: it knows no such field."""
    brackets = [
        bracket
        for one in ruleset.stages
        if isinstance(one.field, GroupPlaces) and one.field.stage == stage
        for bracket in one.brackets
    ]
    return next((one.groups for one in brackets if one.fits(size)), None if brackets else 1)


def rounds_of(system: str, rounds: int | None, size: int) -> int | None:
    """In a round robin everybody meets everybody, and one rests in each round of an odd field."""
    once = max(size - 1 + size % 2, 0)
    match system:
        case "round-robin":
            return once
        case "double-round-robin":
            return 2 * once
        case "groups" | "knockout":
            return None
        case _:
            return rounds


def change(plain: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for path, value in changes.items():
        *sections, name = path.split(".")
        place = plain
        for section in sections:
            place = place[section]
        place[name] = value
