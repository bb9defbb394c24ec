"""How long the games of a round take at the most, by the clocks and limits of the rules."""

from fractions import Fraction

from shared.rulesets.settings import Settings

SIDES = 2  # whose clocks run one after the other


def longest(holds: Settings) -> Fraction | None:
    """In minutes. None where the rules measure no time, or leave open how many games a match has."""
    results, levels = holds.results, holds.contest.levels
    if results.limit is not None:
        return Fraction(results.limit)
    if results.minutes is None or results.clocks != "every-table" or any(one.best_of is not None for one in levels):
        return None
    after_each_other = 1
    for one in levels:
        if not one.at_once:
            after_each_other *= one.count or 1
    return Fraction(results.minutes) * SIDES * after_each_other
