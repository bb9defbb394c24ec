"""What the rules and the announcement say about time, in sentences for those who play: on sheets and in answers."""

from collections.abc import Iterator
from fractions import Fraction

from shared.numbers import in_words
from shared.rulesets.play import Period, Results
from shared.rulesets.settings import Settings

BRINGS = {
    "organiser": "The organiser brings the clocks.",
    "players": "The players bring the clocks.",
    "officials": "Officials measure the time.",
}


def times(holds: Settings) -> tuple[str, ...]:
    """None where nothing is said about it."""
    return tuple(sentences(holds))


def sentences(holds: Settings) -> Iterator[str]:
    contest, rules = holds.contest, holds.results
    what = "a duel" if any(level.id == "duel" for level in contest.levels) else "a game"
    if contest.periods:
        yield f"Each side has {periods_said(contest.periods)}."
    if rules.minutes is not None:
        yield f"Each side has {minutes_said(rules.minutes)} for {what}."
    if rules.minutes_of_turn is not None:
        yield f"A turn takes at most {minutes_said(rules.minutes_of_turn)}{warned(rules)}."
    is_measured = contest.periods or rules.minutes is not None or rules.minutes_of_turn is not None
    if is_measured and rules.clocks == "slow-tables":
        yield "Time is measured where a table is slow."
    if is_measured and rules.clocks_by is not None:
        yield BRINGS[rules.clocks_by]
    if rules.latest_start is not None:
        yield f"Who is not there {minutes_said(rules.latest_start)} after the start of the round has lost."
    if rules.limit is not None:
        yield f"Games end within {minutes_said(rules.limit)} of the start of the round."


def periods_said(periods: tuple[Period, ...]) -> str:
    said = ", then ".join(
        f"{minutes_said(one.minutes)} for {f'{one.moves} moves' if one.moves else 'all moves that are left'}"
        for one in periods
    )
    return said if periods[-1].moves is None else f"{said}, and so on"


def minutes_said(minutes: Fraction | int) -> str:
    return "1 minute" if minutes == 1 else f"{in_words(Fraction(minutes))} minutes"


def warned(rules: Results) -> str:
    if not rules.turn_warnings:
        return ""
    return f", which is said {' and '.join(map(str, rules.turn_warnings))} seconds before"
