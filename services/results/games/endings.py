"""Endings as the ruleset describes them, as far as any game may have them: who is at fault, the scores, the points."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

from msgspec.structs import replace

from services.results.games.ending_accounts import Account, Scores
from services.results.games.verdict import GameVerdict, Outcome, UndecidedGame, Winner, both, require_none, unfit
from shared.faults import InputFault
from shared.numbers import stored
from shared.rulesets.play import (
    AWARDED,
    AgreedWinner,
    AsBye,
    AsReported,
    Boards,
    Contest,
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
    Results,
    Scoring,
)
from shared.rulesets.settings import Settings
from shared.tournament.scoring import point_faults, points_of, score_faults, unearned

PLAYED = "played"
NOTHING = Fraction(0)
BOTH = (0, 1)
type Pair = tuple[Fraction, Fraction]


def points_by(
    scoring: Scoring, found: Ending, scores: Scores, by: tuple[int, ...], winner: Winner | None
) -> tuple[Fraction, ...]:
    match found.points:
        case "by-fault" if len(by) == 1:
            return points_of_winner(scoring, 1 if by == (0,) else 0)
        case "by-fault" if by:
            return tuple(NOTHING for _ in scores)
        case "by-scores" | "by-fault":
            return points_of(scoring, scores)
        case "none":
            return tuple(NOTHING for _ in scores)
        case "draw":
            return tuple(scoring.draw for _ in scores)
        case "winner":
            return points_of_winner(scoring, winner)
        case "bye" | "official":
            raise unfit("/end", f"the ruleset gives its points by `{found.points}`, which does not go with its scores")


def points_of_winner(scoring: Scoring, winner: Winner | None) -> tuple[Fraction, Fraction]:
    """Nobody: no points."""
    match winner:
        case None:
            return NOTHING, NOTHING
        case "draw":
            return scoring.draw, scoring.draw
        case 0:
            return scoring.win, scoring.loss
        case 1:
            return scoring.loss, scoring.win


def ending(results: Results, told: Account) -> Ending:
    found = results.endings.get(told.end)
    if found is None:
        raise unfit("/end", results.no_such_ending)
    return found


def awarded(holds: Settings, told: Account, *, apart: bool) -> GameVerdict:
    """An official's decision: by whatever reason, but a result that such a game can have. What a tournament file refuses is
    none, so that a table can be computed again from its file."""
    scores, points = both(
        lambda: of_length(holds.contest, told.scores, "/scores"),
        lambda: of_length(holds.contest, told.points, "/points"),
    )
    if len(scores) != len(points):
        raise unfit("/points", f"are {len(points)}, but there are {len(scores)} scores: both need one for each seat")
    by = told.at_fault or ()
    if not set(by) <= set(range(len(scores))):
        raise unfit("/by", f"names a seat that is not there: they are counted from 0 to {len(scores) - 1}")
    require_none(award_faults(holds.scoring, scores, points, both_at_fault=len(set(by)) > 1, apart=apart))
    return GameVerdict(scores=scores, points=points, end=AWARDED, by=by)


def award_faults(
    scoring: Scoring, scores: Scores, points: Scores, *, both_at_fault: bool, apart: bool
) -> Iterator[InputFault]:
    """All at once. Whether points go together with the scores is asked only where each is right by itself."""
    found = [
        *(about("/scores", *one) for one in score_faults(scoring, scores, both_at_fault=both_at_fault)),
        *(about("/points", *one) for one in point_faults(scoring, points)),
    ]
    yield from found
    if not found and not apart and (sentence := unearned(scoring, scores, points)):
        yield InputFault("/points", sentence)


def about(pointer: str, seat: int | None, sentence: str) -> InputFault:
    return InputFault(pointer if seat is None else f"{pointer}/{seat}", sentence)


def usual(holds: Settings, found: Ending, told: Account) -> Outcome:
    """By a rule that needs nothing but scores and who is at fault."""
    rule = found.scores
    match rule:
        case AsReported() | OfficialScores():
            by, board = both(lambda: at_fault(found, told), lambda: reported(holds, told))
            require_set(rule, board, by or (), told.at_fault_said)
            if lost := set_against(rule, board):
                return against(settled(holds.scoring, found, told, board, lost), told, by)
            return settled(holds.scoring, found, told, board, by or ())
        case Lead() | Margin() | LowerForBoth():
            require_two(holds.contest)
            by, board = both(lambda: at_fault(found, told), lambda: reported(holds, told))
            return settled(holds.scoring, found, told, changed(rule, board, (by or BOTH)[0]), by or ())
        case Fixed():
            require_two(holds.contest)
            by, board = both(lambda: at_fault(found, told), lambda: begun_board(holds, rule, told))
            first, second = (rule.at_fault if seat in (by or ()) else rule.other for seat in BOTH)
            if board is None:
                return derived(holds.scoring, found, told, (first, second), by or ())
            return replace(settled(holds.scoring, found, told, (first, second), by or ()), board=board)
        case Full():
            require_two(holds.contest)
            by = at_fault(found, told) or BOTH
            return derived(holds.scoring, found, told, seated(by[0], NOTHING, full_score(holds.scoring)), by)
        case AsBye():
            at_fault(found, told)
            return bye(holds.scoring, told)
        case NoScores():
            at_fault(found, told)
            require_same("/scores", told.scores)
            return UndecidedGame(end=told.end, detail=f"{found.title}. It gives no result.", reason=told.end)
        case AgreedWinner() | Boards() | Filled() | ExtraTime():
            raise unfit("/end", f"the ruleset counts it by `{rule.rule}`, which this game does not know")


def changed(rule: Lead | Margin | LowerForBoth, board: Scores, loser: int) -> Pair:
    match rule:
        case Lead():
            lead = board[1 - loser] - board[loser]
            return seated(loser, rule.at_fault, lead if lead > rule.above else rule.otherwise)
        case Margin():
            return seated(loser, board[loser], max(board[1 - loser], board[loser] + rule.least))
        case LowerForBoth():
            return min(board), min(board)


def derived(
    scoring: Scoring,
    found: Ending,
    told: Account,
    scores: Scores,
    by: tuple[int, ...] = (),
    winner: Winner | None = None,
) -> GameVerdict:
    """Whoever writes down scores that follow from the ending all the same has to write down these."""
    require_same("/scores", told.scores, scores)
    return settled(scoring, found, told, scores, by, winner)


def settled(
    scoring: Scoring,
    found: Ending,
    told: Account,
    scores: Scores,
    by: tuple[int, ...] = (),
    winner: Winner | None = None,
) -> GameVerdict:
    points = told.points if found.points == "official" else points_by(scoring, found, scores, by, winner)
    if points is None:
        raise unfit("/points", f"needs {len(scores)} numbers, one for each seat: they are an official's decision")
    if len(points) != len(scores):
        raise unfit("/points", f"are {len(points)} for {len(scores)} seats")
    require_same("/points", told.points, points)
    return GameVerdict(scores=scores, points=points, end=told.end, by=by)


def bye(scoring: Scoring, told: Account) -> GameVerdict:
    own, other = scoring.bye_scores
    if told.scores != (own, other):
        require_same("/scores", told.scores, (own,))
    points = ({"full": scoring.win, "half": scoring.draw, "none": NOTHING}[scoring.bye],)
    require_same("/points", told.points, points)
    return GameVerdict(scores=(own,), points=points, end=told.end)


def at_fault(found: Ending, told: Account) -> tuple[int, ...] | None:
    """The seats; none where an official may say it and has not."""
    said = told.at_fault
    match found.fault:
        case "one" | "official-says" if said is not None and (
            len(set(said)) != len(said) or not set(said) <= set(BOTH)
        ):
            raise unfit(told.at_fault_said, "names seats, 0 or 1, each once")
        case "one":
            if said is None or len(said) != 1:
                raise unfit(told.at_fault_said, "says which of the two seats is at fault, 0 or 1")
            return said
        case "official-says":
            return said
        case "nobody":
            if said:
                raise unfit(told.at_fault_said, "has to be left out: nobody is at fault in this ending")
            return ()
        case "both":
            if said and set(said) != set(BOTH):
                raise unfit(told.at_fault_said, "has to be left out: both are at fault in this ending")
            return BOTH


def require_set(rule: AsReported | OfficialScores, scores: Scores, by: tuple[int, ...], pointer: str) -> None:
    """Other scores than an official sets can only be those of a sheet, and then nobody is at fault."""
    if isinstance(rule, AsReported) or not rule.choices or scores in rule.choices:
        return
    if not rule.sheet:
        raise unfit("/scores", f"should be what an official sets here: {', '.join(map(in_words, rule.choices))}")
    if by:
        raise unfit(pointer, "has to be left out: scores that are taken from a sheet are an ordinary result")


def set_against(rule: AsReported | OfficialScores, scores: Scores) -> tuple[int, ...]:
    """An official who set scores, rather than take those of a sheet, set them against those who got nothing."""
    chosen = isinstance(rule, OfficialScores) and scores in rule.choices
    return tuple(seat for seat in BOTH if scores[seat] == NOTHING) if chosen else ()


def against(verdict: GameVerdict, told: Account, by: tuple[int, ...] | None) -> GameVerdict:
    """Points follow from the scores that were set; an official may say that they count against one of those alone, or nobody."""
    if by is None:
        return verdict
    if not set(by) <= set(verdict.by):
        raise unfit(
            told.at_fault_said, "names a seat that has won by these scores: a game is defaulted against who gets 0"
        )
    return replace(verdict, by=by)


def reported(holds: Settings, told: Account) -> Scores:
    """Scores that a game of this ruleset can have."""
    scores = of_length(holds.contest, told.scores, "/scores")
    found = score_faults(holds.scoring, scores, both_at_fault=False)
    require_none(about("/scores", *one) for one in found)
    return scores


def begun_board(holds: Settings, rule: Fixed, told: Account) -> Scores | None:
    """Where a game had begun, what stood there is kept beside what counts."""
    return reported(holds, told) if rule.begun and told.scores is not None else None


def of_length(contest: Contest, numbers: Scores | None, pointer: str) -> Scores:
    least, most = contest.seats
    if numbers is None or not least <= len(numbers) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise unfit(pointer, f"needs {wanted} numbers, one for each seat")
    return numbers


def require_two(contest: Contest) -> None:
    if contest.seats != (len(BOTH), len(BOTH)):
        raise unfit("/end", "is an ending of a game of two, and more may sit here")


def full_score(scoring: Scoring) -> Fraction:
    if scoring.total is None:
        raise unfit("/end", "gives the full score, and the ruleset names none: `scoring.total`")
    return Fraction(scoring.total)


def require_same(pointer: str, said: Scores | None, follows: Scores | None = None) -> None:
    if said is not None and said != follows:
        wanted = "" if follows is None else f"can only be {in_words(follows)} in this ending; "
        raise unfit(pointer, f"{wanted}leave them out")


TIMES = {"latest_start": "waiting for who is not there", "limit": "the time in which a game ends"}


def require_time(rules: Results, found: Ending, told: Account) -> None:
    """An ending that waits for a time comes after it, and every other one before the limit of a game."""
    if told.after is None:
        return
    name = found.after or "limit"
    minutes = rules.latest_start if name == "latest_start" else rules.limit
    if minutes is None:
        raise unfit("/after", f"says nothing here: {TIMES[name]} was not announced, as option results.{name} does")
    if found.after is not None and told.after < minutes:
        raise unfit("/after", f"is too early: {TIMES[name]} is over {minutes} minutes after the start of the round")
    if found.after is None and told.after > minutes:
        late = next((title for title, one in rules.endings.items() if one.after == "limit"), None)
        instead = f": tell it as {late}" if late else ""
        raise unfit(
            "/after", f"is too late: {TIMES[name]} is over {minutes} minutes after the start of the round{instead}"
        )


def require_only(told: Account, form: type[Account], *used: str) -> None:
    """What a family has of its own, and this ending has no use for, would only contradict."""
    if told.model_fields_set.isdisjoint(own_fields(form)):
        return
    require_none(
        InputFault(f"/{name}", "has no place in this ending: leave it out")
        for name in own_fields(form)
        if name not in used and getattr(told, name) is not None
    )


@cache
def own_fields(form: type[Account]) -> tuple[str, ...]:
    return tuple(name for name in form.model_fields if name not in Account.model_fields)


def seated(loser: int, lost: Fraction, won: Fraction) -> Pair:
    return (lost, won) if loser == 0 else (won, lost)


def in_words(numbers: Sequence[Fraction]) -> str:
    return ":".join(str(stored(number)) for number in numbers)
