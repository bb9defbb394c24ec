"""What we stand on is looked at for licences and vulnerabilities; here by services that know of one."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PathDistribution
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote

import pytest

from tests import dependencies
from tests.dependencies import Asked, is_allowed, licences_of_npm, licences_of_python, of_npm, of_python, remembered

WEB = dependencies.NPM_LOCKS[1]
KNOWN: dict[str, Any] = {
    "id": "GHSA-0000",
    "modified": "2026-01-01T00:00:00Z",
    "summary": "Bad.",
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "click"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99"}]}],
        }
    ],
}
ADVISORY: dict[str, Any] = {
    "id": 1,
    "url": "https://advisories.example/1",
    "title": "Bad",
    "severity": "high",
    "vulnerable_versions": "<99",
    "cwe": [],
    "cvss": {"score": 7, "vectorString": None},
}


@contextmanager
def somebody_who_knows(*, of_one: bool) -> Generator[str]:
    """Of a vulnerability of click and of preact, or of none."""

    class Knows(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/v1/querybatch":
                names = [one["package"]["name"] for one in json.loads(sent)["queries"]]
                found = {"id": KNOWN["id"], "modified": KNOWN["modified"]}
                self.answer({"results": [{"vulns": [found]} if of_one and name == "click" else {} for name in names]})
            else:
                self.answer({"preact": [ADVISORY]} if of_one else {})

        def do_GET(self) -> None:
            name = unquote(self.path[1:])
            version = json.loads(WEB.read_text())["packages"].get(f"node_modules/{name}", {}).get("version", "1.0.0")
            of_it: dict[str, Any] = {"name": name, "version": version, "dist": {}}
            packument: dict[str, Any] = {"name": name, "dist-tags": {"latest": version}, "versions": {version: of_it}}
            self.answer(KNOWN if self.path.startswith("/v1/vulns/") else packument)

        def answer(self, content: object) -> None:
            sent = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as it is called above
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Knows)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("of_one", [True, False])
def test_a_published_vulnerability_is_found(*, of_one: bool) -> None:
    with somebody_who_knows(of_one=of_one) as url:
        python, npm = of_python(f"--service-url={url}"), of_npm(WEB, f"--registry={url}")
    assert not python.unreachable
    assert not npm.unreachable
    if of_one:
        (said,) = python.vulnerabilities
        assert said.startswith("click ")
        assert said.endswith(": GHSA-0000 Bad., mended in 99")
        assert any(one.startswith("preact ") and "(https://advisories.example/1)" in one for one in npm.vulnerabilities)
    else:
        assert (python.vulnerabilities, npm.vulnerabilities) == ([], [])


def test_that_nobody_could_be_asked_is_said_and_is_no_vulnerability() -> None:
    asked = of_python("--service-url=http://127.0.0.1:1/")
    assert asked.vulnerabilities == []
    assert asked.unreachable.startswith("uv audit: error")


def test_what_was_found_is_asked_again_and_what_is_good_is_remembered(tmp_path: Path) -> None:
    lock, times = tmp_path / "lock", list[int]()
    lock.write_text("1")

    def ask(*found: str) -> Asked:
        times.append(1)
        return Asked(vulnerabilities=list(found))

    def look(*found: str) -> list[str]:
        return remembered(lock, lambda: ask(*found), tmp_path / "kept").vulnerabilities

    assert (look("bad"), look("bad"), look(), look(), len(times)) == (["bad"], ["bad"], [], [], 3)
    lock.write_text("2")
    assert (look("worse"), len(times)) == (["worse"], 4)


def test_a_licence_that_is_not_on_the_list_is_named(tmp_path: Path) -> None:
    assert list(licences_of_python()) == list(licences_of_npm()) == []
    folder = tmp_path / "closed-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.4\nName: closed\nVersion: 1\nLicense-Expression: SSPL-1.0\n")
    assert list(licences_of_python(lambda: iter([PathDistribution(folder)]))) == ["closed 1: its licence is SSPL-1.0"]
    lock = tmp_path / "package-lock.json"
    lock.write_text(json.dumps({"packages": {"": {}, "node_modules/closed": {"version": "1"}}}))
    assert list(licences_of_npm([lock])) == ["closed 1: its licence is not named"]


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [("MIT", True), ("MIT AND GPL-3.0", False), ("(MIT OR GPL-3.0)", True), ("GPL-3.0", False), ("", False)],
)
def test_of_licences_to_choose_from_one_is_enough(expression: str, *, allowed: bool) -> None:
    assert is_allowed(expression) is allowed
