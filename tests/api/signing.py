"""An issuer of tokens for tests: good ones, and bad ones of every kind."""

from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy import tokens
from shared.clock import now

OPERATOR = "operator"


class Issuer:
    def __init__(self, keys: Path) -> None:
        tokens.write_key(keys)
        self.page = keys / tokens.PUBLIC
        self._key = jwt.PyJWK.from_json((keys / tokens.PRIVATE).read_text())

    def token(
        self, subject: str = OPERATOR, *, seconds: int = 3600, key: Any = None, kid: str | None = None, **claims: object
    ) -> str:
        issued = int(now().timestamp())
        usual = {"iss": "roundlog", "aud": "roundlog", "sub": subject, "iat": issued, "exp": issued + seconds}
        said = {name: value for name, value in (usual | claims).items() if value is not None}
        return jwt.encode(said, key or self._key.key, "EdDSA", headers={"kid": kid or str(self._key.key_id)})


def signed_by(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def another_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.generate()
