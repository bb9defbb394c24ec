"""What each service tells of what operators have decided about its inbox: tables and pairings rest on it."""

from shared.values import Value


class EventSkipped(Value):
    """What is made of this scope from now on is made without this message of a neighbour, which could not be handled."""

    source: str
    number: int
    type: str
    reason: str


class SourceAccepted(Value):
    """A neighbour was restored from a backup and has lost these messages about this scope.

    They count no more; the numbers may mean others from now on. What had taken effect of them stays, under `effective`.
    """

    source: str
    log: str
    common: int
    lost: tuple[int, ...]
    effective: tuple[int, ...]
    reason: str
