"""Who enters results at a desk with nothing but a link that a director has handed out.

Its token is signed by registration, as those of captains are, and makes a scorer of one tournament, and nothing else of
anybody. It is one token: the number of the link stands in it and in the subject of each act. It names who has made it, in
which office and which of their terms there: when that term ends, or the link is revoked, the token does.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from shared.access.captain_tokens import Issuer
from shared.access.roles import Role
from shared.values import Value

PREFIX = "scorer:"
ROLE = Role.SCORER


class ScorerLink(Value):
    tournament: str
    number: int  # 1, 2, 3 … of the tournament
    issuer: Issuer

    @property
    def subject(self) -> str:
        """Stands in the log as who acted: opaque, like all subjects there."""
        return subject_of(self.tournament, self.number)

    @property
    def claims(self) -> dict[str, Any]:
        return {"sub": self.subject, **msgspec.to_builtins(self)}


def subject_of(tournament: str, number: int) -> str:
    return f"{PREFIX}{tournament}:{number}"


def claimed(claims: Mapping[str, Any]) -> ScorerLink | None:
    """What the token of a link says, whose signature was checked."""
    try:
        link = msgspec.convert(claims, ScorerLink)
    except msgspec.ValidationError:
        return None
    return link if link.subject == claims["sub"] else None
