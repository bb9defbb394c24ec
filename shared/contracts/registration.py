"""What registration tells its neighbours."""

import msgspec


class FederationFounded(msgspec.Struct, frozen=True, kw_only=True):
    federation: str
    name: str


class FederationRenamed(msgspec.Struct, frozen=True, kw_only=True):
    federation: str
    name: str
