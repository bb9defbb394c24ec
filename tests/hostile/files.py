"""Mutated files for what reads them without a server, and mutated bodies and tokens for the services."""

import asyncio
import base64
import contextlib
import io
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from deploy.bundles.verification import verified
from deploy.demo.client import Services
from services.pairing.calculate import paired
from services.results.calculate import adjudicated
from services.standings.calculate import ranked, ranked_sheet
from services.standings.seasons.calculate import summed
from shared.proof.findings import Malformed
from shared.refusals import Refusal
from tests.hostile.calculators import GAMES, SEASON, played
from tests.hostile.foreign import is_fault, usual
from tests.hostile.mutations import mutated
from tests.hostile.world import Call, Side, operations
from tests.provable import Parts, alone, bundled, policy
from tests.provable import played as played_provably

AT_ONCE = 8
CUT_OFF = "cut off"  # as what is too large or comes too slowly; that a process has died shows itself in the end


@dataclass(kw_only=True)
class Mutated:
    """What came of the mutated ones of a kind."""

    kind: str
    answers: Counter[str] = field(default_factory=Counter[str])
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list[str])

    def note(self, answer: str, began: float) -> None:
        self.answers[answer] += 1
        self.slowest = max(self.slowest, time.monotonic() - began)

    def __str__(self) -> str:
        several = ", ".join(f"{number} × {answer}" for answer, number in sorted(self.answers.items()))
        return (
            f"{self.kind}: {self.answers.total()} ({several}), slowest {self.slowest:.1f} s, {len(self.faults)} faults"
        )


def calculators(chance: random.Random, times: int) -> Mutated:
    """`roundlog rank`, `pair`, `adjudicate` and `season`: an answer or a refusal."""
    found = Mutated(kind="files of the calculators")

    def content(calculate: Callable[[bytes], object]) -> bytes:
        if calculate is adjudicated:
            return json.dumps(chance.choice(GAMES), indent=1).encode()
        if calculate is summed:
            return json.dumps(SEASON, indent=1).encode()
        return json.dumps(played(chance, chance.choice((2, 3, 8, 20)), chance.choice((0, 1, 3))), indent=1).encode()

    several: Sequence[Callable[[bytes], object]] = (ranked, ranked_sheet, paired, adjudicated, summed)
    for _ in range(times):
        calculate = chance.choice(several)
        file = mutated(chance, content(calculate))
        judge(found, partial(calculated, calculate, file), Refusal, file)
    return found


def calculated(calculate: Callable[[bytes], object], file: bytes) -> str:
    calculate(file)
    return "calculated"


def judge(found: Mutated, ask: Callable[[], str], refusal: type[Exception], content: bytes) -> None:
    began = time.monotonic()
    try:
        answer = ask()
    except refusal:
        answer = "refused"
    except Exception as fault:  # noqa: BLE001 - that there is none is what is asked
        answer = "FAULT"
        found.faults.append(f"{type(fault).__name__}: {str(fault)[:300]} of {content[:3000]!r}")
    found.note(answer, began)


def bundles(chance: random.Random, times: int) -> Mutated:
    """`roundlog verify` and the verifier that stands alone: a verdict, or that it cannot be read."""
    found = Mutated(kind="bundles")
    good = bundled(played_provably("gomoku-cfp", 4), earlier=1)
    with tempfile.TemporaryDirectory(prefix="roundlog-hostile-") as name:
        folder = Path(name)
        trust = folder / "policy"
        trust.write_bytes(policy("club"))
        whole = good.packed(folder / "good.zip").read_bytes()
        for _ in range(times):
            bundle = folder / "bundle.zip"
            if chance.random() < 0.4:
                bundle.write_bytes(mutated(chance, whole))
            else:
                files = dict(good.files)
                file = chance.choice(list(files))
                files[file] = mutated(chance, files[file])
                Parts(files, good.tournament).packed(bundle)
            content = bundle.read_bytes() if bundle.stat().st_size < 3000 else b"a zip"

            judge(found, partial(ours, bundle, trust), Malformed, content)
            judge(found, partial(theirs, bundle, trust), Malformed, content)
    return found


