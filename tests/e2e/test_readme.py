"""What README.md says to paste works as pasted, and shows what README.md says it shows."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from deploy.local import ports
from tests.integration.launching import Platform
from tests.patience import PATIENCE

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USUAL_ADDRESS = "ROUNDLOG=http://127.0.0.1:8000\n"
END = "-- end of a block --"


def section(title: str) -> str:
    return (REPOSITORY / "README.md").read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def steps(text: str) -> list[tuple[str, str]]:
    """Commands, each with what they are said to print."""
    found: list[tuple[str, str]] = []
    for kind, content in BLOCK.findall(text):
        found = [*found, (content, "")] if kind == "sh" else [*found[:-1], (found[-1][0], content)]
    return found


def story(address: str) -> tuple[str, list[str]]:
    """What is pasted, with another address than the usual one, and what each block of it is said to print."""
    told = steps(section("One tournament by curl"))
    pasted = f"\necho '{END}'\n".join(commands for commands, _ in told)
    assert pasted.count(USUAL_ADDRESS) == pasted.count("127.0.0.1") == 1
    return pasted.replace(USUAL_ADDRESS, f"ROUNDLOG={address}\n"), [printed for _, printed in told]


def paste(commands: str, environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 - what README.md says
        ["bash", "-eo", "pipefail", "-c", commands],  # noqa: S607 - whichever bash people have
        cwd=REPOSITORY,
        env={**environment, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_the_tournament_by_curl_is_played_as_shown(platform: Platform) -> None:
    pasted, said = story(platform.url("proxy"))
    assert sum(printed != "" for printed in said) > 5
    played = paste(pasted, platform.environ() | {"ROUNDLOG_DATA": str(platform.folder.path)})
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.split(f"{END}\n") == said


def test_where_nothing_runs_the_story_says_so_once(tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{ports.any_free()}"
    pasted, _ = story(address)
    played = paste(pasted, {"ROUNDLOG_DATA": str(tmp_path)})
    assert (played.returncode, played.stderr) == (0, "")
    assert [line for line in played.stdout.splitlines() if line != END] == [
        f"Nothing answers at {address}: run make up, or put its address into the first line, and paste again."
    ]
