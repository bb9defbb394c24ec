"""FIDE's Tournament Report File, of 2016 and of 2026. A record begins with its number; what it says stands in columns.

The newer one says more of scoring, of the order of the table, and of teams. Who sat at which board of a match is not
known here: a team stands among the players as if it had one, who plays its matches.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Literal

from services.standings.api.reports.stage_report import (
    BYE,
    DRAWN,
    FULL_BYE,
    HALF_BYE,
    LOST,
    LOST_BY_FORFEIT,
    NO_POINTS,
    NOBODY_MET,
    WON,
    WON_BY_FORFEIT,
    FormatDoesNotFit,
    ReportedEntrant,
    ReportedTurn,
    StageReport,
)
from services.standings.api.reports.tie_break_codes import TieBreakCode
from shared.program import made_by
from shared.rulesets.pairing_and_standings import System
from shared.rulesets.play import Scoring

LONGEST_NAME = 33
LONGEST_NAME_OF_TEAM = 32
HIGHEST_RATING = 9_999
OF_MATCHES = {"W": Fraction(2), "D": Fraction(1), "L": Fraction(0)}
OF_GAMES = {"W": Fraction(1), "D": Fraction(1, 2), "L": Fraction(0)}
FORFEITED = {WON_BY_FORFEIT, LOST_BY_FORFEIT}
UNPLAYED = {BYE: "PAB", FULL_BYE: "FPB", HALF_BYE: "HPB", NO_POINTS: "ZPB"}
# FIDE's own systems have names of their own; none of ours is one of them.
SYSTEMS: Mapping[System, str] = {
    "median-swiss": "SWISS",
    "cost-swiss": "SWISS",
    "round-robin": "ROUNDROBIN",
    "double-round-robin": "ROUNDROBIN",
    "groups": "ROUNDROBIN",
    "tables": "SWISS",
    "knockout": "KNOCKOUT",
}


def tournament_report(report: StageReport, of: Literal["trf16", "trf26"]) -> Iterator[str]:
    rated = sum(1 for entrant in report.entrants if is_rating(entrant.rating))
    yield f"012 {report.title}"
    yield f"042 {report.starts_on.replace('-', '/')}"
    yield f"062 {len(report.entrants)}"
    yield f"072 {rated}"
    if report.is_of_teams:
        yield f"082 {len(report.entrants)}"
    yield f"092 {'Team' if report.is_of_teams else 'Individual'}: {report.system}"
    if any(report.days):
        yield f"132{'':87}" + "".join(f" {day_of_round(day):<9}" for day in report.days).rstrip()
    yield from of_2016(report) if of == "trf16" else of_2026(report)


def of_2016(report: StageReport) -> Iterator[str]:
    """With what pairing programs have added: rounds, and points where they are others than FIDE's."""
    yield f"XXR {report.planned}"
    worth = worth_of(report.scoring)
    points = {"W": worth[WON], "D": worth[DRAWN], "L": worth[LOST], "PAB": worth[BYE]}
    if points != OF_GAMES | {"PAB": OF_GAMES["W"]}:
        yield "XXS " + " ".join(f"{sign}={points_in_four(one).strip()}" for sign, one in points.items())
    for entrant in report.entrants:
        yield player_record(entrant)
    if report.is_of_teams:
        for entrant in report.entrants:
            yield f"013 {in_columns(entrant.name, LONGEST_NAME_OF_TEAM)}{entrant.number:>4}"


def of_2026(report: StageReport) -> Iterator[str]:
    yield f"142 {report.planned}"
    yield from scoring_record(report.scoring)
    yield f"182 {made_by('standings')}"
    yield f"192 CUSTOM_{'TEAM_' if report.is_of_teams else ''}{SYSTEMS[report.system]}"
    yield from tie_break_records(report.tie_breaks)
    if report.is_of_teams:
        yield from match_scoring_record(report.scoring)
    for entrant in report.entrants:
        yield player_record(entrant)
    if report.is_of_teams:
        yield from team_records(report)
    yield from other_points(report)
    if report.is_of_teams:
        for entrant in report.entrants:
            yield matches_record(entrant)


# Scoring, and the order of the table


def scoring_record(scoring: Scoring) -> Iterator[str]:
    """Told where it is another than FIDE's."""
    worth = {"W": scoring.win, "D": scoring.draw, "L": scoring.loss, "P": bye_points(scoring)}
    if worth != OF_GAMES | {"P": OF_GAMES["W"]}:
        yield "162  " + "    ".join(f"{sign}{points_in_four(points)}" for sign, points in worth.items())


def match_scoring_record(scoring: Scoring) -> Iterator[str]:
    worth = {"W": scoring.win, "D": scoring.draw, "L": scoring.loss}
    if worth != OF_MATCHES:
        yield "362 " + "   ".join(f"T{sign}{points_in_four(points)}" for sign, points in worth.items())


def tie_break_records(tie_breaks: Sequence[TieBreakCode]) -> Iterator[str]:
    """What breaks ties between equal points, where those come first; and the whole order of the table."""
    codes = [one.code for one in tie_breaks]
    first, *others = codes
    if first == "PTS" and others:
        yield f"202 {','.join(others)}"
    yield f"212 {','.join(codes)}"
    for one in tie_breaks:
        if one.says is not None:
            yield f"### {one.code}: {one.says}"


# Players


