"""What the OpenAPI documents say, whatever somebody sends: no undocumented answer, above all no fault of ours."""

import subprocess
import sys
from pathlib import Path

import pytest

from deploy import SERVICES
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform
from tests.patience import PATIENCE

CHECKS = "status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance"
SECONDS = 5
REACHED = "registration:0/0"  # the documented example would be waited for
NOT_YET_THERE = f"{2**62}"  # a live stream refuses it, rather than begin and never end


@pytest.mark.parametrize("signed_in", [True, False])
@pytest.mark.parametrize("service", SERVICES)
def test_the_documents_hold(service: str, *, signed_in: bool, platform: Platform, tmp_path: Path) -> None:
    who = signed(platform, "operator") if signed_in else {}
    headers = who | {"Roundlog-Min-Position": REACHED, "Last-Event-ID": NOT_YET_THERE}
    asked = subprocess.run(  # noqa: S603 - our own command
        [
            str(Path(sys.executable).parent / "schemathesis"),
            *("run", f"{platform.url(service)}/openapi.json", f"--checks={CHECKS}", "--max-examples=15", "--no-shrink"),
            *(
                f"--max-time={SECONDS if service == 'registration' else 2}",
                "--warnings=off",
                f"--request-timeout={PATIENCE:g}",
            ),
            *(f"--header={name}: {value}" for name, value in headers.items()),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert asked.returncode == 0, asked.stdout[-4000:] + asked.stderr
    assert "Failures" not in asked.stdout
