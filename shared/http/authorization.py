"""Who asks, and whether they may: the door that every request goes through before its operation."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, cast

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from msgspec.structs import replace
from pydantic import TypeAdapter

from shared.access import scorer_links
from shared.access.asker import ASKING, NOBODY, Asker, Concerned
from shared.access.captain_tokens import WITHDRAWN, Captaincy
from shared.access.grants import Grant, Grants
from shared.access.policy import NotPermitted, Policy, reason
from shared.access.references import About, FindOwn, Form, Kind, form_of
from shared.access.tokens import CALLER, Caller, Unauthenticated
from shared.commands.handler import Key, Origin
from shared.faults import Faulty, InputFault, at
from shared.http.parameters import (
    IdempotencyKey,
    IfMatch,
    MinPosition,
    key,
    require_digits,
    require_known,
    require_no_body,
    start_number,
    versions,
)
from shared.messaging import positions
from shared.messaging.positions import WaitUntilReached
from shared.observability import tracing
from shared.refusals import NotFound, Unavailable
from shared.values import Value

ENTRANT_PARAMETERS = ("entrant_id", "entrant")  # names of what is an entrant itself
OWN_PARAMETER = ENTRANT_PARAMETERS[0]
NO_ENTRANT = frozenset[str]()
SCOPE_PARAMETERS = (
    "tournament_id",
    "season_id",
    "federation_id",
    "scope",
)  # path parameters that are scopes themselves
MOST_NAMED = 5_000  # ids in a body, each of which is looked up
USABLE_ID = re.compile(r"[!-~]{1,200}")

type FindScope = Callable[[str], Awaitable[str | None]]
type Conceal = Callable[["Asker", Request], Awaitable[None]]
type FindConcerned = Callable[[str], Awaitable[Concerned]]
type FindSeated = Callable[[Mapping[str, Any]], Awaitable[Concerned]]  # from all that a path names
type IsOwn = Callable[[str, str, str], Awaitable[bool]]  # of a subject, in a tournament, this entrant
type FindByNumber = Callable[[str, int], Awaitable[str | None]]  # in a tournament, the entrant with a start number


class NothingThere(NotFound):
    """What the path names is not known here."""


class NotOfThisFederation(Faulty):
    """A body names something that nobody knows, or that only another federation knows."""


class Act(Value):
    """A request that changes something, as its operation gets it.

    Whoever has shown a token is a `Caller`; an `Asker` is the caller, or nobody, with what they may do; the `Origin` is what an event
    remembers of them. A `Speaker` at a game and the `Issuer` of a captain's token are made of these.
    """

    asker: Asker
    origin: Origin
    key: Key | None
    versions: frozenset[int] | None  # one of which the resource must still have


@dataclass(frozen=True, kw_only=True, eq=False)
class Door:
    """Lets in who may come. Wired in `app.py`.

    `scopes` finds what a path parameter is about where it is not itself the scope, as the tournament of a game. It
    must know all that was ever answered, and remember by itself what it has found, since every request asks.
    `entrants` finds whom a parameter is about where it is not itself an entrant, as those at the table of a game, and
    `seated` where it is so only together with the rest of the path, as the number of a table.
    `is_own` says whether an account speaks for an entrant, where somebody knows that. `numbered` finds an entrant whom a
    path names by start number: whatever comes behind the door sees the id.
    """

    grants: Grants
    operators: frozenset[str]
    reached: Mapping[str, WaitUntilReached]  # how to wait for each source that something here rests on
    caught_up: Callable[[], Awaitable[None]] | None = None  # to wait for appointments in the service's own log
    scopes: Mapping[str, FindScope] = field(default_factory=dict[str, FindScope])
    entrants: Mapping[str, FindConcerned] = field(default_factory=dict[str, FindConcerned])
    seated: Mapping[str, FindSeated] = field(default_factory=dict[str, FindSeated])
    is_own: IsOwn | None = None
    numbered: FindByNumber | None = None
    conceal: Conceal | None = None  # refuses what is not for everybody yet, also where anybody may ask
    told: frozenset[str] = frozenset()  # of these, parameters whose scope is a federation that registration has told of
    own: Mapping[Kind, FindOwn] = field(default_factory=dict[Kind, FindOwn])  # finds what ids besides the path name

    def acts(self, policy: Policy) -> "ActGuard":
        return ActGuard(door=self, policy=policy)

    def reads(self, policy: Policy) -> "ReadGuard":
        return ReadGuard(door=self, policy=policy)

    async def admit(self, request: Request, policy: Policy, min_position: str | None) -> Asker:
        """Who is asking, if they may and the request has nothing in it that its operation does not take."""
        require_known(request)
        asker = await self.asker(request, policy, min_position)
        require_digits(request)
        await require_no_body(request)
        await self.require_own(request, policy, asker)
        return asker

    async def asker(self, request: Request, policy: Policy, min_position: str | None) -> Asker:
        """Who is asking, if they may; otherwise the refusal. Whoever names a position is judged by what stood there."""
        if min_position is not None:
            await positions.wait_for(positions.parse_all(min_position), self.reached)
        if (policy.anybody or CALLER in request.scope) and OWN_PARAMETER in request.path_params:
            await self._name_by_id(request.path_params)
        asker = await self._let_in(request, policy, fresh=min_position is not None)
        if policy.anybody and self.conceal is not None:
            await self.conceal(asker, request)
        ASKING.set(asker)
        return asker

    async def _name_by_id(self, named: dict[str, Any]) -> None:
        """Put the id of an entrant into a path that has the start number."""
        number = start_number(str(named.get(OWN_PARAMETER, "")))
        if number is None or self.numbered is None:
            return
        found = await self.numbered(str(named.get("tournament_id", "")), number)
        if found is None:
            raise NothingThere(
                f"Nobody has start number {number} in this tournament: numbers are given at the start, and the list of "
                "entrants has them."
            )
        named[OWN_PARAMETER] = found

    async def _let_in(self, request: Request, policy: Policy, *, fresh: bool) -> Asker:
        caller: Caller | None = request.scope.get(CALLER)
        if caller is None:
            if not policy.anybody:
                raise Unauthenticated(reason(policy, caller), error=None)
            return Asker(caller=None, grants=frozenset(), is_operator=False)
        await self._require_current(caller, now=fresh)
        scope = await self._scope(request, policy)
        if caller.captain:  # speaks for one entrant and is nothing else
            concerned = (
                await self._concerned(request, policy, caller.captain) if caller.captain.tournament == scope else NOBODY
            )
            return require_concerned(
                Asker(caller=caller, grants=frozenset(), is_operator=False, scope=scope, concerned=concerned), policy
            )
        asker = await self._known(caller, scope, policy, now=fresh)
        if policy.anybody:
            if self.caught_up is not None and not asker.holds_office():
                await (
                    self.caught_up()
                )  # who was appointed a moment ago, or has founded what this is about, is no stranger
                asker = await self._known(caller, scope, policy, now=True)
            return replace(asker, own=await self._own(caller, scope, request, policy))
        # Whoever was appointed a moment ago acts as an official, and not for themselves.
        if asker.may(as_official(policy), scope):
            return asker
        if self.caught_up is not None:
            await self.caught_up()
        own = await self._own(caller, scope, request, policy)
        asker = replace(await self._known(caller, scope, policy, now=True), own=own)
        if asker.may(policy, scope):
            return asker
        if self._may_be_late(policy) and not asker.above:
            raise Unavailable("registration has not said yet who officiates in this tournament")
        raise NotPermitted(reason(policy, caller))

    async def _own(self, caller: Caller, scope: str, request: Request, policy: Policy) -> frozenset[str]:
        """The entrant in the path, if the caller's account speaks for them; found out also where anybody may ask."""
        entrant = str(request.path_params.get(policy.own or OWN_PARAMETER, ""))
        if self.is_own is None or not (policy.own or policy.anybody) or not USABLE_ID.fullmatch(entrant) or not scope:
            return NO_ENTRANT
        return frozenset({entrant}) if await self.is_own(caller.subject, scope, entrant) else NO_ENTRANT

    def _may_be_late(self, policy: Policy) -> bool:
        """Whether of what a path leads to, as of a game, somebody else may have told before registration has."""
        return self.caught_up is None and policy.scope in self.scopes.keys() - self.told

    def is_scope(self, parameter: str) -> bool:
        """Whether a path parameter leads to a scope."""
        return parameter in SCOPE_PARAMETERS or parameter in self.scopes

    def finds_entrants(self, parameter: str) -> bool:
        """Whether it is known whom a path parameter, or a field of a body, is about."""
        if parameter in (*ENTRANT_PARAMETERS, *SCOPE_PARAMETERS):
            return True
        return parameter in self.entrants or parameter in self.seated

    async def _concerned(self, request: Request, policy: Policy, captain: Captaincy) -> Concerned:
        """Whom a request of a captain is about. It is found out also where anybody may ask, since the answer may depend on it.

        Where a policy lets in the captains of a whole tournament, the operation itself shows each the own entrant alone.
        """
        named = request.path_params
        if policy.captains in SCOPE_PARAMETERS:
            return Concerned(entrants={captain.entrant})
        if policy.captains and policy.captains not in named:
            return Concerned(entrants={await named_in_body(request, policy.captains)})
        parameter = policy.captains or next(
            (name for name in (*self.entrants, *self.seated, *ENTRANT_PARAMETERS) if name in named), None
        )
        if parameter is None:
            return NOBODY
        if parameter in self.seated:
            return await self.seated[parameter](named)
        value = str(named[parameter])
        if parameter in ENTRANT_PARAMETERS or not USABLE_ID.fullmatch(value):
            return Concerned(entrants={value})
        return await self.entrants[parameter](value)

    async def _require_current(self, caller: Caller, *, now: bool) -> None:
        held = caller.captain or caller.link
        if held and not await self.grants.is_current(held, now=now):
            raise Unauthenticated(WITHDRAWN)

    async def _known(self, caller: Caller, scope: str, policy: Policy, *, now: bool) -> Asker:
        # In this order: whoever was appointed before a tournament was announced is known as soon as its federation is.
        above = await (self.grants.above_now if now else self.grants.above)(scope) if scope else None
        if scope and above is None and policy.of_persons:
            above = await self.grants.federation_of(scope)
        if caller.link is None:
            grants = await (self.grants.of_now if now else self.grants.of)(caller.subject)
        else:  # says itself what it is good for, and nobody is appointed by it
            grants = frozenset({Grant(subject=caller.subject, role=scorer_links.ROLE, scope=caller.link.tournament)})
        return Asker(
            caller=caller,
            grants=grants,
            is_operator=caller.link is None and caller.subject in self.operators,
            scope=scope,
            above={scope: above} if above else {},
        )

    async def _scope(self, request: Request, policy: Policy) -> str:
        """The scope that a request is about. It is found out also where anybody may ask: the answer says what they may do."""
        if policy.in_body:
            return await named_in_body(request, policy.scope)
        named = request.path_params
        parameters = (
            [policy.scope] if policy.scope else [name for name in (*self.scopes, *SCOPE_PARAMETERS) if name in named]
        )
        if not parameters:
            return ""
        value = str(named.get(parameters[0], ""))
        is_usable = USABLE_ID.fullmatch(value) is not None
        if parameters[0] not in self.scopes:
            return value if is_usable else ""  # the operation itself will say so
        scope = await self.scopes[parameters[0]](value) if is_usable else None
        if scope is None and not policy.anybody:
            raise NothingThere("There is nothing with the id in this path: look at where you got it from.")
        return scope or ""

    async def require_own(self, request: Request, policy: Policy, asker: Asker) -> None:
        """All that a body names belongs to what the request is about. Nobody learns whether the rest is there at all."""
        if policy.anybody or (form := self._form(request.scope["route"])) is None:
            return
        if policy.themselves and not asker.may(replace(policy, themselves=False), asker.scope):
            return  # they name nobody but whom the operation knows as their own
        try:
            body = await request.json()
        except ValueError:
            return  # the operation says so
        references = [one for one in form.references(body) if USABLE_ID.fullmatch(one.identity)]
        if not references:
            return
        if len(references) > MOST_NAMED:
            raise Faulty(
                "The request names too much at once: send it in parts.",
                [InputFault("", f"has {len(references)} ids in it: at most {MOST_NAMED} are looked up")],
            )
        about = About(scope=asker.scope, federation=await self._federation(asker))
        named: dict[Kind, set[str]] = {}
        for one in references:
            named.setdefault(one.kind, set()).add(one.identity)
        found = {kind: await self.own[kind](about, ids) for kind, ids in named.items()}
        if strange := [one for one in references if one.identity not in found[one.kind]]:
            raise NotOfThisFederation(
                "The federation that this is about has not all that is named: see errors.",
                [
                    InputFault(at(*one.steps), f"names no {one.kind} of the federation: look at where its id is from")
                    for one in strange
                ],
            )

    async def _federation(self, asker: Asker) -> str:
        return asker.above.get(asker.scope) or await self.grants.above_now(asker.scope) or asker.scope

    def _form(self, route: APIRoute) -> Form | None:
        sent = route.body_field
        return form_sent(sent.field_info.annotation, self._kinds) if sent and self.own else None

    @cached_property
    def _kinds(self) -> frozenset[Kind]:
        return frozenset(self.own)

    async def stays(self, request: Request, policy: Policy) -> bool:
        """Whether somebody who was let in still may be there. When nobody can tell, there is nothing new to hide."""
        try:
            await self.asker(request, policy, None)
        except (NotPermitted, Unauthenticated):
            return False
        except Unavailable:
            return True
        return True


