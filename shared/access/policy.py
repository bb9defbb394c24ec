"""Who may do an operation, as data. Each operation has such a policy; a service does not start with one that has none."""

from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from shared.access.grants import Grant
from shared.access.roles import Role
from shared.access.tokens import Caller
from shared.refusals import Forbidden
from shared.values import Value


class NotPermitted(Forbidden):
    """The caller holds none of the roles that this asks for."""


class OnlyTheDirector(Forbidden):
    """Penalties are the director's alone."""


class Policy(Value):
    """`roles` may, where they hold in the scope that the path parameter `scope` leads to, or in the one above it.

    So an official of a federation acts for its tournaments. `captains` may too, each for the own entrant alone: it names
    what leads to the entrants that the operation is about, a path parameter or else a field of the body; or the parameter
    of the tournament, where the operation shows each the own entrant alone. `own` names the
    path parameter of the entrant for whom their own account may act; `themselves` lets in whoever is signed in, for what
    is their own, and the operation itself judges that.
    """

    roles: frozenset[Role] = frozenset()
    scope: str = ""
    in_body: bool = False  # `scope` is a field of the body instead
    operators: bool = False
    of_federation: bool = False  # only in the scope above: for what a federation decides about its tournaments
    captains: str = ""
    own: str = ""
    themselves: bool = False
    of_persons: bool = False  # the scope may be a person: then officials of the federation that has registered them
    in_person: bool = False  # not with a scorer's link: whoever hands on what they may do has an account
    signed_in: bool = False  # whoever they are
    anybody: bool = False  # also without a token

    def permits(self, subject: str, grants: frozenset[Grant], scopes: Iterable[str]) -> bool:
        if not grants:
            return False
        return not grants.isdisjoint(
            [Grant(subject=subject, role=role, scope=scope) for scope in scopes for role in self.roles]
        )

    @property
    def sentence(self) -> str:
        return sentence_of(self)


@cache
def sentence_of(policy: Policy) -> str:
    """Who may, for people. There are as many as operations."""
    if policy.anybody:
        return "Anybody may, without a token."
    if policy.signed_in:
        return "Needs a token, of anybody."
    names = ", ".join(sorted(policy.roles))
    where = "in its federation" if policy.of_federation else "there"
    holders = [f"whoever is appointed {where} as one of: {names}"] if names else []
    holders += ["a captain of an entrant that it is about"] * bool(policy.captains)
    holders += ["the account that speaks for the entrant"] * bool(policy.own)
    holders += ["anybody, for what is their own"] * policy.themselves
    holders += ["an operator"] * policy.operators
    return f"Needs a token of {' or of '.join(holders)}."


ANYBODY = Policy(anybody=True)
SIGNED_IN = Policy(signed_in=True)
OPERATORS = Policy(operators=True)


def roles(*wanted: Role, scope: str, in_body: bool = False, operators: bool = False, captains: str = "") -> Policy:
    return Policy(roles=frozenset(wanted), scope=scope, in_body=in_body, operators=operators, captains=captains)


def also_own(policy: Policy, entrant: str) -> Policy:
    """Whoever speaks for the entrant may too: their own account, or their captain with a token."""
    return replace(policy, own=entrant, captains=entrant)


def also_themselves(policy: Policy) -> Policy:
    return replace(policy, themselves=True)


def also_of_persons(policy: Policy) -> Policy:
    return replace(policy, of_persons=True)


def in_person(policy: Policy) -> Policy:
    return replace(policy, in_person=True)


def of_federation(*wanted: Role, scope: str) -> Policy:
    """Officials of the federation above a tournament or season, and none that was appointed for it alone."""
    return Policy(roles=frozenset(wanted), scope=scope, of_federation=True)


def reason(policy: Policy, caller: Caller | None) -> str:
    """Why not, and what to do."""
    if caller is None:
        return f"Sign in first. {policy.sentence}"
    if caller.link is not None and policy.in_person:
        return "A scorer's link is for results, and hands nothing on: ask whoever has given it to you."
    if policy.own:
        return f"This is not your entry, and you act for your own alone: look into /v1/me/entries. {policy.sentence}"
    if caller.captain is not None and policy.captains:
        return "This is not about your entrant, and a captain acts for the own entrant alone: look for your own game."
    return f"{policy.sentence} Ask one of them to do it, or to appoint you."
