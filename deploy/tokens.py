"""Signing in on this machine: a key made at the first start signs the tokens that `roundlog token` prints."""

import math
import os
from pathlib import Path

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from jwt.algorithms import OKPAlgorithm

from deploy.local.errors import CannotRun
from shared import files
from shared.access.keys import ALGORITHM
from shared.access.tokens import SUBJECTS
from shared.clock import now
from shared.values import UNREADABLE

ISSUER = AUDIENCE = "roundlog"
PRIVATE = "private.json"
PUBLIC = "public.json"
CAPTAINS = "captains.pem"  # registration makes it when it is started
SIGNS_FOR_CAPTAINS = "registration"  # nobody else knows the key
OPERATOR = "operator"
DESK = "/desk"  # the page that a link of whoever enters results opens


def environment(folder: Path, service: str, origin: str) -> dict[str, str]:
    """What a service of a local run has to be told, so that tokens of this folder are good there, and open its pages."""
    write_key(folder / "keys")
    of_captains = {"ROUNDLOG_CAPTAIN_KEY": str(folder / "keys" / CAPTAINS), "ROUNDLOG_CAPTAIN_PAGE": f"{origin}{DESK}"}
    told = of_captains if service == SIGNS_FOR_CAPTAINS else {}
    if "ROUNDLOG_JWKS_URL" not in os.environ:
        told |= {"ROUNDLOG_KEYS": str(folder / "keys" / PUBLIC), "ROUNDLOG_OPERATORS": OPERATOR}
    return {name: os.environ.get(name, value) for name, value in told.items()}


def write_key(keys: Path) -> None:
    """Make the key, unless it is there. The private file is written last: with it, the public one is complete."""
    if (keys / PRIVATE).exists():
        return
    keys.mkdir(mode=0o700, exist_ok=True)
    private = Ed25519PrivateKey.generate()
    files.write(keys / PUBLIC, msgspec.json.encode({"keys": [written(private.public_key())]}).decode())
    files.write(keys / PRIVATE, msgspec.json.encode(written(private)).decode())


def written(key: Ed25519PrivateKey | Ed25519PublicKey) -> dict[str, str]:
    """As RFC 8037 writes it. The public part is its own name."""
    fields = OKPAlgorithm.to_jwk(key, as_dict=True)
    return fields | {"kid": fields["x"], "alg": ALGORITHM, "use": "sig"}


def link(origin: str, token: str) -> str:
    """Behind the `#`, which browsers send to nobody."""
    return f"{origin}{DESK}#token={token}"


def signed(keys: Path, subject: str, *, hours: float) -> str:
    if math.isnan(hours):
        raise CannotRun("For how many hours a token is good is a number.")
    if not SUBJECTS.fullmatch(subject):
        raise CannotRun("A subject is an opaque id of letters, digits and . _ : | -, not a name or an address.")
    try:
        key = jwt.PyJWK(msgspec.json.decode((keys / PRIVATE).read_bytes(), type=dict[str, str]), ALGORITHM)
    except FileNotFoundError as missing:
        raise CannotRun(f"{keys} has no key to sign with: start Roundlog once with `roundlog up`.") from missing
    except OSError as refused:
        raise CannotRun(f"{keys / PRIVATE} cannot be read ({refused.strerror}).") from refused
    except (*UNREADABLE, jwt.PyJWTError) as damaged:
        raise CannotRun(
            f"{keys / PRIVATE} is damaged: bring it back, or remove it and start Roundlog anew for a new key, with which tokens "
            "that were printed before are good no more."
        ) from damaged
    issued = int(now().timestamp())
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": issued, "nbf": issued}
    return jwt.encode(
        claims | {"exp": issued + int(hours * 3600)}, key.key, ALGORITHM, headers={"kid": str(key.key_id)}
    )