@cache
def form_sent(annotation: Any, kinds: frozenset[Kind]) -> Form | None:
    """Made once in a process: it takes longer than most requests."""
    return form_of(TypeAdapter[Any](annotation).json_schema(), kinds)


def as_official(policy: Policy) -> Policy:
    return replace(policy, own="", themselves=False) if policy.own or policy.themselves else policy


def require_concerned(captain: Asker, policy: Policy) -> Asker:
    if not captain.may(policy, captain.scope):
        cited = f" ({captain.concerned.rule})" if captain.concerned.rule else ""
        raise NotPermitted(f"{reason(policy, captain.caller).rstrip('.')}{cited}.")
    return captain


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadGuard:
    """The dependency of an operation that reads: it lets a caller in, and says who is asking."""

    door: Door
    policy: Policy

    async def __call__(self, request: Request, min_position: MinPosition = None) -> Asker:
        return await self.door.admit(request, self.policy, min_position)


@dataclass(frozen=True, kw_only=True, eq=False)
class ActGuard:
    """The dependency of an operation that changes something: it lets a caller in, and says how the act is to be done."""

    door: Door
    policy: Policy

    async def __call__(
        self,
        request: Request,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
        min_position: MinPosition = None,
    ) -> Act:
        asker = await self.door.admit(request, self.policy, min_position)
        if asker.caller is None:
            raise TypeError("an act needs somebody who acts: its policy cannot be for anybody")
        return Act(
            asker=asker,
            origin=Origin(
                actor=asker.caller.subject,
                role=asker.role_under(self.policy),
                operation=request.scope["route"].operation_id,
                trace=tracing.CURRENT.get(),
            ),
            key=None if idempotency_key is None else await key(request, asker.caller.subject, idempotency_key),
            versions=None if if_match is None else versions(if_match),
        )


async def named_in_body(request: Request, field: str) -> str:
    """What a body says that it is about, before anything else in it is looked at."""
    try:
        body = await request.json()
    except ValueError:
        body = None
    value = cast("dict[str, object]", body).get(field) if isinstance(body, dict) else None
    if not isinstance(value, str) or not USABLE_ID.fullmatch(value):
        raise RequestValidationError([{"loc": ("body", field), "msg": f"should be JSON that names the {field}"}])
    return value
