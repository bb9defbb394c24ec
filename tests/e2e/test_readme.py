"""What README.md says to paste works as pasted, and shows what README.md says it shows."""

import os
import re
import subprocess
from pathlib import Path

from deploy.local import ports
from tests.integration.launching import Platform
from tests.patience import PATIENCE

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USUAL_PORT = re.compile(r"\b800([1-4])(?=[/$])")
END = "-- end of a block --"


def section(title: str) -> str:
    return (REPOSITORY / "README.md").read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def steps(text: str) -> list[tuple[str, str]]:
    """Commands, each with what they are said to print."""
    found: list[tuple[str, str]] = []
    for kind, content in BLOCK.findall(text):
        found = [*found, (content, "")] if kind == "sh" else [*found[:-1], (found[-1][0], content)]
    return found


def test_the_tournament_by_curl_is_played_as_shown(platform: Platform) -> None:
    told = steps(section("One tournament by curl"))
    assert len(told) > 5
    assert sum(printed != "" for _, printed in told) > 5
    pasted = f"\necho '{END}'\n".join(commands for commands, _ in told)
    here = USUAL_PORT.sub(lambda port: str(ports.of(ports.SERVICES[int(port[1]) - 1], platform.base_port)), pasted)
    played = subprocess.run(  # noqa: S603 - what README.md says
        ["bash", "-eo", "pipefail", "-c", here],  # noqa: S607 - whichever bash people have
        cwd=REPOSITORY,
        env=platform.environ() | {"ROUNDLOG_DATA": str(platform.folder.path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.split(f"{END}\n") == [printed for _, printed in told]
