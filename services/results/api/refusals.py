"""What the operations say no to, before a sheet is even looked at."""

from services.results.api.doable import PUNISH
from shared.http.door import Act
from shared.refusals import Conflict, Forbidden


class OnlyAnOfficial(Forbidden):
    """Such an ending is an official's decision."""


class OnlyTheDirector(Forbidden):
    """Penalties are the director's alone."""


class NotInTheseRules(Conflict):
    """The ruleset does not know such a penalty."""


class NoResult(Conflict):
    """From what was said nothing counts."""


def require_director(act: Act) -> None:
    if not act.asker.may(PUNISH, act.asker.scope):
        raise OnlyTheDirector("By these rules only the director imposes penalties: ask him.")
