"""What a request says besides its body: who asks, under which key, over which version, and after what else."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Annotated

from fastapi import Header, Request
from pydantic.json_schema import SkipJsonSchema

from shared import correlation, positions
from shared.auth import Caller, Unauthenticated
from shared.grants import Grant, Grants
from shared.handle import Key, Origin
from shared.policy import NotPermitted, Policy, reason
from shared.positions import PATTERN, Reached

CALLER = "roundlog.caller"  # where the middleware that checks tokens leaves what it found

IDEMPOTENCY_KEY = Header(
    alias="Idempotency-Key",
    min_length=1,
    max_length=255,
    description="Make one up for each act, and send it again when repeating a request whose answer was lost: "
    "the act then happens once, and the first answer comes again.",
    examples=["5f0c9b1e-round-3-table-7"],
)
IF_MATCH = Header(
    alias="If-Match",
    max_length=1000,
    description="The `ETag` that you have seen: the act is refused with 412 when the resource has changed since.",
    examples=['"3"'],
)
MIN_POSITION = Header(
    alias="Roundlog-Min-Position",
    pattern=PATTERN,
    description="A `Roundlog-Position` that any service has answered: this answer will rest on it. Waits for up to two "
    "seconds, then 503.",
    examples=["registration:12873/4411"],
)

type Absent = SkipJsonSchema[None]
type IdempotencyKey = Annotated[str | Absent, IDEMPOTENCY_KEY]
type IfMatch = Annotated[str | Absent, IF_MATCH]
type MinPosition = Annotated[str | Absent, MIN_POSITION]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asker:
    """Somebody, or nobody in particular, and what they may do."""

    caller: Caller | None
    grants: frozenset[Grant]
    is_operator: bool
    just_granted: frozenset[Grant] = frozenset()

    def may(self, policy: Policy, scope: str = "") -> bool:
        if policy.anybody or (policy.operators and self.is_operator):
            return True
        if self.caller is None:
            return False
        subject = self.caller.subject
        return policy.permits(subject, self.grants, scope) or policy.permits(subject, self.just_granted, scope)

    def appointed(self, *grants: Grant) -> "Asker":
        """The same, with what this very act makes of them."""
        return replace(self, just_granted=frozenset(grants))

    def why_not(self, policy: Policy, scope: str = "") -> str | None:
        return None if self.may(policy, scope) else reason(policy, self.caller)


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    asker: Asker
    origin: Origin
    key: Key | None
    versions: frozenset[int] | None  # one of which the resource must still have


@dataclass(frozen=True, kw_only=True, eq=False)
class Door:
    """Lets in who may come. Wired in `app.py`."""

    grants: Grants
    operators: frozenset[str]
    reached: Mapping[str, Reached]  # how to wait for each source that something here rests on
    caught_up: Callable[[], Awaitable[None]] | None = None  # to wait for appointments in the service's own log

    def acts(self, policy: Policy) -> "Acting":
        return Acting(door=self, policy=policy)

    def reads(self, policy: Policy) -> "Reading":
        return Reading(door=self, policy=policy)

    async def asker(self, request: Request, policy: Policy, min_position: str | None) -> Asker:
        """Who is asking, if they may; otherwise the refusal. Whoever names a position is judged by what stood there."""
        if min_position is not None:
            await positions.wait_for(positions.parse(min_position), self.reached)
        caller: Caller | None = request.scope.get(CALLER)
        if caller is None:
            if not policy.anybody:
                raise Unauthenticated(reason(policy, caller), error=None)
            return Asker(caller=None, grants=frozenset(), is_operator=False)
        scope = request.path_params.get(policy.scope, "")
        is_operator = caller.subject in self.operators
        known = self.grants.of if min_position is None else self.grants.of_now
        asker = Asker(caller=caller, grants=await known(caller.subject), is_operator=is_operator)
        if asker.may(policy, scope):
            return asker
        if self.caught_up is not None:
            await self.caught_up()
        asker = Asker(caller=caller, grants=await self.grants.of_now(caller.subject), is_operator=is_operator)
        if asker.may(policy, scope):
            return asker
        raise NotPermitted(reason(policy, caller))


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    """The dependency of an operation that reads."""

    door: Door
    policy: Policy

    async def __call__(self, request: Request, min_position: MinPosition = None) -> Asker:
        return await self.door.asker(request, self.policy, min_position)


@dataclass(frozen=True, kw_only=True, eq=False)
class Acting:
    """The dependency of an operation that changes something."""

    door: Door
    policy: Policy

    async def __call__(
        self,
        request: Request,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
        min_position: MinPosition = None,
    ) -> Act:
        asker = await self.door.asker(request, self.policy, min_position)
        if asker.caller is None:
            raise TypeError("an act needs somebody who acts: its policy cannot be for anybody")
        return Act(
            asker=asker,
            origin=Origin(actor=asker.caller.subject, trace=correlation.CURRENT.get()),
            key=None if idempotency_key is None else await key(request, asker.caller.subject, idempotency_key),
            versions=None if if_match is None else versions(if_match),
        )


async def key(request: Request, subject: str, idempotency_key: str) -> Key:
    operation = f"{request.method} {request.url.path}"
    return Key(
        key=digest(subject.encode(), operation.encode(), idempotency_key.encode()),
        request=digest(request.url.query.encode(), await request.body()),
    )


def digest(*parts: bytes) -> bytes:
    """One hash over the parts, each by its own hash, so that no two lists of parts read alike."""
    return sha256(b"".join(sha256(part).digest() for part in parts)).digest()


def versions(if_match: str) -> frozenset[int] | None:
    """Those named by `"3"` or `"3", "4"`; `*` is any. What is no tag of ours names none."""
    if if_match.strip() == "*":
        return None
    tags = (tag.strip() for tag in if_match.split(","))
    return frozenset(int(tag[1:-1]) for tag in tags if tag[0:1] == tag[-1:] == '"' and tag[1:-1].isdecimal())


def etag(version: int) -> str:
    return f'"{version}"'
