"""Which round of a stage is next, and what stands in its way: both follow from the facts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from shared.refusals import Conflict
from shared.rulesets.settings import stage_of
from shared.tournament.absent_players import away_from
from shared.tournament.completion import not_closed, planned_rounds
from shared.tournament.facts import Facts, Game, Round
from shared.tournament.fixtures import fixtures
from shared.tournament.groups import members_of
from shared.tournament.progression import left_out, opening
from shared.tournament.stages import begun, groups_of, require_stage, settings_of
from shared.values import Value

# In the way of their pairing, and not of one that is made by hand.
OF_THE_RULES = ("no-tables", "nobody-there", "lots-not-opened")

type NumberedSeats = tuple[int, Sequence[str]]  # the number of a table, and who sits there
type Kind = Literal[
    "results-missing",
    "match-not-decided",
    "all-rounds-published",
    "stage-before-open",
    "tie-waits",
    "not-held",
    "groups-not-drawn",
    "no-tables",
    "nobody-there",
    "lots-not-opened",
    "tournament-over",
]


class Obstacle(Value):
    """`tables` are those of the round under way that have no result yet."""

    kind: Kind
    detail: str
    tables: tuple[int, ...] = ()


class ComingRound(Value):
    """The round to be paired next, if there is one more, and why it cannot be yet."""

    round: int | None
    of: int | None  # so many rounds, where the rules fix a number
    obstacles: tuple[Obstacle, ...]


class NotYetPossible(Conflict):
    """Something has to happen before the round."""


def next_round(facts: Facts, stage: str, *, over: bool = False) -> ComingRound:
    """`over`: the tournament is completed or cancelled."""
    require_stage(facts, stage)
    rules = settings_of(facts, stage).pairing
    published = rounds_of(facts, stage)
    last = max(published, default=0)
    under_way = next((number for number in sorted(published) if unfinished(facts, published[number])), None)
    is_last = bool(last) and is_played(facts, stage, last)
    if under_way is not None:  # an earlier one than the last where a game of it is played again
        waiting = unfinished(facts, published[under_way])
        of_absent = lost_for_absence(facts, stage, under_way, ((game.table, game.seats) for game in waiting))
        obstacles = [missing_results(under_way, waiting, rules.by("results"), of_absent)]
    else:
        obstacles = list(undecided(facts, stage) if last else before_the_first(facts, stage))
    if is_last:
        obstacles.append(all_published(last, rules.by("rounds")))
    if over:
        obstacles.append(Obstacle(kind="tournament-over", detail="The tournament is over."))
    is_none = is_last or any(one.kind == "not-held" for one in obstacles)
    return ComingRound(round=None if is_none else last + 1, of=planned_rounds(facts, stage), obstacles=tuple(obstacles))


def is_played(facts: Facts, stage: str, last: int) -> bool:
    """The last round is there: the one of that number, or of a play-off the one after which no match is left."""
    if is_knockout(facts, stage):
        return not unfinished(facts, rounds_of(facts, stage)[last]) and not fixtures(facts, stage)
    rounds = planned_rounds(facts, stage)
    return rounds is not None and last >= rounds


def is_knockout(facts: Facts, stage: str) -> bool:
    return settings_of(facts, stage).pairing.system == "knockout"


def undecided(facts: Facts, stage: str) -> Iterator[Obstacle]:
    """Matches that ended in a draw: somebody has to go on."""
    if is_knockout(facts, stage):
        for one in fixtures(facts, stage):
            if one.game > one.games:
                detail = f"{one.match} is drawn: its deciding duels, or the lot after them, say who goes on."
                yield Obstacle(kind="match-not-decided", detail=detail)


def before_the_first(facts: Facts, stage: str) -> Iterator[Obstacle]:
    """What a stage needs to begin: the order of the one before it, and groups where it has any."""
    if not begun(facts, stage):
        if (open_yet := not_closed(facts, stage)) is not None:
            yield Obstacle(kind="stage-before-open", detail=open_yet)
            return
        found = opening(facts, stage)
        if found.not_held is not None:
            yield Obstacle(kind="not-held", detail=found.not_held)
        elif left_out(facts, stage) is not None:
            yield Obstacle(kind="not-held", detail="So few are in it that they go on without a match.")
        for tie in found.awaits:
            yield Obstacle(kind="tie-waits", detail=f"{', '.join(tie.entrants)} are equal and wait for a {tie.needs}.")
    elif settings_of(facts, stage).pairing.system == "groups":
        yield from undrawn(facts, stage)


def undrawn(facts: Facts, stage: str) -> Iterator[Obstacle]:
    title = stage_of(facts.ruleset, stage).title
    members, drawn = set(members_of(facts, stage)), set(groups_of(facts, stage))
    if members != drawn or not drawn:
        detail = (
            f"{title}: the field has changed since the draw, draw anew." if drawn else f"{title} are not drawn yet."
        )
        yield Obstacle(kind="groups-not-drawn", detail=detail)


def require_next(coming: ComingRound, number: int, *, by_the_rules: bool = False) -> None:
    """Only the next round may be paired or published, and only when nothing is in its way. By hand it may be where the rules make
    no pairing."""
    if coming.round is not None and number > coming.round:
        raise NotYetPossible(f"Round {coming.round} is the next one: pair and publish it before round {number}.")
    in_the_way = [one.detail for one in coming.obstacles if by_the_rules or one.kind not in OF_THE_RULES]
    if coming.round in (None, number) and in_the_way:
        raise NotYetPossible(" ".join(in_the_way))


def rounds_of(facts: Facts, stage: str) -> Mapping[int, Round]:
    """Those that are published."""
    return {found.number: found for found in facts.rounds.values() if found.stage == stage}


def unfinished(facts: Facts, published: Round) -> Sequence[Game]:
    """The games that have no result, table by table."""
    games = [game for game in published.games if game.id not in facts.results and game.id not in facts.voided]
    return sorted(games, key=lambda game: game.table)


def is_completed(facts: Facts, stage: str, number: int) -> bool:
    published = facts.rounds.get((stage, number))
    return published is not None and not unfinished(facts, published)


def missing_results(number: int, waiting: Sequence[Game], by: str, of_absent: Iterable[str]) -> Obstacle:
    tables = tuple(game.table for game in waiting)
    named = f"table {tables[0]} has" if len(tables) == 1 else f"tables {', '.join(map(str, tables))} have"
    return Obstacle(
        kind="results-missing",
        detail=" ".join(
            (f"In round {number} {named} no result yet: the next round is paired when all are in{by}.", *of_absent)
        ),
        tables=tables,
    )


def all_published(last: int, by: str) -> Obstacle:
    rounds = "The only round of this stage is" if last == 1 else f"All {last} rounds of this stage are"
    return Obstacle(kind="all-rounds-published", detail=f"{rounds} published{by}.")


def lost_for_absence(facts: Facts, stage: str, number: int, tables: Iterable[NumberedSeats]) -> Iterator[str]:
    """What becomes of published games whose players are not there: told to everybody, since results decides it by the rules."""
    not_there = away_from(facts, stage, number)
    rules = settings_of(facts, stage).results
    for table, seats in tables:
        match [seat for seat in seats if seat in not_there]:
            case []:
                pass
            case [one]:
                then = "is lost" if rules.when_away else "waits for an official"
                yield f"{one} is not there: the game at table {table} {then}, unless it had begun."
            case several:
                then = "counts for nobody" if rules.when_both_away else "waits for an official"
                yield f"{' and '.join(several)} are not there: the game at table {table} {then}, unless it had begun."
