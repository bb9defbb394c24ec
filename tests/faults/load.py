"""A light load that never gives up: every federation is sent until its founding is acknowledged."""

import threading
from http import HTTPStatus
from pathlib import Path

import httpx

from deploy import tokens
from deploy.local.errors import CannotRun

PAUSE = 0.02
PAGE = 500


class Load:
    def __init__(self, registration: str, name: str, *, keys: Path) -> None:
        self.acknowledged: dict[str, str] = {}  # by name: the id that was answered
        self.refused: list[str] = []
        self._registration = registration
        self._name = name
        self._keys = keys
        self._signed = ""
        self._enough = threading.Event()
        self._working = threading.Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        self._working.start()

    def finish(self, patience: float) -> None:
        """Returns when the last one sent is acknowledged too."""
        self._enough.set()
        self._working.join(patience)
        assert not self._working.is_alive(), "the last federation is not acknowledged"
        assert not self.refused, self.refused

    def _work(self) -> None:
        with httpx.Client(base_url=self._registration, timeout=5) as client:
            while not self._enough.is_set():
                self._found(client, f"{self._name} {len(self.acknowledged) + 1}")
                self._enough.wait(PAUSE)

    def _found(self, client: httpx.Client, name: str) -> None:
        while True:
            try:
                headers = {"Idempotency-Key": name, "Authorization": f"Bearer {self._token()}"}
                answer = client.post("/v1/federations", json={"name": name}, headers=headers)
            except (httpx.TransportError, CannotRun):  # it is down, or was never up
                self._enough.wait(0.1)
                continue
            if answer.status_code == HTTPStatus.CREATED:
                self.acknowledged[name] = str(answer.json()["id"])
                return
            if answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
                self.refused.append(f"{name}: {answer.status_code} {answer.text}")
                self._enough.set()
                return

    def _token(self) -> str:
        if not self._signed:
            self._signed = tokens.signed(self._keys, tokens.OPERATOR, hours=1)
        return self._signed


def listed(registration: str) -> list[tuple[str, str]]:
    """Every federation, name and id, as all pages together show them."""
    found: list[tuple[str, str]] = []
    after = ""
    while True:
        page = httpx.get(f"{registration}/v1/federations", params={"limit": PAGE, "after": after}).raise_for_status()
        found += [(item["name"], item["id"]) for item in page.json()["items"]]
        after = page.json()["next"]
        if after is None:
            return found
