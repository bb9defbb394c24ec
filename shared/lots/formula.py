"""Lots that nobody can fish: each follows from a secret that was fixed before anything was drawn, and from something later.

A tournament names a source: dice of its hall, or a round of a public beacon. The hash of each service's secret is published
with the source beforehand, the value of the source once the field is fixed, and the secrets when all is over, so that
everybody can draw every lot again. Whoever makes the secret does not know the value then, and whoever throws the dice not the
secret. `docs/lots.md` says it without code.

Where no source was named a lot follows from the secret alone, by the older formula: whoever made it could have chosen.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256

from shared.values import Value

COMMITMENT = "roundlog/lots/commitment/v1"
KEY = "roundlog/lots/key/v1"
TICKET = "roundlog/lots/ticket/v1"


class LotKey(Value):
    """What the lots of one service in one tournament follow from. A value that was mixed in has tickets of its own kind."""

    key: bytes
    is_mixed: bool = False

    def draw(self, purpose: str, identities: Iterable[str]) -> list[str]:
        """Their order by lot, whatever order they come in. The purpose says what for, so that no two lots are alike."""
        drawn_among = sorted(identities)
        lines = [*([TICKET] if self.is_mixed else []), purpose, *drawn_among]
        drawing = "".join(f"{line}\n" for line in lines)
        return sorted(drawn_among, key=lambda identity: ticket(self.key, drawing, identity))


def ticket(key: bytes, drawing: str, identity: str) -> bytes:
    """Of one of those among whom is drawn: the smallest comes first."""
    return hmac.digest(key, f"{drawing}{identity}".encode(), "sha256")


def commitment(secret: bytes, *, service: str = "", tournament: str = "", source: str | None = None) -> str:
    """What is published of a secret beforehand. Without a source it is the hash of the secret alone."""
    if source is None:
        return sha256(secret).hexdigest()
    said = f"{COMMITMENT}\n{service}\n{tournament}\n{source}\n"
    return sha256(said.encode() + secret).hexdigest()


def mixed(secret: bytes, *, tournament: str, source: str, value: str) -> LotKey:
    """The key of one service's lots, once the value of the source is known."""
    said = f"{KEY}\n{tournament}\n{source}\n{value}\n"
    return LotKey(key=hmac.digest(secret, said.encode(), "sha256"), is_mixed=True)


def draw(seed: bytes, purpose: str, identities: Iterable[str]) -> list[str]:
    """From a secret alone, or from the number in a file."""
    return LotKey(key=seed).draw(purpose, identities)
