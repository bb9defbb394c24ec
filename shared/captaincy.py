"""Who speaks for one entrant of a tournament: a captain, or the player where everybody plays alone.

Registration gives them short-lived tokens. Such a token names the entrant and a generation; whoever is dismissed, or
loses theirs, is left behind by the next generation. The key that signs them is registration's own: it tells its
public part to the others in an event, so no service has to ask another one to check a token.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import jwt

from shared.keys import ALGORITHM

ISSUER = "roundlog-registration"
PREFIX = "captain:"
LONGEST = timedelta(hours=12)  # that a token is good for


@dataclass(frozen=True, kw_only=True, slots=True)
class Captaincy:
    tournament: str
    entrant: str
    generation: int

    @property
    def subject(self) -> str:
        """Stands in the log as who acted: opaque, like all subjects there."""
        return f"{PREFIX}{self.entrant}:{self.generation}"


def claimed(claims: Mapping[str, Any]) -> Captaincy | None:
    """What a token of a captain says, whose signature was checked."""
    match claims:
        case {"sub": sub, "tournament": str(tournament), "entrant": str(entrant), "generation": int(generation)}:
            captaincy = Captaincy(tournament=tournament, entrant=entrant, generation=generation)
            return captaincy if captaincy.subject == sub else None
        case _:
            return None


def public_key(identity: str, public: str) -> jwt.PyJWK:
    return jwt.PyJWK({"kty": "OKP", "crv": "Ed25519", "kid": identity, "x": public}, ALGORITHM)
