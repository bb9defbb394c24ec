"""Where the keys come from that tokens are checked with."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import pytest

from shared.access import key_page, keys
from shared.access.key_page import KeyPage
from shared.access.keys import KeyFile
from shared.refusals import Unavailable
from tests.api.asking import issuer
from tests.api.signing import Issuer

NOBODY = b'{"keys": []}'
NO_TEXT = b'{"keys": [{"kty": "OKP", "kid": "\xff"}]}'


@dataclass
class Shown:
    """An issuer's page of keys, as it is at the moment."""

    content: bytes
    status: HTTPStatus = HTTPStatus.OK
    asked: int = 0
    url: str = field(default="", init=False)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        server = await asyncio.start_server(self._answer, "127.0.0.1")
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/keys"
        async with server:
            yield

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked += 1
        head = f"HTTP/1.1 {self.status.value} {self.status.phrase}\r\nContent-Length: {len(self.content)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + self.content)
        await writer.drain()
        writer.close()


def page_of(an_issuer: Issuer) -> tuple[bytes, str]:
    """The page, and the id of the key on it."""
    content = an_issuer.page.read_bytes()
    return content, next(iter(keys.parse(content)))


async def test_a_key_is_asked_for_once() -> None:
    content, identity = page_of(issuer())
    shown = Shown(content)
    async with shown.running():
        ring = KeyPage(shown.url)
        found = await asyncio.gather(*(ring.key(identity) for _ in range(10)))
    assert all(found)
    assert shown.asked == 1


async def test_an_unknown_key_is_looked_for_but_not_again_and_again() -> None:
    content, identity = page_of(issuer())
    shown = Shown(content)
    async with shown.running():
        ring = KeyPage(shown.url)
        assert await ring.key(identity)
        for _ in range(20):
            assert await ring.key("made up") is None
    assert shown.asked == 1


async def test_a_new_key_is_found_when_it_turns_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_page, "ASK_AT_MOST_EVERY", 0.0)
    content, identity = page_of(issuer())
    shown = Shown(NOBODY)
    async with shown.running():
        ring = KeyPage(shown.url)
        assert await ring.key(identity) is None
        shown.content = content
        assert await ring.key(identity)


async def test_the_last_good_page_serves_while_the_issuer_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_page, "ASK_AT_MOST_EVERY", 0.0)
    monkeypatch.setattr(key_page, "GROWS_OLD", 0.0)
    content, identity = page_of(issuer())
    shown = Shown(content)
    async with shown.running():
        ring = KeyPage(shown.url)
        assert await ring.key(identity)
        shown.status = HTTPStatus.INTERNAL_SERVER_ERROR
        assert await ring.key(identity)
        for unreadable in (b"no keys at all", NO_TEXT):
            shown.status, shown.content = HTTPStatus.OK, unreadable
            assert await ring.key(identity)
    assert await ring.key(identity)


async def test_nobody_signs_in_while_no_key_was_ever_seen() -> None:
    ring = KeyPage("http://127.0.0.1:1/keys")
    with pytest.raises(Unavailable, match="does not answer"):
        await ring.key("any")


async def test_a_file_without_keys_is_no_reason_to_let_somebody_in(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        await KeyFile(tmp_path / "nothing").key("any")
    for unreadable in (b"no keys", NO_TEXT):
        (tmp_path / "keys").write_bytes(unreadable)
        with pytest.raises(Unavailable):
            await KeyFile(tmp_path / "keys").key("any")


def test_only_keys_of_the_one_kind_are_taken() -> None:
    rsa = b'{"keys": [{"kty": "RSA", "kid": "r", "n": "AQAB", "e": "AQAB", "alg": "RS256"}, {"kty": "oct", "k": "c2VjcmV0"}]}'
    assert keys.parse(rsa) == {}
