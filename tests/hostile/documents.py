"""Every operation as its document describes it, and as it does not: schemathesis asks, with and without a token."""

import itertools
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from deploy import SERVICES
from shared.values import Value
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform

ALL_CHECKS = "status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"
REACHED = "registration:0/0"  # the documented example would be waited for
NOT_YET_THERE = f"{2**62}"  # a live stream refuses it, rather than begin and never end
SLOWEST = 60.0  # seconds that one request may take
AT_ONCE = 4
EXAMPLES = 25  # drawn for each operation in a batch
# What a document shows and where its bounds are is the same in each round; what is drawn depends on the seed.
FIRST_ROUND, LATER_ROUND = "examples,coverage,fuzzing,stateful", "fuzzing,stateful"
GENERATED = re.compile(r"^\s*(\d+) generated", re.MULTILINE)

type Say = Callable[[str], None]


class NothingAsked(Exception):
    """The platform is gone, or its document cannot be read."""


class Batch(Value):
    """What is asked of one service in one go."""

    service: str
    who: str  # a subject, or nobody
    there: bool  # paths lead to what is there, or to anything
    phases: str
    seed: int

    @property
    def words(self) -> str:
        asked = f"{self.who or 'without a token':15} of {'what is there' if self.there else 'anything':13}"
        return f"{self.service:12} {asked} seed {self.seed}"


class Answered(Value):
    batch: Batch
    cases: int
    failures: str  # what schemathesis prints of them


def command(config: Path, url: str, headers: Mapping[str, str], *options: str) -> list[str]:
    said = {**headers, "Roundlog-Min-Position": REACHED, "Last-Event-ID": NOT_YET_THERE}
    return [
        str(Path(sys.executable).parent / "schemathesis"),
        *(f"--config-file={config}", "run", f"{url}/openapi.json", f"--checks={ALL_CHECKS}", "--no-shrink"),
        *(f"--request-timeout={SLOWEST:g}", f"--wait-for-schema={SLOWEST:g}", "--generation-database=none"),
        *("--warnings=off", "--continue-on-failure", *options),
        *(f"--header={name}: {value}" for name, value in said.items()),
    ]


def ask(platform: Platform, batch: Batch, places: Mapping[str, str]) -> Answered:
    """With a token of its own: one is good for an hour."""
    folder = platform.folder.path.parent
    config = folder / f"{'there' if batch.there else 'anything'}.toml"
    known = "".join(f'"path.{name}" = "{value}"\n' for name, value in places.items()) if batch.there else ""
    config.write_text(f"[parameters]\n{known}", encoding="utf-8")
    asked = subprocess.run(  # noqa: S603 - our own command
        command(
            config,
            platform.url(batch.service),
            signed(platform, batch.who) if batch.who else {},
            f"--max-examples={EXAMPLES}",
            f"--seed={batch.seed}",
            f"--phases={batch.phases}",
        ),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    found = GENERATED.search(asked.stdout)
    return Answered(
        batch=batch,
        cases=int(found[1]) if found else 0,
        failures="" if asked.returncode == 0 else f"{batch.words}\n{asked.stdout[-20_000:]}{asked.stderr}",
    )


def batches(seed: int) -> Iterator[Batch]:
    """Without end: each round has another seed."""
    for number in itertools.count(seed):
        phases = FIRST_ROUND if number == seed else LATER_ROUND
        for there, who, service in itertools.product((True, False), ("operator", ""), SERVICES):
            yield Batch(service=service, who=who, there=there, phases=phases, seed=number)


def campaign(
    platform: Platform,
    cases: int,
    several: Iterable[Batch],
    places: Mapping[str, str],
    say: Say,
    *,
    seconds: float,
    ended: Event,
) -> list[Answered]:
    """At least so many cases, or as many as there is time for: what was begun is asked to its end."""
    done: list[Answered] = []
    left, until = iter(several), time.monotonic() + seconds

    def is_enough() -> bool:
        return ended.is_set() or sum(one.cases for one in done) >= cases or time.monotonic() > until

    def work() -> None:
        while not is_enough():
            batch = next(left, None)
            if batch is None:
                return
            done.append(one := ask(platform, batch, places))
            failed = f", FAILED\n{one.failures}" if one.failures else ""
            say(f"  {batch.words}: {one.cases} cases, {sum(each.cases for each in done)} in all{failed}")
            if not one.cases:
                ended.set()
                raise NothingAsked(one.failures)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        for each in [threads.submit(work) for _ in range(AT_ONCE)]:
            each.result()
    return done
