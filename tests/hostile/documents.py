"""Every operation as its document describes it, and as it does not: schemathesis asks, with and without a token."""

import itertools
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deploy import SERVICES
from shared.values import Value
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform

ALL_CHECKS = "status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"
REACHED = "registration:0/0"  # the documented example would be waited for
NOT_YET_THERE = f"{2**62}"  # a live stream refuses it, rather than begin and never end
SLOWEST = 60.0  # seconds that one request may take
AT_ONCE = 4
EXAMPLES = 25  # of each operation in a batch, besides those that its document and its bounds give
GENERATED = re.compile(r"^\s*(\d+) generated", re.MULTILINE)

type Say = Callable[[str], None]


class Batch(Value):
    """What is asked of one service in one go."""

    service: str
    who: str  # a subject, or nobody
    seed: int


class Answered(Value):
    batch: Batch
    cases: int
    failures: str  # what schemathesis prints of them


def command(url: str, headers: Mapping[str, str], *options: str) -> list[str]:
    said = {**headers, "Roundlog-Min-Position": REACHED, "Last-Event-ID": NOT_YET_THERE}
    return [
        str(Path(sys.executable).parent / "schemathesis"),
        *("run", f"{url}/openapi.json", f"--checks={ALL_CHECKS}", "--no-shrink", "--warnings=off"),
        *(f"--request-timeout={SLOWEST:g}", f"--wait-for-schema={SLOWEST:g}", "--generation-database=none", *options),
        *(f"--header={name}: {value}" for name, value in said.items()),
    ]


def ask(platform: Platform, batch: Batch, headers: Mapping[str, str], seconds: float) -> Answered:
    asked = subprocess.run(  # noqa: S603 - our own command
        command(
            platform.url(batch.service),
            headers,
            f"--max-examples={EXAMPLES}",
            f"--seed={batch.seed}",
            f"--max-time={max(seconds, 1):.0f}",
            "--continue-on-failure",
        ),
        cwd=platform.folder.path.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    found = GENERATED.search(asked.stdout)
    return Answered(
        batch=batch,
        cases=int(found[1]) if found else 0,
        failures="" if asked.returncode == 0 else asked.stdout[-8000:] + asked.stderr,
    )


def batches(seed: int) -> Iterator[Batch]:
    """Without end: each round has another seed."""
    for number in itertools.count(seed):
        for who, service in itertools.product(("operator", ""), SERVICES):
            yield Batch(service=service, who=who, seed=number)


def campaign(platform: Platform, cases: int, several: Iterable[Batch], say: Say, *, seconds: float) -> list[Answered]:
    """At least so many cases, or as many as there is time for."""
    tokens = {"operator": signed(platform, "operator"), "": {}}
    done: list[Answered] = []
    left, until = iter(several), time.monotonic() + seconds

    def is_enough() -> bool:
        return sum(one.cases for one in done) >= cases or time.monotonic() > until

    def work() -> None:
        while not is_enough():
            batch = next(left, None)
            if batch is None:
                return
            done.append(one := ask(platform, batch, tokens[batch.who], until - time.monotonic()))
            said = f"{batch.service:12} {batch.who or 'without a token':15} seed {batch.seed}: {one.cases} cases"
            say(f"  {said}{', FAILED' if one.failures else ''}; {sum(each.cases for each in done)} in all")

    with ThreadPoolExecutor(AT_ONCE) as threads:
        for each in [threads.submit(work) for _ in range(AT_ONCE)]:
            each.result()
    return done
