"""Lots that cannot be fished: each follows from a secret that was fixed before anything was drawn.

The hash of the secret is published before the first lot and the secret itself when all is over, so that everybody can
draw every lot again.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256


def commitment(seed: bytes) -> str:
    return sha256(seed).hexdigest()


def lot(seed: bytes, purpose: str, identity: str) -> bytes:
    """The ticket of one of those among whom is drawn: the smallest comes first."""
    return hmac.digest(seed, f"{purpose}\n{identity}".encode(), "sha256")


def draw(seed: bytes, purpose: str, identities: Iterable[str]) -> list[str]:
    """Their order by lot, whatever order they come in. The purpose says what for, so that no two lots are alike."""
    drawn_among = sorted(identities)
    drawing = f"{purpose}\n{'\n'.join(drawn_among)}"
    return sorted(drawn_among, key=lambda identity: lot(seed, drawing, identity))
