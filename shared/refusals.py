"""How the answer to an order may be no.

A refusal has a name, a sentence that helps, and a kind; `shared/http/problems.py` alone knows their status codes.

    Refusal
     ├ Invalid      what was asked cannot be, in any state
     ├ NotFound     what it is about does not exist
     ├ Conflict     it does not go with what has happened
     ├ Stale        it was decided on what is no longer so
     └ Forbidden    this person may not do it
    Unavailable     nothing is decided: something that the answer needs cannot be reached
"""

from typing import override


class Refusal(Exception):
    """Raised by `decide`. The class name becomes the problem's type, the message its sentence."""

    rule: str | None = None  # the requirement that it comes from, where the rules of a tournament number it

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """As it is, for another process: however it was put together, that is not done again."""
        return same, (type(self), self.args, self.__dict__)


def same(kind: type[Refusal], said: tuple[object, ...], more: dict[str, object]) -> Refusal:
    refusal = kind.__new__(kind, *said)
    refusal.__dict__.update(more)
    return refusal


class Invalid(Refusal):
    """What was asked cannot be, in any state."""


class NotFound(Refusal):
    """What it is about does not exist."""


class NotAnnounced(NotFound):
    """Nobody has announced such a tournament, or it has not been heard of yet; or it is a draft, which is for officials."""


class Conflict(Refusal):
    """It does not go with what has happened."""


class NeedsReason(Conflict):
    """Something speaks against it: whoever wants it all the same says why."""


class Stale(Refusal):
    """It was decided on what is no longer so."""


class Forbidden(Refusal):
    """This person may not do it."""


class Unavailable(Exception):
    """The log cannot be reached. Whether the append came through may be unknown; repeating it is safe."""

    retry_after = 2.0
