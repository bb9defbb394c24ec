"""Scrabble: two whole scores, and every ending that the regulations of the association know, live and online."""

from fractions import Fraction

from services.results.games.endings import (
    AWARDED,
    BOTH,
    NOTHING,
    PLAYED,
    at_fault,
    awarded,
    ending,
    pair,
    points_by_scores,
    points_of_bye,
    points_of_winner,
)
from services.results.games.happening import Happening, Verdict, unfit
from shared.exact import stored
from shared.rulesets.endings import (
    AgreedWinner,
    AsBye,
    AsReported,
    Boards,
    Ending,
    ExtraTime,
    Filled,
    Fixed,
    Full,
    Lead,
    LowerForBoth,
    Margin,
    NoScores,
    OfficialScores,
)
from shared.rulesets.play import Results, Scoring

type Scores = tuple[Fraction, Fraction]


def adjudicate(scoring: Scoring, results: Results, happening: Happening) -> Verdict:
    if happening.end == AWARDED:
        return awarded(happening, seats=2)
    found = ending(results, happening)
    if isinstance(found.scores, AsBye):
        return bye(scoring, happening)
    if found.confirmed_by_both and not confirmed(happening):
        return played_out(scoring, happening)
    by = at_fault(found.fault, happening)
    scores = scores_of(found, scoring, happening, by)
    if by is None:
        by = set_against(found, scores)
    return Verdict(scores=scores, points=points_of(found, scoring, happening, scores, by), end=happening.end, by=by)


def scores_of(found: Ending, scoring: Scoring, happening: Happening, by: tuple[int, ...] | None) -> Scores:
    rule = found.scores
    match rule:
        case AsReported() | OfficialScores():
            return pair(scoring, happening)
        case Fixed():
            return fixed(rule, happening, by or ())
        case Lead():
            return by_lead(rule, pair(scoring, happening), loser=(by or BOTH)[0])
        case Margin():
            return raised(rule, pair(scoring, happening), loser=(by or BOTH)[0])
        case LowerForBoth():
            lower = min(pair(scoring, happening))
            return lower, lower
        case AgreedWinner():
            return by_agreement(rule, happening)
        case AsBye() | Full() | Boards() | Filled() | ExtraTime() | NoScores():
            raise unfit("/end", f"the ruleset counts it by `{rule.rule}`, which Scrabble does not know")


def fixed(rule: Fixed, happening: Happening, by: tuple[int, ...]) -> Scores:
    """Whoever writes them down all the same has to write down these."""
    scores = (rule.at_fault if 0 in by else rule.other), (rule.at_fault if 1 in by else rule.other)
    if happening.scores is not None and happening.scores != scores:
        raise unfit("/scores", f"can only be {stored(scores[0])}:{stored(scores[1])} in this ending; leave them out")
    return scores


def by_lead(rule: Lead, board: Scores, *, loser: int) -> Scores:
    lead = board[1 - loser] - board[loser]
    return seated(loser, rule.at_fault, lead if lead > rule.above else rule.otherwise)


def raised(rule: Margin, board: Scores, *, loser: int) -> Scores:
    return seated(loser, board[loser], max(board[1 - loser], board[loser] + rule.least))


def by_agreement(rule: AgreedWinner, happening: Happening) -> Scores:
    if not happening.winner_said:
        raise unfit("/agreed_winner", "is 0 or 1, or null where the players do not agree on the winner")
    if happening.agreed_winner is None:
        return rule.otherwise, rule.otherwise
    return seated(1 - happening.agreed_winner, rule.loser, rule.winner)


def seated(loser: int, lost: Fraction, won: Fraction) -> Scores:
    return (lost, won) if loser == 0 else (won, lost)


def set_against(found: Ending, scores: Scores) -> tuple[int, ...]:
    """An official who set scores, rather than take those of a sheet, set them against those who got nothing."""
    chosen = isinstance(found.scores, OfficialScores) and scores in found.scores.choices
    return tuple(seat for seat in BOTH if scores[seat] == NOTHING) if chosen else ()


def points_of(
    found: Ending, scoring: Scoring, happening: Happening, scores: Scores, by: tuple[int, ...]
) -> tuple[Fraction, Fraction]:
    match found.points:
        case "by-fault" if len(by) == 1:
            return points_of_winner(scoring, 1 - by[0])
        case "by-fault" if by:
            return NOTHING, NOTHING
        case "by-scores" | "by-fault":
            return points_by_scores(scoring, *scores)
        case "none":
            return NOTHING, NOTHING
        case "draw":
            return scoring.draw, scoring.draw
        case "winner":
            return points_of_winner(scoring, happening.agreed_winner)
        case "bye" | "official":
            raise unfit("/end", f"the ruleset gives its points by `{found.points}`, which a game of two does not know")


def bye(scoring: Scoring, happening: Happening) -> Verdict:
    own, _ = scoring.bye_scores
    if happening.scores not in {None, (own,), scoring.bye_scores}:
        raise unfit("/scores", f"can only be {stored(own)} for a bye; leave them out")
    return Verdict(scores=(own,), points=(points_of_bye(scoring),), end=happening.end)


def confirmed(happening: Happening) -> bool:
    if happening.confirmed is None:
        raise unfit("/confirmed", "says of each seat whether it has confirmed, as [true, false]")
    return all(happening.confirmed)


def played_out(scoring: Scoring, happening: Happening) -> Verdict:
    """Without both confirmations it did not happen, and what was played stands."""
    scores = pair(scoring, happening)
    return Verdict(scores=scores, points=points_by_scores(scoring, *scores), end=PLAYED)
