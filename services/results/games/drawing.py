"""The board after a transcript, as a drawing: stones with the number of their move, or discs."""

from collections.abc import Iterator, Sequence
from typing import Literal

from services.results.games.gomoku import board as gomoku_board
from services.results.games.gomoku.play import play
from services.results.games.gomoku.profiles import CFP, PISQWORKY, Profile
from services.results.games.othello import COLOURS, NAME, START, after, named
from services.results.games.othello import SIZE as OTHELLO_SIZE
from services.results.games.othello import read as read_othello

type Drawn = Literal["gomoku-cfp", "gomoku-pisqworky", "othello"]

CELL = 30
EDGE = 24
PROFILES: dict[Drawn, Profile] = {"gomoku-cfp": CFP, "gomoku-pisqworky": PISQWORKY}
INK = {"black": "#111", "white": "#fff", "cross": "#c22", "nought": "#24c"}


def picture(game: Drawn, moves: Sequence[object], opening: str | None) -> str:
    """Of a transcript that breaks no rule."""
    if game == "othello":
        return othello(moves)
    profile = PROFILES[game]
    return gomoku(profile, moves, opening or next(iter(profile.openings)))


def gomoku(profile: Profile, moves: Sequence[object], opening: str) -> str:
    game = play(profile, opening, moves)[-1]
    stones = sorted(game.stones.items(), key=lambda stone: stone[1].at)
    size = gomoku_board.SIZE
    return drawing(
        size,
        [
            *grid(size, between=True),
            *(
                part
                for number, (point, placed) in enumerate(stones, 1)
                for part in stone(point.row, point.column, placed.colour, str(number))
            ),
        ],
        [str(column) for column in range(size)],
        [str(row) for row in range(size)],
    )


def othello(moves: Sequence[object]) -> str:
    position = START
    last = None
    for index, move in enumerate(read_othello(moves)):
        position = after(position, index, move)
        last = named(move) if NAME.fullmatch(move) else last
    return drawing(
        OTHELLO_SIZE,
        [
            *grid(OTHELLO_SIZE, between=False),
            *(
                part
                for colour, discs in zip(COLOURS, position.discs, strict=True)
                for row, column in sorted(discs)
                for part in stone(row, column, colour, "•" if (row, column) == last else "")
            ),
        ],
        list("abcdefgh"),
        [str(row) for row in range(1, OTHELLO_SIZE + 1)],
    )


def drawing(size: int, parts: Sequence[str], columns: Sequence[str], rows: Sequence[str]) -> str:
    side = 2 * EDGE + size * CELL
    names = [
        *(text(middle(index), EDGE / 2, name, "#333", 10) for index, name in enumerate(columns)),
        *(text(EDGE / 2, middle(index), name, "#333", 10) for index, name in enumerate(rows)),
    ]
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" font-family="sans-serif">',
            f'<rect width="{side}" height="{side}" fill="#f4efe4"/>',
            *names,
            *parts,
            "</svg>",
        )
    )


def grid(size: int, *, between: bool) -> Iterator[str]:
    """Lines that cross where stones are laid, or that bound the squares of discs."""
    count, shift = (size, CELL / 2) if between else (size + 1, 0)
    first, last = EDGE + shift, EDGE + shift + (count - 1) * CELL
    for index in range(count):
        at = first + index * CELL
        yield f'<path d="M{first:g} {at:g}H{last:g}M{at:g} {first:g}V{last:g}" stroke="#777" fill="none"/>'


def stone(row: int, column: int, colour: str, label: str) -> Iterator[str]:
    x, y, reach = middle(column), middle(row), CELL * 0.42
    if colour == "cross":
        yield (
            f'<path d="M{x - reach:g} {y - reach:g}L{x + reach:g} {y + reach:g}'
            f'M{x - reach:g} {y + reach:g}L{x + reach:g} {y - reach:g}" stroke="{INK[colour]}" stroke-opacity=".35" stroke-width="4"/>'
        )
    else:
        fill = f'fill="none" stroke="{INK[colour]}" stroke-opacity=".35" stroke-width="4"'
        solid = f'fill="{INK[colour]}" stroke="#111"'
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{reach:g}" {fill if colour == "nought" else solid}/>'
    if label:
        yield text(x, y, label, "#eee" if colour == "black" else "#111", 11)


def text(x: float, y: float, words: str, ink: str, size: int) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{ink}" font-size="{size}" text-anchor="middle" '
        f'dominant-baseline="central">{words}</text>'
    )


def middle(index: int) -> float:
    return EDGE + (index + 0.5) * CELL
