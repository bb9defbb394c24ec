"""What a score sheet says no to. Some of it rulesets number: then `about` names the requirement.

NotFound   SheetUnknown  ComplaintUnknown
Invalid    NotOfThisTable  LineUpUnfit  NoSuchDuel  NoSuchClock
Forbidden  NotAtThisTable  OnlyForOwnSeat  OnlyTheHolder  OnlyTheSides  OwnReport  OneForBoth  NotTheDirector
Conflict   RoundIsRecalled  GameIsVoid  GameIsPostponed  GameHasBegun  GameIsReported  EntrantHasLeft
           ResultIsFinal  NotFinalYet  NothingReported  ReportsContradict  ReportReplaced
           NoChoice  AlreadyChosen  LineUpsAreDrawn  LineUpsMissing  NobodyAsked  NotDrawnFromThis
           StartIsFixed  StillDrawn  NothingToDraw  MatchIsDecided  TooLate
"""

from typing import ClassVar

from services.results.domain.sheet.states import Final, Recalled, UnknownSheet, Voided
from shared.refusals import Conflict, Forbidden, Invalid, NotFound
from shared.rulesets.play import AboutResults


class CitedRefusal(Exception):
    """It comes from a requirement that rulesets name. Of which kind a refusal is, its other base says."""

    about: ClassVar[AboutResults]
    rule: str | None = None


class SheetUnknown(NotFound):
    """No round with this game was published."""


class NotOfThisTable(CitedRefusal, Invalid):
    """Something names a seat or an entrant that this table does not have."""

    about = "sides"


class NotAtThisTable(CitedRefusal, Forbidden):
    """A captain speaks where his entrant plays."""

    about = "sides"


class OnlyForOwnSeat(CitedRefusal, Forbidden):
    """A captain signs for his entrant."""

    about = "sides"


class OwnReport(CitedRefusal, Forbidden):
    """Nobody agrees with himself."""

    about = "sides"


class OneForBoth(CitedRefusal, Forbidden):
    """Who gives both sides their tokens, and decides nothing, cannot stand for both."""

    about = "sides"


class OnlyTheSides(CitedRefusal, Forbidden):
    """Nobody confirms what only those who played can."""

    about = "sides"


class NotTheDirector(CitedRefusal, Forbidden):
    """Of defaults only the director decides, and others report them."""

    about = "defaults"


class OnlyTheHolder(CitedRefusal, Forbidden):
    """Only one side has the choice."""

    about = "option"


class LineUpUnfit(CitedRefusal, Invalid):
    """So nobody can sit at these boards."""

    about = "boards"


class NoSuchDuel(CitedRefusal, Invalid):
    """A deciding duel is played after a drawn match, and the next one after a drawn duel."""

    about = "drawn"


class NoSuchClock(CitedRefusal, Invalid):
    """A table of more than two has no clocks for a whole game."""

    about = "clock"


class NoChoice(Conflict):
    """There is nothing to choose."""


class AlreadyChosen(Conflict):
    """What was announced stands."""


class LineUpsAreDrawn(Conflict):
    """Who meets whom was drawn."""


class LineUpsMissing(CitedRefusal, Conflict):
    """The match sheet has to stand before the match begins."""

    about = "sides"


class NobodyAsked(Conflict):
    """A lot is drawn where somebody asks for it."""


class NotDrawnFromThis(Conflict):
    """What the lot was drawn from is not what stands."""


class StartIsFixed(CitedRefusal, Conflict):
    """Who begins is not for the players to say."""

    about = "start"


class StillDrawn(CitedRefusal, Conflict):
    """Somebody has to go on from this match."""

    about = "drawn"


class NothingToDraw(CitedRefusal, Conflict):
    """A lot decides only where everything before it was drawn."""

    about = "drawn"


class MatchIsDecided(CitedRefusal, Conflict):
    """Nobody needs this game."""

    about = "match"


class ComplaintUnknown(NotFound):
    """There is no such complaint."""


class TooLate(CitedRefusal, Conflict):
    """The time for complaints is over."""

    about = "complaint"


class RoundIsRecalled(Conflict):
    """The sheet is closed."""


class GameIsVoid(CitedRefusal, Conflict):
    """It does not count."""

    about = "void"


class GameIsPostponed(Conflict):
    """It goes on later."""


class EntrantHasLeft(CitedRefusal, Conflict):
    """Who is there no more plays no more."""

    about = "left"


class GameHasBegun(Conflict):
    """It cannot be treated as never published."""


class GameIsReported(Conflict):
    """Somebody has said how it ended."""


class ResultIsFinal(Conflict):
    """It stands until an official corrects it."""


class NotFinalYet(Conflict):
    """There is nothing to correct."""


class NothingReported(Conflict):
    """There is nothing to agree with, or to object to."""


class ReportsContradict(Conflict):
    """To agree with one is to contradict another."""


class ReportReplaced(Conflict):
    """What was seen is not what stands now."""


def refused(state: UnknownSheet | Voided | Recalled) -> NotFound | Conflict:
    """Where nothing can happen."""
    match state:
        case UnknownSheet():
            return SheetUnknown("There is no score sheet of this game: look for it in the list of its round.")
        case Voided():
            return GameIsVoid("This game does not count: an arbiter or the director may order a replay.")
        case Recalled():
            return RoundIsRecalled("The round of this game was recalled: look for the sheets of the new one.")


def final(state: Final) -> ResultIsFinal:
    stands = ":".join(str(score) for score in state.result.scores)
    return ResultIsFinal(f"The result {stands} is final: ask an arbiter or the director to correct it, with a reason.")
