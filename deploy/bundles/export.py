"""`roundlog export`: the bundle of a tournament on this platform, put together from the part of each service."""

import tempfile
import zipfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path

import httpx
import msgspec

from deploy import SERVICES
from deploy.local import ports
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.running import base_port_of
from deploy.tokens import OPERATOR, signed
from shared.bundle.checks import SayProgress
from shared.bundle.container import Bundle, BundleWriter, opened
from shared.bundle.part import PROGRAM
from shared.proof.findings import Malformed

PATIENCE = 120.0  # seconds without a byte
HOURS = 1.0
MEGABYTE = 1_000_000


def exported(folder: Folder, tournament: str, output: Path, say: SayProgress, *, is_opened: bool = False) -> None:
    """Writes it beside its place and moves it there when it is whole."""
    base = base_port_of(folder)
    token = signed(folder.path / "keys", OPERATOR, hours=HOURS)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.") as room, ExitStack() as stack:
        parts: list[Bundle] = []
        for service in reversed(SERVICES):  # whatever rests on something before what it rests on
            path = Path(room) / f"{service}.zip"
            url = f"http://127.0.0.1:{ports.of(service, base)}/v1/tournaments/{tournament}/bundle{'?opened=true' if is_opened else ''}"
            if fetched(url, token, path, service, say):
                parts.append(stack.enter_context(readable(path, service)))
        if not parts:
            raise CannotRun(f"No service knows the tournament {tournament}: look at its id.")
        whole = Path(room) / "whole.zip"
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = BundleWriter(archive, tournament=tournament, program=PROGRAM)
            for part in parts:
                join(writer, part, say)
            writer.finish()
        whole.replace(output)


def join(writer: BundleWriter, part: Bundle, say: SayProgress) -> None:
    for name in part.list.files:
        if not writer.has(name):
            say(name)
            writer.add(name, part.pieces(name))


def fetched(url: str, token: str, path: Path, service: str, say: SayProgress) -> bool:
    """Whether there is something: a tournament that nobody has paired yet is known to registration alone."""
    try:
        with (
            httpx.stream("GET", url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as answer,
            path.open("wb") as file,
        ):
            if answer.status_code == HTTPStatus.NOT_FOUND:
                return False
            if answer.status_code != HTTPStatus.OK:
                answer.read()
                raise CannotRun(f"{service} gives no bundle: {answer.text}")
            received = 0
            for piece in answer.iter_bytes():
                file.write(piece)
                received += len(piece)
                say(f"{service}: {received / MEGABYTE:.1f} MB")
    except httpx.TransportError as error:
        raise CannotRun(f"{service} does not answer: {error}. Look at it with `roundlog status`.") from None
    return True


@contextmanager
def readable(path: Path, service: str) -> Generator[Bundle]:
    try:
        with opened(path) as part:
            yield part
    except Malformed as malformed:
        raise CannotRun(f"What {service} has sent cannot be read: {malformed}") from None


def names_of(content: bytes, tournament: str) -> bytes:
    """Who is who, out of the file of a tournament: beside the bundle, never in it."""
    file = msgspec.json.decode(content)
    names = {one["id"]: one["name"] for one in file["entrants"] if one.get("name")}
    return msgspec.json.format(msgspec.json.encode({"tournament": tournament, "names": names}), indent=1) + b"\n"
