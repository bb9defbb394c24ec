"""`roundlog export`: the bundle of a tournament on this platform, put together from the part of each service."""

import os
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
from deploy.local.errors import CannotRun, NoSuchTournament
from deploy.local.folder import Folder
from deploy.running import running
from deploy.tokens import OPERATOR, signed
from deploy.tournament_file import refusal, require_id, tournament_file
from shared.bundle.checks import SayProgress
from shared.bundle.container import Bundle, BundleWriter, opened
from shared.bundle.part import PROGRAM
from shared.proof.findings import Malformed

PATIENCE = 120.0  # seconds without a byte
HOURS = 1.0
MEGABYTE = 1_000_000


def exported(
    folder: Folder,
    tournament: str,
    output: Path,
    say: SayProgress,
    *,
    names: Path | None = None,
    is_opened: bool = False,
) -> None:
    """Writes it, and who is who where that has a place, beside their places, and moves both there when they are whole."""
    require_id(tournament)
    for place in filter(None, (output, names)):
        require_writable(place)
    _, base = running(folder)
    token = signed(folder.path / "keys", OPERATOR, hours=HOURS)
    with ExitStack() as stack:
        room = stack.enter_context(room_beside(output))
        parts: list[Bundle] = []
        for service in reversed(SERVICES):  # whatever rests on something before what it rests on
            path = room / f"{service}.zip"
            url = f"http://127.0.0.1:{ports.of(service, base)}/v1/tournaments/{tournament}/bundle{'?opened=true' if is_opened else ''}"
            if fetched(url, token, path, service, say):
                parts.append(stack.enter_context(readable(path, service)))
        if not parts:
            raise NoSuchTournament(f"No service knows the tournament {tournament}: look at its id.")
        who = None if names is None else names_in(folder, tournament)
        whole = room / "whole.zip"
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = BundleWriter(archive, tournament=tournament, program=PROGRAM)
            for part in parts:
                join(writer, part, say)
            writer.finish()
        if names is not None and who is not None:
            named = stack.enter_context(room_beside(names)) / "names.json"
            named.write_bytes(who)
            named.replace(names)
        whole.replace(output)


def require_writable(place: Path) -> None:
    """Before anything is asked or written: a long export is not lost at its end."""
    if place.is_dir():
        raise CannotRun(f"{place} is a folder: name a file in it.")
    if not place.parent.is_dir():
        raise CannotRun(f"{place} cannot be written, since there is no folder {place.parent}: make it first.")
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise CannotRun(
            f"{place} cannot be written, since nothing may be put into {place.parent}: name another folder."
        )


@contextmanager
def room_beside(place: Path) -> Generator[Path]:
    """A folder that is gone afterwards, from which a file is moved to its place at once."""
    try:
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.") as room:
            yield Path(room)
    except OSError as refused:
        raise CannotRun(f"{place} cannot be written: {refused.strerror or refused}.") from refused


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
                raise refusal(service, answer)
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


def names_in(folder: Folder, tournament: str) -> bytes:
    file = tournament_file(folder, tournament, None)
    if file.status == HTTPStatus.NOT_FOUND:
        raise NoSuchTournament("Names are told once the tournament has started: leave --names out until then.")
    if file.exit_status:
        raise CannotRun(f"pairing tells no names: {file.content.decode()}")
    return names_of(file.content, tournament)


def names_of(content: bytes, tournament: str) -> bytes:
    """Who is who, out of the file of a tournament: beside the bundle, never in it."""
    file = msgspec.json.decode(content)
    names = {one["id"]: one["name"] for one in file["entrants"] if one.get("name")}
    return msgspec.json.format(msgspec.json.encode({"tournament": tournament, "names": names}), indent=1) + b"\n"