def player_record(entrant: ReportedEntrant) -> str:
    rating = str(entrant.rating) if is_rating(entrant.rating) else ""
    known = f"{rating:>4} {'':3} {'':11} {'':10} {points_in_four(entrant.points)} {entrant.place:>4}"
    turns = "".join(f"  {turn_in_eight(turn)}" for turn in entrant.turns)
    return f"001 {entrant.number:>4} {'':4} {in_columns(entrant.name, LONGEST_NAME)} {known}{turns}"


def turn_in_eight(turn: ReportedTurn) -> str:
    if turn.opponent == NOBODY_MET:
        return f"0000 - {turn.result}"
    return f"{turn.opponent:>4} {'w' if turn.begins else 'b'} {turn.result}"


def other_points(report: StageReport) -> Iterator[str]:
    """Penalties, and what was brought along: points of matches or, of players, of games."""
    worth = worth_of(report.scoring)
    for entrant in report.entrants:
        if besides := entrant.points - sum(worth[turn.result] for turn in entrant.turns):
            points = points_in_four(besides)
            columns = f"{points}  {'':4}" if report.is_of_teams else f"{'':4}  {points}"
            yield f"299    {columns}  000 {entrant.number:>4}"


# Teams


def team_records(report: StageReport) -> Iterator[str]:
    for entrant in report.entrants:
        name = in_columns(entrant.name, LONGEST_NAME_OF_TEAM)
        rating = str(entrant.rating) if is_rating(entrant.rating) else ""
        totals = f"{points_in_six(entrant.points)} {points_in_six(game_points(entrant))} {entrant.place:>3}"
        yield f"310 {entrant.number:>3} {name} {'':5} {rating:>6} {totals}  {entrant.number:>4}"
    yield from bye_records(report)
    yield from forfeit_records(report)


def bye_records(report: StageReport) -> Iterator[str]:
    """Byes that bring points: those that were asked for round by round, that of the pairing for all rounds in one line."""
    found = sorted(
        (number, turn.result, entrant.number)
        for entrant in report.entrants
        for number, turn in enumerate(entrant.turns, start=1)
        if turn.result in {FULL_BYE, HALF_BYE}
    )
    for (number, sign), several in groupby(found, key=lambda one: one[:2]):
        yield f"240 {sign} {number:>3}" + "".join(f" {team:>4}" for _, _, team in several)
    resting = {
        number: (entrant.number, turn.made)
        for entrant in report.entrants
        for number, turn in enumerate(entrant.turns, start=1)
        if turn.result == BYE
    }
    if resting:
        made = next(made for _, made in resting.values())
        teams = "".join(f" {resting.get(number, (0, made))[0]:03}" for number in range(1, len(report.days) + 1))
        yield f"320 {points_in_four(bye_points(report.scoring))} {points_in_four(made)}{teams}"


def forfeit_records(report: StageReport) -> Iterator[str]:
    """Each once, by the side that was to begin."""
    for number in range(len(report.days)):
        for entrant in report.entrants:
            turn = entrant.turns[number]
            if turn.begins and turn.result in FORFEITED:
                other = report.entrants[turn.opponent - 1].turns[number]
                yield f"330 {turn.result}{other.result} {number + 1:>3} {entrant.number:>3} {turn.opponent:>3}"


def matches_record(entrant: ReportedEntrant) -> str:
    """For people: opponent, side and points of the boards, round by round."""
    totals = f"{points_in_six(entrant.points)} {points_in_six(game_points(entrant))}"
    matches = "  ".join(match_in_eleven(turn) for turn in entrant.turns)
    return f"802 {entrant.number:>3} {'':5} {totals} {matches}".rstrip()


def match_in_eleven(turn: ReportedTurn) -> str:
    made = points_in_four(turn.made)
    if turn.opponent == NOBODY_MET:
        return f"{UNPLAYED[turn.result]}   {made} "
    return f"{turn.opponent:>3} {'w' if turn.begins else 'b'} {made}{'f' if turn.result in FORFEITED else ' '}"


def game_points(entrant: ReportedEntrant) -> Fraction:
    return sum((turn.made for turn in entrant.turns), start=Fraction(0))


# What points there are, and how they are written


def worth_of(scoring: Scoring) -> Mapping[str, Fraction]:
    nothing = Fraction(0)
    full, half = scoring.win, scoring.draw
    return {
        WON: full,
        DRAWN: half,
        LOST: scoring.loss,
        WON_BY_FORFEIT: full,
        LOST_BY_FORFEIT: nothing,
        BYE: bye_points(scoring),
        FULL_BYE: full,
        HALF_BYE: half,
        NO_POINTS: nothing,
    }


def bye_points(scoring: Scoring) -> Fraction:
    return {"full": scoring.win, "half": scoring.draw, "none": Fraction(0)}[scoring.bye]


def points_in_four(points: Fraction) -> str:
    return points_in(points, 4)


def points_in_six(points: Fraction) -> str:
    return points_in(points, 6)


def points_in(points: Fraction, columns: int) -> str:
    written = f"{float(points):{columns}.1f}"
    if (points * 10).denominator != 1 or len(written) > columns:
        raise FormatDoesNotFit(f"The file has no place for {float(points):g} points: ask for `csv`.")
    return written


def in_columns(name: str, columns: int) -> str:
    return f"{name[:columns]:<{columns}}"


def is_rating(rating: int | None) -> bool:
    return rating is not None and 0 < rating <= HIGHEST_RATING


def day_of_round(day: str | None) -> str:
    return day[2:].replace("-", "/") if day else ""
