"""The facts of a tournament, written down as a file: what stands in its complete rounds, and who will miss the next.

Whoever reads the file ranks and pairs by the same facts. It has no word for an entrant who left in a later stage after
playing there: they stand in it as if they were there to the end.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from shared.numbers import Exact, exact, stored
from shared.rulesets import catalogue
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings
from shared.tournament.facts import Entrant, Facts, Game, Result, Round
from shared.tournament.file.faults import UNLESS
from shared.tournament.file.reading import read
from shared.tournament.scoring import points_of
from shared.tournament.stages import settings_of

type Written = dict[str, object]

NO_GROUPS: Mapping[str, str] = {}
OVERRIDDEN = "As it was published."
AT = re.compile(r"/stages/(?P<stage>\d+)/rounds/(?P<round>\d+)(/games/(?P<game>\d+))?")


def written(
    facts: Facts,
    *,
    names: Mapping[str, str],
    key: str | None,
    lots: Mapping[str, str] | None = None,
    stage: str | None = None,
) -> Written:
    """With the key of its lots, where that may be told. Up to the last stage that has begun, or to one that may yet begin."""
    stages = stages_until(facts, stage)
    rounds = {stage: complete_rounds(facts, stage) for stage in stages}
    entrants = sorted(facts.entrants.values(), key=lambda one: one.number)
    file: Written = {
        "format": "roundlog.tournament/1",
        **ruleset_form(facts.ruleset),
        "seed": key,
        "lots": lots,
        "advance": facts.advance,
        "direct": sorted(facts.direct),
        "entrants": [entrant_form(facts, one, rounds) | named(names, one.id) for one in entrants],
        "forbidden": [some(entrants=sorted(ban.entrants), last_rounds=ban.last_rounds) for ban in facts.bans],
        "stages": [
            {"id": stage, "rounds": [round_form(facts, one) for one in played]} for stage, played in rounds.items()
        ],
        "decisions": [
            {
                "stage": one.stage,
                "kind": one.kind,
                "order": [equal[0] if len(equal) == 1 else equal for equal in one.order],
            }
            for one in facts.settled
        ],
        "adjustments": [
            {"entrant": one.entrant, "stage": one.stage, "round": one.round, "points": number(one.points)}
            for one in facts.penalties.values()
        ],
        "choices": [some(entrant=entrant, among=among) for entrant, among in facts.chosen.items()],
        "next": next_form(facts, stages[-1], len(rounds[stages[-1]]) + 1),
    }
    return with_overrides({name: value for name, value in file.items() if value not in (None, [], {})})


def stages_until(facts: Facts, last: str | None) -> list[str]:
    """In the order of the ruleset, which is one in which they can be played."""
    ids = [one.id for one in facts.ruleset.stages]
    begun = {stage for stage, _ in facts.rounds}
    until = ids if last is None else ids[: ids.index(last)]
    found = [stage for stage in until if stage in begun]
    return [*found, last] if last is not None else found or ids[:1]


def complete_rounds(facts: Facts, stage: str) -> list[Round]:
    """Up to the first in which a result is missing."""
    found: list[Round] = []
    while (one := facts.rounds.get((stage, len(found) + 1))) and all(is_decided(facts, game) for game in one.games):
        found.append(one)
    return found


def is_decided(facts: Facts, game: Game) -> bool:
    return game.id in facts.results or game.id in facts.voided


def ruleset_form(ruleset: Ruleset) -> Written:
    """By its id where the catalogue has the same; otherwise whole."""
    options = dict(ruleset.options)
    if ruleset.id in catalogue.ids() and catalogue.load(ruleset.id) == ruleset.model_copy(update={"options": {}}):
        return {"ruleset": ruleset.id, "options": options}
    return {"ruleset": ruleset.model_dump(mode="json", exclude_unset=True)}


def entrant_form(facts: Facts, entrant: Entrant, rounds: Mapping[str, list[Round]]) -> Written:
    first, *later = rounds
    left = facts.left.get(entrant.id)
    stays = left is None or (left.stage != first and any(plays(entrant.id, rounds[stage]) for stage in later))
    drawn = facts.drawn.get(first, NO_GROUPS) if rounds[first] else NO_GROUPS
    return some(
        id=entrant.id,
        number=entrant.number,
        rating=entrant.rating,
        lists=sorted(entrant.lists) or None,
        school=entrant.school,
        history=entrant.history or None,
        group=drawn.get(entrant.id, entrant.group),
        carried=number(entrant.carried) if entrant.carried or facts.ruleset.scoring.carry else None,
        from_round=entrant.from_round if entrant.from_round > 1 else None,
        withdrawn_after=None
        if stays or left is None
        else left.after_round
        if left.stage == first
        else len(rounds[first]),
        left="expelled" if left is not None and left.why == "expelled" and not stays else None,
    )


def plays(entrant: str, rounds: list[Round]) -> bool:
    return any(entrant in game.seats for one in rounds for game in one.games)


def named(names: Mapping[str, str], entrant: str) -> Written:
    return some(name=names.get(entrant))


def round_form(facts: Facts, one: Round) -> Written:
    holds = settings_of(facts, one.stage)
    form: Written = {
        "number": one.number,
        "games": [game_form(game, facts.results.get(game.id), holds) for game in one.games],
        "byes": list(one.byes),
        "requested_byes": requested(one.requested_byes),
        "missing": sorted(one.missing),
    }
    return {name: value for name, value in form.items() if value != []}


def game_form(game: Game, result: Result | None, holds: Settings) -> Written:
    """Without a result it is void, for its round is complete."""
    place = some(table=game.table, seats=list(game.seats), group=game.group, match=game.match, game=game.number)
    if result is None:
        return place | some(first=game.first, end="void")
    by = sorted(result.by)
    follows = points_of(holds.scoring, result.scores, by=by)
    return place | some(
        first=result.first or (game.first if counts_as_started(result, holds) else None),
        scores=[number(score) for score in result.scores],
        points=None if result.points == follows else [number(points) for points in result.points],
        end="forfeit" if result.end != "played" and by else None,
        by=(by[0] if len(by) == 1 else by) if result.end != "played" and by else None,
        winner=result.winner,
        decided_by=result.decided_by,
        draw_wins=result.draw_wins,
    )


def counts_as_started(result: Result, holds: Settings) -> bool:
    """A median Swiss counts who has really started, and own meetings only where they were played: a file cannot tell a match
    that nobody began from a party that was left."""
    ending = holds.results.endings.get(result.end)
    asks = holds.pairing.system == "median-swiss" or "head_to_head" in holds.standings.criteria
    return not asks or ending is None or not ending.is_unplayed


def next_form(facts: Facts, stage: str, number: int) -> Written:
    absent = {
        one.entrant: points for one, points in facts.absences.items() if (one.stage, one.round) == (stage, number)
    }
    asked = {entrant: points for entrant, points in absent.items() if points is not None}
    form = {"requested_byes": requested(asked), "missing": sorted(absent.keys() - asked.keys())}
    return {name: value for name, value in form.items() if value}


def requested(byes: Mapping[str, Fraction]) -> list[Written]:
    return [{"entrant": entrant, "points": number(points)} for entrant, points in byes.items()]


def with_overrides(file: Written) -> Written:
    """What was published although the rules forbid it stands in a file only with a word of why. Play-offs are looked at when
    nothing else is wrong."""
    stages = cast("list[dict[str, list[Written]]]", file["stages"])
    for _ in range(2):
        for found in {
            found for fault in read(file).faults if UNLESS in fault.detail and (found := AT.match(fault.pointer))
        }:
            one = stages[int(found["stage"])]["rounds"][int(found["round"])]
            games = cast("list[Written]", one.get("games", []))
            (one if found["game"] is None else games[int(found["game"])])["override"] = OVERRIDDEN
    return file


def number(value: Exact) -> int | float | str:
    """Halves as people write them; what no decimal says exactly as a fraction."""
    in_decimals = float(value)
    return value.numerator if value.denominator == 1 else in_decimals if exact(in_decimals) == value else stored(value)


def some(**fields: object) -> Written:
    return {name: value for name, value in fields.items() if value is not None}
