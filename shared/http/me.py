"""What every service answers at `/v1/me`: who is asking, and the offices that they hold. Each adds what else it knows.

A model of a service goes on from `Me`, and is filled from `who_is_asking`:

    class MeAtResults(Me):
        tables: list[MyTable]

    known = await who_is_asking(asker, grants)
    here = await tournaments_of(known, grants)
    MeAtResults(**dict(known), tables=…)
"""

from pydantic import BaseModel, Field

from shared.access.asker import Asker
from shared.access.grants import Grants
from shared.access.roles import Role

MOST_TOURNAMENTS = 20  # that a service looks into for one answer


class OfficeHeld(BaseModel):
    """Where somebody was appointed, and as what."""

    scope: str = Field(
        description="A federation, a tournament or a season.",
        examples=["019aa4c2-0b1f-7c52-9d3a-6b1e5f7a2c40"],
    )
    federation: str | None = Field(
        description="Above it; null where it is one itself.",
        examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"],
    )
    role: Role = Field(examples=["scorer"])


class CaptainHere(BaseModel):
    """For whom the token of a captain speaks."""

    tournament: str = Field(examples=["019aa4c2-0b1f-7c52-9d3a-6b1e5f7a2c40"])
    entrant: str = Field(examples=["019aa4c2-11d0-7f6e-8a55-0f2b3c4d5e6f"])


class Me(BaseModel):
    """Who is asking, as a service knows them."""

    subject: str = Field(description="By which officials are appointed and accounts are linked.", examples=["d0f3c1"])
    is_operator: bool = Field(description="Whether they look after this platform.", examples=[False])
    captain: CaptainHere | None = Field(description="Null for whoever has signed in with an account.")
    offices: list[OfficeHeld] = Field(description="In the order of their scopes; none with a captain's token.")


async def who_is_asking(asker: Asker, grants: Grants) -> Me:
    """Of somebody whom the door has let in with `SIGNED_IN`, so that their grants were looked up."""
    caller = asker.caller
    if caller is None:
        raise TypeError("nobody in particular is asking: the operation needs a policy that asks who it is")
    held = sorted((grant.scope, grant.role) for grant in asker.grants if grant.role is not Role.CAPTAIN)
    above = {scope: await grants.above(scope) for scope, _ in held}
    captain = caller.captain
    return Me(
        subject=caller.subject,
        is_operator=asker.is_operator,
        captain=CaptainHere(tournament=captain.tournament, entrant=captain.entrant) if captain else None,
        offices=[OfficeHeld(scope=scope, federation=above[scope], role=role) for scope, role in held],
    )


async def tournaments_of(who: Me, grants: Grants) -> set[str]:
    """A captain's own one; otherwise all in which an office holds, with the federations themselves."""
    if who.captain:
        return {who.captain.tournament}
    scopes = {office.scope for office in who.offices}
    return scopes.union(await grants.below(scopes))
