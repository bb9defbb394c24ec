"""No id of another federation or tournament, wherever it stands, lets somebody read or change what is not theirs.

Every operation is asked as each of the people of one federation, and as nobody: with what was said there before, and with what its
document shows; so as it is, and in turn with one id, in the path, the query or the body, that belongs to the other.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast

import httpx
from msgspec.structs import replace

from deploy.demo.client import Services
from tests.hostile.world import OF_A_KIND, Call, Operation, Side, logs_of, operations, secret

AT_ONCE = 8
# What may be any text at all, and so also an id: nothing follows from what it says.
FREE_TEXT = frozenset({"cited", "lemma", "name", "reason", "subject", "tables", "types"})
OPEN_TO_ALL = frozenset({"registerMyself"})  # whoever has an account, at any federation


@dataclass(kw_only=True)
class Tried:
    statuses: Counter[int] = field(default_factory=Counter[int])
    by_place: Counter[str] = field(default_factory=Counter[str])
    by_role: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])


def leaves(content: Any) -> Iterator[tuple[Any, Any]]:
    """Each text in it, by what holds it and the step there."""
    steps: Any = ()
    if isinstance(content, dict):
        steps = list(cast("dict[str, Any]", content))
    elif isinstance(content, list):
        steps = range(len(cast("list[Any]", content)))
    for step in steps:
        if isinstance(content[step], str):
            yield content, step
        yield from leaves(content[step])


def texts(content: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Each text, with the name of the field that it stands in, or that the list of it stands in."""
    match content:
        case dict():
            for name, inner in cast("dict[str, Any]", content).items():
                yield from texts(inner, name)
        case list():
            for inner in cast("list[Any]", content):
                yield from texts(inner, key)
        case str():
            yield key, content
        case _:
            return


def usual(own: Side, known: Sequence[Operation]) -> Iterator[Call]:
    """Once each: what was said, with what is there now; and what a document shows, with ids that are there."""
    said = {call.operation.name: call for call in own.said}
    for operation in known:
        call = said.get(operation.name) or Call(operation=operation, places={}, query={}, body=operation.body)
        wanted = call.operation.pattern.groupindex
        yield replace(call, places={name: call.places.get(name, own.places.get(name, "1")) for name in wanted})


def with_foreign(call: Call, other: Side, chance: random.Random) -> Iterator[tuple[str, Call]]:
    """As it is, and with them in each place in turn; of each kind one."""
    yield "nowhere", call
    one_of_each = {kind: chance.choice(several) for kind, several in other.ids.items()}
    for name in call.places:
        for kind in {OF_A_KIND[name]} if name in OF_A_KIND and name != "scope" else one_of_each:
            yield "path", replace(call, places={**call.places, name: one_of_each[kind]})
    for name in call.operation.query:
        for each in one_of_each.values():
            yield "query", replace(call, query={**call.query, name: each})
    if call.operation.media != "application/json":
        return
    for number, _ in enumerate(leaves(call.body)):
        for each in one_of_each.values():
            body = deepcopy(call.body)
            holder, step = list(leaves(body))[number]
            holder[step] = each
            yield "body", replace(call, body=body)


async def try_everything(
    network: Services, own: Side, other: Side, chance: random.Random, most: int | None = None
) -> Tried:
    """`most`: so many of all, by chance."""
    tried = Tried()
    known = [one for one in operations() if one.name not in OPEN_TO_ALL]
    several = [pair for call in usual(own, known) for pair in with_foreign(call, other, chance)]
    calls = [(role, place, call) for role in own.tokens for place, call in several]
    if most is not None and most < len(calls):
        calls = chance.sample(calls, most)
    before, own_before = await logs_of(network, other), await logs_of(network, own)
    left = iter(calls)

    async def work() -> None:
        for role, place, call in left:
            try:
                answer = await call.ask(own.tokens[role], network.client, network.urls[call.operation.service])
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                tried.by_place["cut off"] += (
                    1  # the machine was too slow; that a process has died shows itself in the end
                )
                continue
            tried.statuses[answer.status_code] += 1
            tried.by_place[place] += 1
            tried.by_role[role] += 1
            said = f"{role}: {call.operation.name} {call.path} {dict(call.query)} {json.dumps(call.body)[:600]}: {answer.status_code} {answer.text[:400]}"
            if is_fault(answer.status_code):
                tried.faults.append(f"fault: {said}")
            if secret(other.name).encode() in answer.content:
                tried.faults.append(f"shown: {said}")

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    tried.faults += [
        *written(before, await logs_of(network, other)),
        *taken(own_before, await logs_of(network, own), other),
    ]
    return tried


def written(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[str]:
    for name, found in after.items():
        yield from (f"written into {name}: {line[:400].decode()}" for line in added(before[name], found))


def taken(before: Mapping[str, bytes], after: Mapping[str, bytes], other: Side) -> Iterator[str]:
    """What rests on ids of the other."""
    foreign = frozenset(other.all_ids)
    for name, found in after.items():
        for line in added(before[name], found):
            data = json.loads(line)["record"]["data"]
            if rests_on := [text for key, text in texts(data) if text in foreign and key not in FREE_TEXT]:
                yield f"taken into {name}: {rests_on} {line[:700].decode()}"


def is_fault(status: int) -> bool:
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.SERVICE_UNAVAILABLE


def added(before: bytes, after: bytes) -> Sequence[bytes]:
    return after.splitlines()[len(before.splitlines()) :]