def ours(bundle: Path, trust: Path) -> str:
    return f"ours {verified(bundle, trust, lambda _: None).report.exit_status}"


def theirs(bundle: Path, trust: Path) -> str:
    with contextlib.redirect_stdout(io.StringIO()):
        return f"alone {alone().main([str(bundle), '--trust', str(trust), '--quiet'])}"


async def each(several: Iterator[Callable[[], Any]]) -> None:
    async def work() -> None:
        for one in several:
            await one()

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def bodies(network: Services, own: Side, chance: random.Random, times: int) -> Mutated:
    """Whatever has a body, imports and transcripts among it: no fault, and an answer that is JSON wherever it says so."""
    found = Mutated(kind="bodies of requests")
    known = [call for call in usual(own, list(operations())) if call.body is not None]
    imports = [call for call in known if call.operation.media != "application/json" or "mport" in call.operation.name]

    async def send(call: Call, content: bytes) -> None:
        headers = {"Authorization": f"Bearer {own.token}", "Content-Type": call.operation.media}
        began = time.monotonic()
        url = f"{network.urls[call.operation.service]}{call.path}"
        try:
            answer = await network.client.request(call.operation.method, url, content=content, headers=headers)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            found.note(CUT_OFF, began)
            return
        found.note(str(answer.status_code), began)
        if is_fault(answer.status_code):
            found.faults.append(f"{call.operation.name} {content[:2000]!r}: {answer.status_code} {answer.text[:300]}")

    def asked() -> Iterator[Callable[[], Any]]:
        for _ in range(times):
            call = chance.choice(imports if chance.random() < 0.3 else known)
            body = call.body if isinstance(call.body, str) else json.dumps(call.body, indent=1)
            content = mutated(chance, body.encode())
            yield lambda call=call, content=content: send(call, content)

    await each(asked())
    return found


async def tokens(network: Services, own: Side, chance: random.Random, times: int) -> Mutated:
    """None that was changed lets anybody in."""
    found = Mutated(kind="tokens")
    paths: Mapping[str, str] = dict.fromkeys(network.urls, "/v1/me")

    async def send(service: str, token: bytes) -> None:
        began = time.monotonic()
        headers = {b"Authorization": b"Bearer " + token}
        try:
            answer = await network.client.get(f"{network.urls[service]}{paths[service]}", headers=headers)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            found.note(CUT_OFF, began)
            return
        found.note(str(answer.status_code), began)
        if is_fault(answer.status_code) or (answer.is_success and meaning(token) != meaning(own.token.encode())):
            found.faults.append(f"{service} {token[:500]!r}: {answer.status_code}")

    def asked() -> Iterator[Callable[[], Any]]:
        for _ in range(times):
            service = chance.choice(list(paths))
            token = changed_token(chance, own.token)
            yield lambda service=service, token=token: send(service, token)

    await each(asked())
    return found


def changed_token(chance: random.Random, token: str) -> bytes:
    """In what its parts say, or anywhere; without what no header may have."""
    parts = token.encode().split(b".")
    if chance.random() < 0.7:
        which = chance.randrange(len(parts))
        inner = mutated(chance, base64.urlsafe_b64decode(parts[which] + b"=="))[:8_000]
        parts[which] = base64.urlsafe_b64encode(inner).rstrip(b"=")
        changed = b".".join(parts)
    else:
        changed = mutated(chance, token.encode())[:8_000]
    return bytes(one for one in changed if 0x20 < one < 0x7F) or b"."


def meaning(token: bytes) -> Sequence[bytes]:
    """Base64 has several ways of writing the same."""
    return [base64.urlsafe_b64decode(part + b"==") for part in token.split(b".")]
