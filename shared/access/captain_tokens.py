"""Who speaks for one entrant of a tournament: a captain, or the player where everybody plays alone.

Registration gives them short-lived tokens. Such a token names the entrant and a generation; whoever is dismissed, or
loses theirs, is left behind by the next generation. It names as well who has issued it, in which office, and which of
their terms there it was: when that term ends, the token does. The key that signs them is registration's own: it tells
its public part to the others in an event, so no service has to ask another one to check a token.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import jwt
import msgspec

from shared.access.keys import ALGORITHM
from shared.access.roles import Role
from shared.values import Value

ISSUER = "roundlog-registration"
WITHDRAWN = (  # what a dismissed captain hears, or whoever has a link that was revoked
    "This token was withdrawn: ask an official of the tournament for a new one."
)
PREFIX = "captain:"
LONGEST = timedelta(hours=12)  # that a token is good for


class Issuer(Value):
    """An official, in the office that lets them issue tokens."""

    subject: str
    role: Role
    scope: str  # a tournament, or the federation above it
    term: int  # how many terms of theirs in this office had ended before


class Captaincy(Value):
    tournament: str
    entrant: str
    generation: int
    serial: int  # of the token: the log of registration has it with who issued it
    issuer: Issuer

    @property
    def subject(self) -> str:
        """Stands in the log as who acted: opaque, like all subjects there."""
        return f"{PREFIX}{self.entrant}:{self.generation}:{self.serial}"

    @property
    def claims(self) -> dict[str, Any]:
        return {"sub": self.subject, **msgspec.to_builtins(self)}


def claimed(claims: Mapping[str, Any]) -> Captaincy | None:
    """What a token of a captain says, whose signature was checked."""
    try:
        captaincy = msgspec.convert(claims, Captaincy)
    except msgspec.ValidationError:
        return None
    return captaincy if captaincy.subject == claims["sub"] else None


def public_key(identity: str, public: str) -> jwt.PyJWK:
    return jwt.PyJWK({"kty": "OKP", "crv": "Ed25519", "kid": identity, "x": public}, ALGORITHM)
