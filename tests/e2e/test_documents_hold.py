"""What the OpenAPI documents say, whatever somebody sends: no undocumented answer, above all no fault of ours."""

import json
import subprocess
import sys
from pathlib import Path

from deploy import SERVICES
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform
from tests.patience import PATIENCE

DOCUMENTS = Path(__file__).parents[2] / "docs" / "openapi"
CHECKS = "status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"
SIGNED_IN = dict.fromkeys(SERVICES, 2) | {"registration": 4}  # seconds of asking
NOT_SIGNED_IN = 1  # nearly all is refused alike
REACHED = "registration:0/0"  # the documented example would be waited for
NOT_YET_THERE = f"{2**62}"  # a live stream refuses it, rather than begin and never end

# One process asks one service after the other: to make it ready takes longer than to ask.
ASK = """
import json, sys
from schemathesis.cli import schemathesis
for words in json.load(sys.stdin):
    try:
        code = schemathesis.main(words, standalone_mode=False)
    except SystemExit as ended:
        code = ended.code
    if code:
        sys.exit(code)
"""


def test_the_documents_hold(platform: Platform, tmp_path: Path) -> None:
    operator = signed(platform, "operator")
    runs = [run(platform, service, SIGNED_IN[service], operator) for service in SERVICES]
    runs += [run(platform, service, NOT_SIGNED_IN, {}) for service in SERVICES]
    asked = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", ASK],
        cwd=tmp_path,
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        timeout=len(runs) * PATIENCE,
        check=False,
    )
    assert asked.returncode == 0, asked.stdout[-4000:] + asked.stderr
    assert "Failures" not in asked.stdout
    assert asked.stdout.count(" SUMMARY ") == len(runs), asked.stdout


def run(platform: Platform, service: str, seconds: int, who: dict[str, str]) -> list[str]:
    headers = who | {"Roundlog-Min-Position": REACHED, "Last-Event-ID": NOT_YET_THERE}
    return [
        *("run", str(DOCUMENTS / f"{service}.json"), f"--url={platform.url(service)}", f"--checks={CHECKS}"),
        *("--max-examples=15", "--no-shrink", f"--max-time={seconds}", "--warnings=off"),
        f"--request-timeout={PATIENCE:g}",
        *(f"--header={name}: {value}" for name, value in headers.items()),
    ]
