"""The records of a tournament: its best turn, highest score, highest joint score, and most bingos.

Scores count of games that were played to their end, since other endings set scores. Turns count of every final game
in which somebody noted them; a turn that nobody wrote down is in no record.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Literal

from services.results.domain.sheet.disputes import agree
from services.results.domain.sheet.states import Details, Final
from shared.numbers import exact
from shared.values import Value

PLAYED = "played"

type BestKind = Literal["turn", "score", "joint-score", "bingos-of-game", "bingos-of-tournament"]


class GameAchieved(Value):
    """What a game has for the records."""

    game: str
    stage: str
    round: int
    table: int
    seats: tuple[str, ...]
    scores: tuple[Fraction, ...] | None  # none where its ending sets them
    turns: tuple[tuple[int, int], ...]  # a seat, and the points of a turn of theirs that was noted
    bingos: tuple[int, ...]  # by whom each was laid; empty: none, or nobody has noted them


class BestAchieved(Value):
    """Who holds a record, and where it was set; several who are equal hold it together."""

    kind: BestKind
    value: Fraction
    holders: tuple[str, ...]  # both, of a joint score
    at: GameAchieved | None = None  # none where it is of the whole tournament


class Noted(Value):
    """How much of what was played was noted, so that nobody takes a record for more than it is."""

    games: int  # that are final
    scores: int  # with a score that counts
    turns: int  # in which at least one turn was noted
    bingos: int


def achieved(sheet: Final) -> GameAchieved:
    """Only what reports say that agree with the result: who was overruled about it may be wrong about turns too."""
    said = [report.details for report in sheet.reports if agree(report.result, sheet.result)]
    of, result = sheet.sheet, sheet.result
    return GameAchieved(
        game=of.game,
        stage=of.stage,
        round=of.round,
        table=of.table,
        seats=of.seats,
        scores=tuple(map(exact, result.scores)) if result.end == PLAYED and result.scores else None,
        turns=turns_of(said),
        bingos=tuple(turn.seat for turn in max((one.bingos for one in said), key=len, default=())),
    )


def turns_of(said: Iterable[Details]) -> tuple[tuple[int, int], ...]:
    turns = [turn for one in said for turn in (*one.bingos, *([one.highest_turn] if one.highest_turn else []))]
    return tuple(dict.fromkeys((turn.seat, turn.points) for turn in turns))


def noted(games: Sequence[GameAchieved]) -> Noted:
    return Noted(
        games=len(games),
        scores=sum(one.scores is not None for one in games),
        turns=sum(bool(one.turns) for one in games),
        bingos=sum(bool(one.bingos) for one in games),
    )


def bests(games: Sequence[GameAchieved]) -> list[BestAchieved]:
    """Every holder of every record, in the order of the records; of games as they were played, in theirs."""
    found: list[BestAchieved] = []
    found += highest(
        "turn", games, lambda game: [(Fraction(points), (game.seats[seat],)) for seat, points in game.turns]
    )
    found += highest("score", games, scores)
    found += highest(
        "joint-score", games, lambda game: [(sum(game.scores, Fraction(0)), game.seats)] if game.scores else []
    )
    found += highest("bingos-of-game", games, bingos)
    together = Counter(game.seats[seat] for game in games for seat in game.bingos)
    most = max(together.values(), default=0)
    found += [
        BestAchieved(kind="bingos-of-tournament", value=Fraction(number), holders=(entrant,))
        for entrant, number in together.items()
        if number == most
    ]
    return found


type Achievement = tuple[Fraction, tuple[str, ...]]


def highest(
    kind: BestKind, games: Iterable[GameAchieved], of: Callable[[GameAchieved], Sequence[Achievement]]
) -> list[BestAchieved]:
    all_of_them = [(value, holders, game) for game in games for value, holders in of(game)]
    top = max((value for value, _, _ in all_of_them), default=Fraction(0))
    return [
        BestAchieved(kind=kind, value=value, holders=holders, at=game)
        for value, holders, game in all_of_them
        if value == top
    ]


def scores(game: GameAchieved) -> list[Achievement]:
    return [(score, (seat,)) for seat, score in zip(game.seats, game.scores or (), strict=False)]


def bingos(game: GameAchieved) -> list[Achievement]:
    laid = Counter(game.seats[seat] for seat in game.bingos)
    return [(Fraction(number), (entrant,)) for entrant, number in laid.items()]
