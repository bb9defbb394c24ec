"""Who may do an operation, as data. Each operation has such a policy; a service does not start with one that has none."""

from dataclasses import dataclass

from shared.auth import Caller
from shared.decider import Forbidden
from shared.grants import Grant
from shared.roles import Role


class NotPermitted(Forbidden):
    """The caller holds none of the roles that this asks for."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """`roles` may, where they hold in the scope that the path parameter `scope` names; and operators, or anybody."""

    roles: frozenset[Role] = frozenset()
    scope: str = ""
    operators: bool = False
    anybody: bool = False

    def permits(self, subject: str, grants: frozenset[Grant], scope: str) -> bool:
        return any(Grant(subject=subject, role=role, scope=scope) in grants for role in self.roles)

    @property
    def sentence(self) -> str:
        """Who may, for people."""
        if self.anybody:
            return "Anybody may, without a token."
        names = ", ".join(sorted(self.roles))
        holders = [f"whoever is appointed there as one of: {names}"] if names else []
        return f"Needs a token of {' or of '.join([*holders, *(['an operator'] if self.operators else [])])}."


ANYBODY = Policy(anybody=True)
OPERATORS = Policy(operators=True)


def roles(*wanted: Role, scope: str, operators: bool = False) -> Policy:
    return Policy(roles=frozenset(wanted), scope=scope, operators=operators)


def reason(policy: Policy, caller: Caller | None) -> str:
    """Why not, and what to do."""
    if caller is None:
        return f"Sign in first. {policy.sentence}"
    return f"{policy.sentence} Ask one of them to do it, or to appoint you."
