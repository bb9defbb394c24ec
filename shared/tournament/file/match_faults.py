"""What cannot be in the matches of a play-off: who plays them, how many games they have, and how they end."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from shared.faults import Fault, at
from shared.rulesets.settings import Settings
from shared.tournament.file.shape import GameForm, RoundForm
from shared.tournament.scoring import points_of

type Placed = tuple[str, GameForm]  # with where it stands

NOTHING = Fraction(0)


def match_faults(rounds: Sequence[RoundForm], settings: Settings, best_of: Mapping[str, int]) -> Iterator[Fault]:
    """Of a stage in which matches decide."""
    if settings.pairing.system != "knockout":
        return
    for name, games in matches_in(rounds).items():
        most = best_of.get(name, len(games))
        yield from entrant_faults(name, games)
        yield from length_faults(name, games, settings, most)
        yield from colour_faults(games, most)
        yield from end_faults(games, settings, most)


def matches_in(rounds: Sequence[RoundForm]) -> Mapping[str, list[Placed]]:
    """A game without a match is one of its own."""
    found: dict[str, list[Placed]] = {}
    for index, one in enumerate(rounds):
        for number, game in enumerate(one.games):
            if game.end != "void":
                pointer = at(index, "games", number)
                found.setdefault(game.match or pointer, []).append((pointer, game))
    return found


def entrant_faults(name: str, games: Sequence[Placed]) -> Iterator[Fault]:
    entrants = set(games[0][1].seats)
    for pointer, game in games[1:]:
        if set(game.seats) != entrants:
            yield Fault(f"{pointer}/seats", f"{name} is played by {' and '.join(sorted(entrants))}")


def length_faults(name: str, games: Sequence[Placed], settings: Settings, most: int) -> Iterator[Fault]:
    """No game is played once a match is decided."""
    lead, one = NOTHING, games[0][1].seats[0]
    for number, (pointer, game) in enumerate(games):
        left = most - number
        if left <= 0 or abs(lead) > left * (settings.scoring.win - settings.scoring.loss):
            yield Fault(pointer, f"is one game too many: {name} was decided before")
        lead += lead_of(game, one, settings)


def colour_faults(games: Sequence[Placed], most: int) -> Iterator[Fault]:
    """In the second of several games the other one begins."""
    if most > 1 and len(games) > 1:
        (_, one), (pointer, other) = games[:2]
        is_same = set(one.seats) == set(other.seats) and one.first == other.first
        if is_same and one.first is not None and not other.override:
            yield Fault(f"{pointer}/first", f"{one.first} began game 1 as well: in game 2 it is the other one")


def end_faults(games: Sequence[Placed], settings: Settings, most: int) -> Iterator[Fault]:
    """Somebody goes on: by the games, or by what is said of a drawn match."""
    pointer, last = games[-1]
    one = games[0][1].seats[0]
    lead = sum((lead_of(game, one, settings) for _, game in games), NOTHING)
    if lead and last.winner is not None and (last.winner == one) != (lead > 0):
        yield Fault(f"{pointer}/winner", "has lost this match by its games: only a drawn one goes on in another way")
    said = last.winner or last.draw_wins
    if lead == 0 and said is None and len(games) == most == 1 and goes_on(settings):
        yield Fault(f"{pointer}/winner", "is missing: somebody goes on from a drawn match")


def goes_on(settings: Settings) -> bool:
    """Whether the rules say how a drawn match goes on by something that is not in its games."""
    return settings.contest.option or settings.contest.drawn.then == "lot"


def lead_of(game: GameForm, one: str, settings: Settings) -> Fraction:
    """Nothing where the game itself is faulty, which is said elsewhere."""
    scores = game.scores or ()
    if len(game.seats) != len(scores) or len(scores) != len((0, 1)) or len(game.points or scores) != len(scores):
        return NOTHING
    first, second = game.points or points_of(settings.scoring, scores, by=game.at_fault)
    return first - second if game.seats[0] == one else second - first
