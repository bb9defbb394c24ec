"""Why something may not happen to a tournament or its field."""

from shared.refusals import Conflict, Invalid, NotFound, Stale


class TournamentUnknown(NotFound):
    """Nothing was announced under this id."""


class AlreadyAnnounced(Conflict):
    """The id is taken by another tournament."""


class NotNow(Conflict):
    """It belongs to another part of a tournament's life."""


class NotReady(Conflict):
    """Something is still open that has to be settled first."""


class FieldChanged(Conflict):
    """Somebody came or went since it was looked at."""


class NobodyAdvances(Invalid):
    """The rules leave nothing open about who goes on."""


class TooMuchDelay(Invalid):
    """The rules limit by how much the first round may be put back."""


class PlanChangedMeanwhile(Stale):
    """Somebody else has changed the plan."""


class UnknownCompetition(Invalid):
    """The calendar of the rules has no such kind of competition, or no such variant."""


class BoundByEntries(Conflict):
    """Entries rest on it already."""


class EntriesClosed(Conflict):
    """Entries are closed: now it takes a decision of the organiser."""


class AlreadyEntered(Conflict):
    """This person takes part already, and what is said now differs."""


class WrongNumberOfPersons(Invalid):
    """An entrant is one person, a pair or a team, as the rules say."""


class UnknownList(Invalid):
    """The rules have no such list."""


class EntrantUnknown(NotFound):
    """Nobody has entered under this id."""


class NotEntered(Conflict):
    """Only who has entered, and has not gone again, can do it."""


class NotQualified(Conflict):
    """Somebody is said to be qualified beforehand, and the rules say otherwise."""


class HistoryUnsourced(Invalid):
    """Where earlier championships count, it is kept which of them says so; and nothing, where none does."""


class NotOneAnother(Invalid):
    """Two different persons are close to one another."""


class NotDeclared(Conflict):
    """The rules know no close persons."""


class UnknownStage(Invalid):
    """The rules have no such stage, or several of which none was named."""


class UnknownRound(Invalid):
    """The stage has no such round."""


class AlreadyLeft(Conflict):
    """Who has left can do no more until they are back."""


class NoReturn(Conflict):
    """The rules let nobody return."""


class TooManyPoints(Invalid):
    """A round off cannot be worth more than a win, or less than nothing."""


# What the rules of some federations ask for besides


class WrongLineUp(Invalid):
    """A team is not put together as the rules say."""


class AlreadyInLineUp(Conflict):
    """This person is in the base of another team."""


class LineUpFrozen(Conflict):
    """Who belongs to a team stays as it was entered."""


class TooFewPresent(Conflict):
    """A team is let in with so many of its members, and not with fewer."""


class NotEligible(Conflict):
    """Somebody does not meet a condition of the rules."""


class QuotaReached(Conflict):
    """From one place only so many may enter."""


class RegionNotApproved(Conflict):
    """Who plays outside their own region needs the approval of a coordinator."""


class NoPlaceLeft(Conflict):
    """All places are taken."""


class NobodyWaits(Conflict):
    """There is nobody to be called."""


class TooLate(Conflict):
    """The rules set a deadline for it, and that is over."""


class FeeTooLow(Invalid):
    """Less was paid than is due."""


class WrongCurrency(Invalid):
    """The rules name no fee in this currency."""


class NothingDue(Conflict):
    """There is nothing to be paid, or to be given back."""


class PaymentDiffers(Conflict):
    """A payment with this reference was recorded, and it was another one."""


class UnknownGround(Invalid):
    """The rules know no such ground for a waiver."""


class NotRequested(Conflict):
    """A waiver is granted to who has asked for it."""


class WaiversUsedUp(Conflict):
    """As many of one school as the rules say are waived already."""


class NotPaid(Conflict):
    """Without payment there is no taking part."""


class NotLate(Conflict):
    """The rules say something else about who comes late."""


class NothingToConfirm(Conflict):
    """The rules ask nobody to confirm."""


class TooEarly(Conflict):
    """The deadline is not over yet."""


class NoNextLevel(Conflict):
    """They cannot go on there."""


class NotDecided(Conflict):
    """The order of that tournament is still open."""


class NobodyByRight(Conflict):
    """It is not said how many go on."""


class OutsideWindow(Conflict):
    """The rules name the days on which such a tournament may be held."""
