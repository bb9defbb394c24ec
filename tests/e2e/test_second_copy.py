"""Another copy of a service, as somebody starts it beside the platform."""

import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from deploy.local import proxy
from deploy.local.ports import any_free, listen
from deploy.local.proxy import Proxy
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, until


def test_another_copy_serves_what_the_first_one_does_and_ends_without_it(platform: Platform) -> None:
    port = any_free()
    words = platform.command("copy", "registration", f"--port={port}")
    with subprocess.Popen(words, env=platform.environ()) as copy:  # noqa: S603 - our own command
        try:
            until(lambda: is_ready(port))
            operator = signed(platform, "operator")
            told = {"name": "Told to the copy"}
            founded = httpx.post(f"http://127.0.0.1:{port}/v1/federations", json=told, headers=operator)
            known = operator | {"Roundlog-Min-Position": founded.raise_for_status().headers["Roundlog-Position"]}
            path = f"/v1/federations/{founded.json()['id']}"
            assert httpx.get(f"{platform.url('registration')}{path}", headers=known).json()["name"] == told["name"]
            copy.terminate()
            assert copy.wait() == -signal.SIGTERM  # in order, and then as it was told
        finally:
            copy.kill()
    assert platform.is_ready()


def is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz").is_success
    except httpx.TransportError:
        return False


def test_nothing_is_copied_where_nothing_runs(tmp_path: Path, platform: Platform) -> None:
    words = platform.command("copy", "results", f"--port={any_free()}")[:-1]
    refused = subprocess.run([*words, f"--data={tmp_path}"], capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    assert refused.returncode == 1
    assert "Nothing runs on" in refused.stderr


def test_the_proxy_of_a_local_run_sends_callers_to_the_copies_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDLOG_RESULTS", "127.0.0.1:8003 127.0.0.1:8103")
    with listen(any_free()) as listening:
        own = {"pairing": [8002], "results": [8003]}
        front = Proxy(listening=listening, services=own, folder=tmp_path, log=tmp_path / "log")
        told = proxy.environment(front, listening.fileno())
    assert told["ROUNDLOG_RESULTS"] == "127.0.0.1:8003 127.0.0.1:8103"
    assert told["ROUNDLOG_PAIRING"] == "127.0.0.1:8002"
