"""What one game of a file cannot be by itself: its seats, its end, its scores and points."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from shared.faults import Fault, at
from shared.rulesets.settings import Settings
from shared.tournament.file.shape import GameForm
from shared.tournament.scoring import score_faults


def game_faults(game: GameForm, settings: Settings) -> Iterator[Fault]:
    """What a game cannot be by itself."""
    least, most = settings.contest.seats
    if not least <= len(game.seats) <= most:
        number = f"{least}" if least == most else f"{least} to {most}"
        yield Fault("/seats", f"should be {number} entrants{settings.pairing.by('seats')}")
    for name_of, name in (("first", game.first), ("winner", game.winner), ("draw_wins", game.draw_wins)):
        if name is not None and name not in game.seats:
            yield Fault(at(name_of), f"{name} does not sit at this table")
    if game.decided_by is not None and game.winner is None:
        yield Fault("/winner", "is missing: decided_by says how somebody went on")
    if (game.end == "forfeit") != bool(game.at_fault):
        yield Fault("/by", "goes with a forfeit, and only with one: the seats at fault")
    for seat in game.at_fault:
        if seat >= len(game.seats):
            yield Fault("/by", f"there is no seat {seat}: the first is 0")
    if game.end != "void":
        yield from number_faults(game, settings)


def number_faults(game: GameForm, settings: Settings) -> Iterator[Fault]:
    if game.scores is None:
        yield Fault("/scores", "is missing: only a void game has no scores")
    elif len(game.scores) != len(game.seats):
        yield Fault("/scores", "should be one number for each seat")
    else:
        for seat, sentence in score_faults(settings.scoring, game.scores, is_forfeit=game.end == "forfeit"):
            yield Fault("/scores" if seat is None else at("scores", seat), sentence)
    if game.points is not None:
        yield from point_faults(game.points, len(game.seats), settings)


def point_faults(points: Sequence[Fraction], seats: int, settings: Settings) -> Iterator[Fault]:
    """An official may set other points than the scores give, but none that no game gives."""
    scoring = settings.scoring
    if len(points) != seats:
        yield Fault("/points", "should be one number for each seat")
    best = max(scoring.placement) if scoring.placement else scoring.win
    for seat, number in enumerate(points):
        if not 0 <= number <= best:
            yield Fault(at("points", seat), f"should be between 0 and {best}")
