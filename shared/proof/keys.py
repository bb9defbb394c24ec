"""Whose signatures count: Ed25519 keys, as verifiers are told them beforehand and as signers hold them.

A verifier key is one line, `<name>+<id>+<base64 of kind and key>` (C2SP signed-note). The kind says what is signed: a log
signs the text of a note, a witness the text and the time at which it knew of no larger tree (C2SP tlog-cosignature).

A key is refused that is not written in its one way, or is no multiple of the base point: under a point of small order
anybody can sign anything, and where a point has a part of small order, verifiers disagree about the same signature.
"""

import re
from base64 import b64decode, b64encode
from enum import IntEnum
from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shared.proof.findings import Malformed, Refuted
from shared.values import Value

NAME = r"[^\s+\x00-\x1f]+"
BASE64 = r"[A-Za-z0-9+/]+={0,2}"
VERIFIER_KEY = re.compile(rf"({NAME})\+([0-9a-f]{{8}})\+({BASE64})")
LATEST = (1 << 63) - 1  # seconds
KEY, SIGNATURE, STAMP = 32, 64, 8  # bytes; a stamp is the time of a witness

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493  # how many points the base point makes
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # of -1
ZERO = (0, 1, 1, 0)

type CurvePoint = tuple[int, int, int, int]  # x·z, y·z, z and x·y·z


class KeyKind(IntEnum):
    LOG = 1
    WITNESS = 4


class VerifierKey(Value):
    name: str
    kind: KeyKind
    public: bytes

    def __post_init__(self) -> None:
        if not re.fullmatch(NAME, self.name):
            raise Malformed("a key has a name, without spaces and plus signs")
        if not is_sound(self.public):
            raise Malformed(
                f"the key of {self.name} is no multiple of the base point: others may be able to sign under it"
            )

    @property
    def id(self) -> bytes:
        """Short, to find the key by: it proves nothing."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    @property
    def vkey(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64(bytes([self.kind]) + self.public)}"

    @classmethod
    def parse(cls, vkey: str) -> "VerifierKey":
        found = VERIFIER_KEY.fullmatch(vkey)
        kind, *public = unbase64(found[3]) if found else b"\0"
        if not found or kind not in KeyKind:
            raise Malformed("this is no key of a log or of a witness: <name>+<id>+<base64 of kind and Ed25519 key>")
        key = cls(name=found[1], kind=KeyKind(kind), public=bytes(public))
        if key.vkey != vkey:
            raise Malformed(f"the key of {key.name} has the id {key.id.hex()}")
        return key

    def verify(self, text: str, signature: bytes) -> int | None:
        """Whether this signature of a note's text holds; answers when it was given, if a witness gave it."""
        stamp, signature = self._stamped(signature)
        if len(signature) != SIGNATURE or (stamp or 0) > LATEST:
            raise Malformed(f"{self.name} signs in another form")
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, signed_bytes(text, stamp))
        except (InvalidSignature, ValueError):
            raise Refuted(f"{self.name} did not sign this") from None
        return stamp

    def _stamped(self, signature: bytes) -> tuple[int | None, bytes]:
        match self.kind:
            case KeyKind.LOG:
                return None, signature
            case KeyKind.WITNESS:
                return int.from_bytes(signature[:STAMP], "big"), signature[STAMP:]


class Signer:
    """A key with its secret. It says nothing of the secret when it is shown."""

    def __init__(self, *, name: str, kind: KeyKind, seed: bytes) -> None:
        if len(seed) != KEY:
            raise Malformed(f"the seed of a key has {KEY} bytes")
        self._secret = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = VerifierKey(name=name, kind=kind, public=self._secret.public_key().public_bytes_raw())

    def sign(self, text: str, *, at: int | None = None) -> bytes:
        """The signature of a note's text; that of a witness says the second at which it is given."""
        if (at is None) != (self.key.kind is KeyKind.LOG) or not 0 <= (at or 0) <= LATEST:
            raise Malformed("a witness says when it signs, and a log does not")
        return (b"" if at is None else at.to_bytes(STAMP, "big")) + self._secret.sign(signed_bytes(text, at))


def signed_bytes(text: str, at: int | None) -> bytes:
    return (text if at is None else f"cosignature/v1\ntime {at}\n{text}").encode()


def base64(content: bytes) -> str:
    return b64encode(content).decode()


def unbase64(text: str) -> bytes:
    """Only what is written in the one way that base64 has for it: nothing can be said twice in different letters."""
    try:
        content = b64decode(text, validate=True)
    except ValueError:
        content = b""
    if not content or base64(content) != text:
        raise Malformed("this is no base64, or not the one way to write it")
    return content


# Points of the curve (RFC 8032, 5.1), as far as judging a key takes them. No secret ever comes here.


@lru_cache(maxsize=1_000)  # a policy has the same few keys whenever it is read
def is_sound(public: bytes) -> bool:
    """Whether it is the one way to write a multiple of the base point, other than none of it."""
    point = decoded(public)
    return point is not None and not is_zero(point) and is_zero(times(ORDER, point))


def decoded(public: bytes) -> CurvePoint | None:
    number = int.from_bytes(public, "little")
    odd, y = number >> 255, number & 2**255 - 1
    above, below = (y * y - 1) % P, (D * y * y + 1) % P
    x = above * pow(below, 3, P) * pow(above * pow(below, 7, P), (P - 5) // 8, P) % P
    if (below * x * x + above) % P == 0:
        x = x * ROOT % P
    if len(public) != KEY or y >= P or (below * x * x - above) % P or (x == 0 and odd):
        return None
    x = x if x % 2 == odd else P - x
    return x, y, 1, x * y % P


def is_zero(point: CurvePoint) -> bool:
    x, y, z, _ = point
    return x % P == 0 and (y - z) % P == 0


def times(number: int, point: CurvePoint) -> CurvePoint:
    found = ZERO
    for bit in f"{number:b}":
        found = add(found, found)
        found = add(found, point) if bit == "1" else found
    return found


def add(one: CurvePoint, other: CurvePoint) -> CurvePoint:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P
