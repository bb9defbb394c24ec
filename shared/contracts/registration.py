"""What registration tells its neighbours."""

import msgspec


class FederationFounded(msgspec.Struct, frozen=True, kw_only=True):
    """A federation exists: it will own tournaments, seasons and people."""

    federation: str
    name: str


class FederationRenamed(msgspec.Struct, frozen=True, kw_only=True):
    """A federation has another name from now on."""

    federation: str
    name: str


class OfficialAppointed(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody may act in a role for a federation, tournament or entrant."""

    scope: str  # of a federation, tournament or entrant
    subject: str  # an opaque id, never a name
    role: str


class OfficialDismissed(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody may no longer act in that role there."""

    scope: str
    subject: str
    role: str
