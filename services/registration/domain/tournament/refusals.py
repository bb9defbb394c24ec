"""Why something may not happen to a tournament or its field."""

from shared.decider import Conflict, Invalid, NotFound


class TournamentUnknown(NotFound):
    """Nothing was announced under this id."""


class AlreadyAnnounced(Conflict):
    """The id is taken by another tournament."""


class NotNow(Conflict):
    """It belongs to another part of a tournament's life."""


class NotReady(Conflict):
    """Something is still open that has to be settled first."""


class TooMuchDelay(Invalid):
    """The rules limit by how much the first round may be put back."""


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
