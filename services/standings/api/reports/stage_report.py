"""What a stage was, in the words of the files that other programs read.

They tell of each entrant the opponent and the result of every round, by numbers that count from 1 in the order of the
start numbers. So they fit games and matches of two sides, one in a round. They go as far as every game has its result,
since none has a sign for one that is still played. `docs/reference.md` says what stands where.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from services.standings.api.reports.tie_break_codes import TieBreakCode, tie_break_codes
from services.standings.calculate.crosstable import who_began
from services.standings.tournaments import EntrantNames, KnownTournament
from shared.refusals import Invalid
from shared.rulesets.pairing_and_standings import System
from shared.rulesets.play import Full, Scoring
from shared.rulesets.settings import stage_of
from shared.tournament.facts import Facts, Game, Round
from shared.tournament.ledger import Ledger, RoundTurn, ledger_of
from shared.tournament.ranking import rank
from shared.tournament.stages import require_stage, settings_of
from shared.values import Value

PAIR = 2  # seats
MOST_ENTRANTS = 9_999
MOST_TEAMS = 999
NOBODY_MET = 0

WON, DRAWN, LOST = "1", "=", "0"
WON_BY_FORFEIT, LOST_BY_FORFEIT = "+", "-"
BYE, FULL_BYE, HALF_BYE, NO_POINTS = "U", "F", "H", "Z"


class FormatDoesNotFit(Invalid):
    """A file of another program has no place for what was played."""


class ReportedTurn(Value):
    """One round of one entrant, as such files know it."""

    opponent: int = NOBODY_MET
    begins: bool | None = None
    result: str = NO_POINTS  # the sign of FIDE
    made: Fraction = Fraction(0)
    received: Fraction = Fraction(0)


class ReportedEntrant(Value):
    number: int
    name: str
    rating: int | None
    place: int
    points: Fraction
    is_gone: bool
    turns: Sequence[ReportedTurn]


class StageReport(Value):
    title: str
    is_of_teams: bool
    system: System
    starts_on: str
    days: Sequence[str | None]  # on which its rounds were played, as ISO dates
    planned: int  # rounds
    scoring: Scoring
    tie_breaks: Sequence[TieBreakCode]
    entrants: Sequence[ReportedEntrant]


def reported(known: KnownTournament, stage: str, names: EntrantNames, through: int | None) -> StageReport:
    facts = known.facts
    require_stage(facts, stage)
    if (why := why_not(facts, stage)) is not None:
        raise FormatDoesNotFit(why)
    complete = complete_rounds(facts, stage, through)
    last = max(complete, default=0)
    ledger = ledger_of(facts, stage, through=last)
    places = {row.entrant: row.place for row in rank(facts, stage, through=last).rows}
    field = sorted((facts.entrants[one] for one in places), key=lambda entrant: entrant.number)
    of_teams = is_of_teams(facts)
    most = MOST_TEAMS if of_teams else MOST_ENTRANTS
    if len(field) > most:
        raise FormatDoesNotFit(f"The file has room for {most} entrants: ask for `csv`.")
    numbers = {entrant.id: number for number, entrant in enumerate(field, start=1)}
    began = who_began(facts, stage)
    settings = settings_of(facts, stage)
    titled = stage_of(facts.ruleset, stage).title if len(facts.ruleset.stages) > 1 else ""
    return StageReport(
        title=", ".join(filter(None, (in_one_line(known.name or known.tournament), titled))),
        is_of_teams=of_teams,
        system=settings.pairing.system,
        starts_on=known.starts_on,
        days=[known.days.get((stage, number)) for number in complete],
        planned=settings.rounds or last,
        scoring=settings.scoring,
        tie_breaks=tie_break_codes(ledger, of_teams=of_teams),
        entrants=[
            ReportedEntrant(
                number=numbers[entrant.id],
                name=family_name_first(known, entrant.id, names, numbers[entrant.id]),
                rating=entrant.rating,
                place=places[entrant.id],
                points=ledger.exact(ledger.own_points[entrant.id]),
                is_gone=entrant.id in facts.left,
                turns=[turn_of(ledger, entrant.id, number, numbers, began) for number in complete],
            )
            for entrant in field
        ],
    )


def why_not(facts: Facts, stage: str) -> str | None:
    """Why such files have no place for what is played."""
    settings = settings_of(facts, stage)
    if settings.contest.seats != (PAIR, PAIR) or settings.scoring.placement is not None:
        return "The file knows tables of two only, and here more sit at one: ask for `csv`."
    levels = {level.id for level in settings.contest.levels}
    if levels and ("game" in levels or not is_of_teams(facts)):
        return "The file knows one game or match of two in a round, and here they meet in several: ask for `csv`."
    return None


def is_of_teams(facts: Facts) -> bool:
    return facts.ruleset.entry.kind == "team"


def complete_rounds(facts: Facts, stage: str, through: int | None) -> list[int]:
    """Those before the first that waits for a result."""
    found: list[int] = []
    for number in sorted(number for of, number in facts.rounds if of == stage):
        games = facts.rounds[stage, number].games
        ended = all(game.id in facts.results or game.id in facts.voided for game in games)
        if not ended or (through is not None and number > through):
            break
        found.append(number)
    return found


def turn_of(
    ledger: Ledger, entrant: str, number: int, numbers: Mapping[str, int], began: Mapping[tuple[int, str], bool]
) -> ReportedTurn:
    several = [turn for turn in ledger.turns[entrant] if turn.round == number]
    if len(several) > 1:
        raise FormatDoesNotFit("The file knows one game in a round, and here a match has several: ask for `csv`.")
    round_ = ledger.facts.rounds[ledger.stage, number]
    if not several:
        return ReportedTurn()
    (turn,) = several
    made, received = ledger.exact(turn.made), ledger.exact(turn.received)
    if turn.kind != "game":
        return ReportedTurn(result=without_game(ledger, turn, round_), made=made, received=received)
    (other,) = turn.opponents
    (theirs,) = (one for one in ledger.turns[other] if one.round == number)
    game = next(game for game in round_.games if entrant in game.seats)
    return ReportedTurn(
        opponent=numbers[other],
        begins=began.get((number, entrant), game.seats[0] == entrant),
        result=of_game(ledger, game, turn, theirs),
        made=made,
        received=received,
    )


def of_game(ledger: Ledger, game: Game, turn: RoundTurn, theirs: RoundTurn) -> str:
    """Who is at fault has lost by forfeit, whether or not a move was made; the same game counts so in criteria."""
    is_forfeit = turn.was_forfeit and not is_of_one_board(ledger, game)
    if is_forfeit and turn.at_fault:
        return LOST_BY_FORFEIT
    if is_forfeit and theirs.at_fault:
        return WON_BY_FORFEIT
    if turn.points != theirs.points:
        return WON if turn.points > theirs.points else LOST
    return DRAWN if ledger.exact(turn.points) == ledger.settings.scoring.draw else LOST


def is_of_one_board(ledger: Ledger, game: Game) -> bool:
    """Whether a fault has cost no more than one board of a match."""
    ending = ledger.settings.results.endings.get(ledger.facts.results[game.id].end)
    return ending is not None and isinstance(ending.scores, Full) and ending.scores.of == "party"


def without_game(ledger: Ledger, turn: RoundTurn, round_: Round) -> str:
    """One in a round may have the bye of the pairing; where several rest, they are told by their points."""
    scoring, points = ledger.settings.scoring, ledger.exact(turn.points)
    if turn.kind == "bye" and len(round_.byes) == 1:
        return BYE
    return FULL_BYE if points == scoring.win else HALF_BYE if points == scoring.draw else NO_POINTS


def family_name_first(known: KnownTournament, entrant: str, names: EntrantNames, number: int) -> str:
    """As these files want it: the last word is taken for the family name. Who is not named is told by the number."""
    name = in_one_line(names.get(entrant) or f"No. {number}")
    words = name.split(" ")
    is_person = len(known.persons.get(entrant, ())) == 1 and entrant in names and not is_of_teams(known.facts)
    return f"{words[-1]}, {' '.join(words[:-1])}" if is_person and len(words) > 1 and "," not in name else name


def in_one_line(text: str) -> str:
    return " ".join(text.split())
