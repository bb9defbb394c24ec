"""What a service has heard of registration, without one: its tables say so at once."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.registration.signing import public
from shared.access import captain_tokens, grants
from shared.access.captain_tokens import Captaincy, Issuer
from shared.access.roles import Role
from shared.clock import now
from shared.contracts.registration import CaptainKeyIntroduced, OfficialAppointed, TournamentAnnounced
from tests.databases import beside
from tests.told import message

NOTHING_ELSE: Mapping[str, object] = MappingProxyType({})


async def hear(database: str, *events: msgspec.Struct, at: datetime | None = None) -> None:
    async with beside(database) as connection, connection.transaction():
        await grants.apply(connection, [message("somewhere", event, at) for event in events])


def appointed(scope: str, subject: str, role: Role) -> OfficialAppointed:
    return OfficialAppointed(scope=scope, subject=subject, role=role)


def announced(tournament: str, federation: str) -> TournamentAnnounced:
    return TournamentAnnounced(
        tournament=tournament,
        federation=federation,
        name="Open",
        ruleset="scrabble-sk-2022-qt",
        time_zone="Europe/Bratislava",
        starts_on="2026-11-21",
    )


class CaptainIssuer:
    """Signs tokens of captains as registration does, and wrong ones."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()

    @property
    def introduced(self) -> CaptainKeyIntroduced:
        return CaptainKeyIntroduced(key=public(self._key), public=public(self._key))

    def token(
        self,
        entrant: str,
        tournament: str,
        *,
        generation: int = 1,
        serial: int = 1,
        by: str = "dora",
        role: Role = Role.DIRECTOR,
        term: int = 0,
        seconds: int = 3600,
        kid: str | None = None,
        claims: Mapping[str, object] = NOTHING_ELSE,
    ) -> str:
        issuer = Issuer(subject=by, role=role, scope=tournament, term=term)
        captain = Captaincy(tournament=tournament, entrant=entrant, generation=generation, serial=serial, issuer=issuer)
        issued = int(now().timestamp())
        usual = {"iss": captain_tokens.ISSUER, "aud": "roundlog", "iat": issued, "exp": issued + seconds}
        return jwt.encode(
            {**usual, **captain.claims, **claims}, self._key, "EdDSA", headers={"kid": kid or public(self._key)}
        )
