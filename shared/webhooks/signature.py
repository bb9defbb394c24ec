"""What a delivery bears, so that its receiver can tell who has sent it and whether it was there before.

As Standard Webhooks has it (https://www.standardwebhooks.com): `webhook-id` is the same each time, `webhook-timestamp` says
when this attempt was made, and `webhook-signature` has one HMAC-SHA256 over both and the body for each secret that holds.
"""

import hmac
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from secrets import token_bytes

BYTES = 32
PREFIX = "whsec_"


def new_secret() -> bytes:
    return token_bytes(BYTES)


def shown_secret(secret: bytes) -> str:
    return f"{PREFIX}{b64encode(secret).decode()}"


def signature(secret: bytes, identity: str, timestamp: int, body: bytes) -> str:
    signed = b"%s.%d.%s" % (identity.encode(), timestamp, body)
    return f"v1,{b64encode(hmac.digest(secret, signed, sha256)).decode()}"


def signed_headers(secrets: Sequence[bytes], identity: str, at: datetime, body: bytes) -> Mapping[str, str]:
    timestamp = int(at.timestamp())
    return {
        "webhook-id": identity,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret, identity, timestamp, body) for secret in secrets),
    }
