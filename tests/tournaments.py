"""Tournaments written briefly: `A-D 380:350, B-E 400:300, bye C` is a round, in which A and B are named first."""

from collections.abc import Iterable, Iterator
from typing import Any

SCRABBLE = "scrabble-sk-2022-qt"
SWISS = {"pairing.system": "cost-swiss"}


def tournament(entrants: Iterable[str], *rounds: str, **more: Any) -> dict[str, Any]:
    """A tournament file; a Swiss however few there are, unless options say otherwise."""
    return {
        "format": "roundlog.tournament/1",
        "ruleset": SCRABBLE,
        "options": dict(SWISS),
        "entrants": [{"id": one} for one in entrants],
        "rounds": [played(number, text) for number, text in enumerate(rounds, start=1)],
    } | more


def played(number: int, text: str) -> dict[str, Any]:
    parts = [part.split() for part in text.split(",") if part.strip()]
    found: dict[str, Any] = {"number": number, "games": list(games(parts))}
    for kind in ("bye", "missing"):
        if names := [name for word, name, *_ in parts if word == kind]:
            found["byes" if kind == "bye" else kind] = names
    return found


def games(parts: Iterable[list[str]]) -> Iterator[dict[str, Any]]:
    for first, second, *marks in parts:
        if "-" in first:
            seats = first.split("-")
            scores = [int(score) for score in second.split(":")]
            yield {"seats": seats, "first": seats[0], "scores": scores} | marked(marks)


def marked(marks: Iterable[str]) -> dict[str, Any]:
    """`@SF1` is a match, `>C` who went on from a drawn one, `=A` for whom a draw wins, `!0` the seat at fault."""
    found: dict[str, Any] = {}
    for mark in marks:
        match mark[0], mark[1:]:
            case "@", name:
                found["match"] = name
            case ">", name:
                found |= {"winner": name, "decided_by": "lot"}
            case "=", name:
                found["draw_wins"] = name
            case _, seat:
                found |= {"end": "forfeit", "by": int(seat)}
    return found
