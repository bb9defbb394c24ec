"""Figures as a picture: a strip for each, from nothing up."""

from collections.abc import Sequence
from html import escape

from shared.values import Value

WIDTH, HEIGHT, LEFT, GAP = 640, 64, 330, 14
GOOD, BAD = "#26734d", "#b3261e"


class Dot(Value):
    along: float  # the strip, from 0 to 1
    value: float
    words: str
    holds: bool = True
    label: str = ""  # below


class Strip(Value):
    title: str
    dots: Sequence[Dot]
    last: str  # what the last one says
    due: float | None = None  # where it has to be, as a dashed line


def picture(strips: Sequence[Strip]) -> str:
    height = len(strips) * (HEIGHT + GAP) + GAP
    drawn = "".join(strip(GAP + number * (HEIGHT + GAP), one) for number, one in enumerate(strips))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 90}" height="{height}" '
        f'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="white"/>{drawn}</svg>\n'
    )


def strip(top: int, drawn: Strip) -> str:
    most = 1.1 * max(drawn.due or 0.0, *(dot.value for dot in drawn.dots), 1e-9)

    def x(dot: Dot) -> float:
        return LEFT + dot.along * WIDTH

    def y(value: float) -> float:
        return round(top + HEIGHT * (1 - value / most), 1)

    points = " ".join(f"{x(dot):.1f},{y(dot.value)}" for dot in drawn.dots)
    dots = "".join(
        f'<circle cx="{x(dot):.1f}" cy="{y(dot.value)}" r="3" fill="{GOOD if dot.holds else BAD}">'
        f"<title>{escape(dot.words)}</title></circle>"
        for dot in drawn.dots
    )
    labels = "".join(
        f'<text x="{x(dot):.1f}" y="{top + HEIGHT + 11}" font-size="10" fill="#666" text-anchor="middle">'
        f"{escape(dot.label)}</text>"
        for dot in drawn.dots
        if dot.label
    )
    due = (
        ""
        if drawn.due is None
        else f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y(drawn.due)}" y2="{y(drawn.due)}" stroke="#999" '
        'stroke-dasharray="4 4"/>'
    )
    return (
        f'<text x="10" y="{top + HEIGHT / 2}">{escape(drawn.title)}</text>'
        f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{top + HEIGHT}" y2="{top + HEIGHT}" stroke="#ddd"/>{due}'
        f'<polyline points="{points}" fill="none" stroke="#335" stroke-width="1.5"/>{dots}{labels}'
        f'<text x="{LEFT + WIDTH + 12}" y="{y(drawn.dots[-1].value) + 4}">{escape(drawn.last)}</text>'
    )
