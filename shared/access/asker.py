"""Who asks, with the grants that they hold, and what these allow them."""

from collections.abc import Collection, Mapping
from contextvars import ContextVar

from msgspec.structs import replace

from shared.access.grants import Grant
from shared.access.policy import Policy, reason
from shared.access.roles import HIGHEST_FIRST, Role
from shared.access.tokens import Caller
from shared.values import Value

# As what somebody acts who holds no office for it; an entrant by the account that speaks for them, an account for itself.
OPERATOR, ENTRANT, ACCOUNT = "operator", "entrant", "account"

# Who has come in by the door with the request that is answered just now.
ASKING: ContextVar["Asker | None"] = ContextVar("asking", default=None)


class Concerned(Value):
    """Whom something is about, and the requirement by which nobody else speaks of it, where there is one."""

    entrants: Collection[str]
    rule: str | None = None


NOBODY = Concerned(entrants=())


class Asker(Value):
    """Somebody, or nobody in particular, and what they may do."""

    caller: Caller | None
    grants: frozenset[Grant]
    is_operator: bool
    just_granted: frozenset[Grant] = frozenset()
    scope: str = ""  # that the request is about
    concerned: Concerned = NOBODY  # looked up for captains
    own: frozenset[str] = frozenset()  # entrants of that scope for whom their account speaks
    above: Mapping[str, str] = {}  # of that scope, the federation

    def may(self, policy: Policy, scope: str = "") -> bool:
        if policy.anybody or (policy.operators and self.is_operator):
            return True
        if self.caller is None:
            return False
        if policy.signed_in or (policy.themselves and self.caller.is_account):
            return True
        if policy.own and self.own and scope == self.scope:
            return True
        if (captain := self.caller.captain) is not None:
            return bool(policy.captains) and captain.tournament == scope and captain.entrant in self.concerned.entrants
        if policy.in_person and self.caller.link is not None:
            return False
        above = [self.above[scope]] if scope in self.above else []
        scopes = above if policy.of_federation else [scope, *above]
        subject = self.caller.subject
        grants = self.grants | self.just_granted if self.just_granted else self.grants
        return policy.permits(subject, grants, scopes)

    def role_under(self, policy: Policy) -> str:
        """As what somebody acts who may: by an office where there is one, in the tournament itself before the federation's."""
        above = [self.above[self.scope]] if self.scope in self.above else []
        for scope in above if policy.of_federation else [self.scope, *above]:
            held = [grant.role for grant in self.grants if grant.scope == scope and grant.role in policy.roles]
            if held:
                return (held[0] if len(held) == 1 else min(held, key=HIGHEST_FIRST.index)).value
        if policy.operators and self.is_operator:
            return OPERATOR
        if self.caller is not None and self.caller.captain is not None:
            return Role.CAPTAIN.value
        return ENTRANT if policy.own and self.own else ACCOUNT

    def holds_office(self) -> bool:
        """Whether they were appointed where the request is about, as far as that is known."""
        scopes = {self.scope, self.above.get(self.scope, self.scope)}
        return any(grant.scope in scopes for grant in self.grants)

    def appointed(self, *grants: Grant) -> "Asker":
        """Whoever asks, with what this very act makes of them."""
        return replace(self, just_granted=frozenset(grants))

    def about(self, entrant: str) -> "Asker":
        """Whoever asks, as far as one entrant goes."""
        return replace(self, own=self.own & {entrant}) if self.own else self

    def within(self, scope: str, federation: str) -> "Asker":
        """Whoever asks, seen from another tournament, whose federation is known: one that is new, or one of a list."""
        return replace(self, above={**self.above, scope: federation})

    def why_not(self, policy: Policy, scope: str = "") -> str | None:
        return None if self.may(policy, scope) else reason(policy, self.caller)
