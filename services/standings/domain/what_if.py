"""What would become of the tables if a game had another result: from the facts alone, and nothing is kept of it."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from services.standings.domain.differences import TableDifference, difference
from services.standings.domain.table import begun, last_round
from shared.refusals import NotFound
from shared.rulesets.stages import Everybody
from shared.tournament.facts import Facts, Game, Result
from shared.tournament.progression import opening, qualified
from shared.tournament.stages import advancing
from shared.values import Value


class GameUnknown(NotFound):
    """No published round of the stage has such a game."""


class GoingOnForeseen(Value):
    """Who would go on somewhere, and who would not any more."""

    to: str | None  # a stage; none: another tournament
    gains: tuple[str, ...]
    loses: tuple[str, ...]


def game_of(facts: Facts, stage: str, *, game: str | None, number: int | None, table: int | None) -> Game:
    """By its id, or by what stands on the table."""
    games = (
        one
        for (of, round_), published in facts.rounds.items()
        for one in published.games
        if of == stage and (one.id == game or (game is None and (round_, one.table) == (number, table)))
    )
    found = next(games, None)
    if found is None:
        raise GameUnknown("No published round of this stage has that game: look into the list of rounds.")
    return found


def supposed(facts: Facts, game: Game, result: Result | None) -> Facts:
    """The facts with this result, or without any."""
    others = {name: one for name, one in facts.results.items() if name != game.id}
    known = others if result is None else {**others, game.id: result}
    return replace(facts, results=known, voided=facts.voided - {game.id})


def tables_foreseen(before: Facts, after: Facts) -> Iterator[TableDifference]:
    """Every table that would be another one, as it is after the last round that is published."""
    for stage in begun(before):
        yield from difference(before, after, stage, last_round(before, stage, None))


def going_on_foreseen(before: Facts, after: Facts) -> Iterator[GoingOnForeseen]:
    """As far as nobody has begun what comes next."""
    for stage in before.ruleset.stages:
        if isinstance(stage.field, Everybody) or stage.id in before.fields:
            continue
        yield from changed(stage.id, opening(before, stage.id).entrants, opening(after, stage.id).entrants)
    if advancing(before) is not None:
        yield from changed(None, qualified(before).entrants, qualified(after).entrants)


def changed(to: str | None, before: Sequence[str], after: Sequence[str]) -> Iterator[GoingOnForeseen]:
    gains = tuple(one for one in after if one not in before)
    loses = tuple(one for one in before if one not in after)
    if gains or loses:
        yield GoingOnForeseen(to=to, gains=gains, loses=loses)
