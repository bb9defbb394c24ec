"""A round on paper: by table for those who run it, by name for those who look for their seat."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Literal
from zoneinfo import ZoneInfo

from services.pairing.api.bodies import Player
from services.pairing.api.rounds.bodies import Pair, Round
from shared.personal import shown_names

type SheetOrder = Literal["table", "name"]

STYLE = """
  body { font: 11pt/1.4 system-ui, sans-serif; margin: 1.5cm; }
  h1 { font-size: 15pt; margin: 0; } p { margin: .2em 0 1em; }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-bottom: 1px solid #999; padding: .25em .5em; text-align: left; vertical-align: top; }
  th { border-bottom: 2px solid #000; } thead { display: table-header-group; } tr { break-inside: avoid; }
  td.number { text-align: right; white-space: nowrap; width: 3em; } td.result { border: 1px solid #999; width: 6em; }
  @page { margin: 1cm; } @media print { body { margin: 0; } }
"""
BY_TABLE = ("Table", "Seats", "Result")
BY_NAME = ("Name", "Table", "Seat", "Against")
COLUMNS = (
    "table",
    "room",
    "label",
    "seat",
    "entrant",
    "number",
    "name",
    "home",
    "first",
    "choice",
    "group",
    "match",
    "game",
    "without_table",
)


def page(shown: Round, times: Sequence[str], by: SheetOrder) -> str:
    """A page without anything that has to be loaded from elsewhere. `times` are those that the rules give a game, in sentences."""
    title = f"{shown.tournament_name}: {shown.title}, round {shown.round}"
    columns = BY_TABLE if by == "table" else BY_NAME
    rows = by_table(shown) if by == "table" else by_name(shown)
    return "\n".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1><p>{escape(when(shown))}</p>",
            *([f'<p class="times">{escape(" ".join(times))}</p>'] if times else []),
            f"<table><thead><tr>{''.join(f'<th scope="col">{name}</th>' for name in columns)}</tr></thead><tbody>",
            *rows,
            "</tbody></table></body></html>",
        )
    )


def when(shown: Round) -> str:
    parts = (
        [] if shown.status in {"published", "completed"} else [f"This is a {shown.status} round, not published yet."]
    )
    if shown.starts_at is not None:
        there = shown.starts_at.astimezone(ZoneInfo(shown.time_zone))
        parts.append(f"Starts {there:%Y-%m-%d %H:%M}, {shown.time_zone}.")
    return " ".join(parts)


def by_table(shown: Round) -> Iterator[str]:
    for pair in shown.pairs:
        seats = "<br>".join(f"{escape(called(player))}{mark(pair, player)}" for player in pair.seats)
        label = " ".join(filter(None, (pair.group and f"group {pair.group}", pair.match)))
        small = f"<br><small>{escape(label)}</small>" if label else ""
        stands = f"<br><small>{escape(where(pair))}</small>" if pair.room else ""
        yield (f'<tr><td class="number">{pair.table}{stands}</td><td>{seats}{small}</td><td class="result"></td></tr>')
    for player, why in without_table(shown):
        yield f'<tr><td class="number">–</td><td>{escape(called(player))}: {why}</td><td></td></tr>'


def by_name(shown: Round) -> Iterator[str]:
    found = [
        (called(player), where(pair), f"{seat}{mark(pair, player)}", ", ".join(against(pair, player)))
        for pair in shown.pairs
        for seat, player in enumerate(pair.seats, 1)
    ]
    found += [(called(player), "–", "–", why) for player, why in without_table(shown)]
    for name, table, seat, others in sorted(found, key=lambda row: row[0].casefold()):
        yield f"<tr><td>{escape(name)}</td><td>{escape(table)}</td><td>{seat}</td><td>{escape(others)}</td></tr>"


def without_table(shown: Round) -> Iterator[tuple[Player, str]]:
    yield from ((player, "bye") for player in shown.byes)
    yield from ((player, "rests on request") for player in shown.requested_byes)
    yield from ((player, "missing") for player in shown.missing)


def where(pair: Pair) -> str:
    """The table, as people look for it in the hall."""
    return f"{pair.room}, {pair.label}" if pair.room else str(pair.table)


def against(pair: Pair, player: Player) -> list[str]:
    return [called(other) for other in pair.seats if other.entrant != player.entrant]


def called(player: Player) -> str:
    return shown_names.called(player.name, player.number)


def mark(pair: Pair, player: Player) -> str:
    if pair.first == player.entrant:
        return " (first)"
    return " (may choose)" if pair.option == player.entrant else ""


def lines(shown: Round) -> Iterator[dict[str, object]]:
    """The lines of a spreadsheet, one for each seat and for everybody without a table."""
    for pair in shown.pairs:
        for seat, player in enumerate(pair.seats, 1):
            yield {
                "table": pair.table,
                "room": pair.room or "",
                "label": pair.label or "",
                "seat": seat,
                **of_player(player),
                "first": "yes" if pair.first == player.entrant else "",
                "choice": "yes" if pair.option == player.entrant else "",
                "group": pair.group or "",
                "match": pair.match or "",
                "game": pair.game or "",
            }
    for player, why in without_table(shown):
        yield {**of_player(player), "without_table": why}


def of_player(player: Player) -> dict[str, object]:
    return {
        "entrant": player.entrant,
        "number": player.number,
        "name": called(player),
        "home": player.home or "",
    }
