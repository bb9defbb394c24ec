"""`roundlog export` and `roundlog story`: what they refuse, by which exit code, and that nothing half-written stays."""

import json
import zipfile
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from deploy import SERVICES, tokens
from deploy.cli import main
from deploy.local import ports, state
from deploy.local.folder import Folder
from deploy.local.state import RunState
from shared.bundle.container import BundleWriter
from shared.bundle.form import OF_A_LOG
from tests.integration.launching import free_base

CUP, DRAFT, NOBODY = "cup", "draft", "nosuch"
ENTRANTS = {"entrants": [{"id": "e1", "name": "Ada"}, {"id": "e2"}]}
HAPPENED: Mapping[str, object] = {
    **dict.fromkeys(("role", "operation", "mark", "instead_of", "stage", "round", "table", "game", "reason", "clause")),
    **dict.fromkeys(("entrants", "words"), ()),
    "said": {},
    "before": {},
    "position": 1,
    "at": "2026-11-21T09:00:00Z",
    "actor": "7be2d013",
    "kind": "tournament",
    "what": "TournamentAnnounced",
    "says": "It was announced.",
}


def part_of(tournament: str) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        writer = BundleWriter(archive, tournament=tournament, program="fake")
        for name in OF_A_LOG:
            writer.add(f"logs/registration/{name}", [b"unread"])
        writer.finish()
    return written.getvalue()


def story_of(*items: Mapping[str, object]) -> bytes:
    return json.dumps({"items": items, "names": {}, "next": None}).encode()


def answers(service: str) -> Mapping[str, bytes]:
    """Two tournaments are announced, one of them has started."""
    known = {f"/v1/tournaments/{one}/story": story_of() for one in (NOBODY, CUP)}
    if service == "registration":
        known |= {f"/v1/tournaments/{one}/bundle": part_of(one) for one in (CUP, DRAFT)}
        known |= {f"/v1/tournaments/{CUP}/story": story_of(HAPPENED)}
    if service == "pairing":
        known |= {f"/v1/tournaments/{CUP}/file": json.dumps(ENTRANTS).encode()}
    return known


@contextmanager
def answering(service: str, port: int) -> Generator[None]:
    known = answers(service)

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, query = urlsplit(self.path)[2:4]
            found = story_of() if "kind=" in query else known.get(path)
            self.send_response(HTTPStatus.NOT_FOUND if found is None else HTTPStatus.OK)
            self.end_headers()
            self.wfile.write(found or b'{"title": "No such tournament"}')

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - it is called so
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", port), Answer) as server:
        serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield
        finally:
            server.shutdown()
            serving.join()


@pytest.fixture
def platform(tmp_path: Path) -> Generator[Folder]:
    """A folder on which something runs that answers as services do."""
    folder, base = Folder(path=tmp_path / "data"), free_base()
    folder.path.mkdir()
    tokens.write_key(folder.path / "keys")
    state.write(folder.state, RunState(phase="ready", base_port=base, launcher=state.myself("launcher")))
    with ExitStack() as stack:
        for service in SERVICES:
            stack.enter_context(answering(service, ports.of(service, base)))
        yield folder


def ran(folder: Folder, *words: str | Path) -> Result:
    done = CliRunner().invoke(main, [str(word) for word in (*words, "--data", folder.path)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.mark.parametrize("words", [("-o", "missing/x.zip"), ("-o", "x.zip", "--names", "missing/n.json")])
def test_a_place_that_cannot_be_written_is_named_before_anything_is_written(
    platform: Folder, tmp_path: Path, words: tuple[str, ...]
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    done = ran(platform, "export", CUP, *(word if word[0] == "-" else room / word for word in words))
    assert done.exit_code == 1
    assert f"there is no folder {room / 'missing'}: make it first." in done.output
    assert list(room.iterdir()) == []


def test_a_bundle_and_its_names_have_two_places(platform: Folder, tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    assert ran(platform, "export", CUP, "-o", room / "x", "--names", room / "x").exit_code == 2
    assert ran(platform, "export", CUP, "-o", room / "x", "--names", room).exit_code == 2
    done = ran(platform, "export", CUP, "-o", room / "x.zip", "--names", room / "n.json")
    assert (done.exit_code, sorted(one.name for one in room.iterdir())) == (0, ["n.json", "x.zip"])
    assert json.loads((room / "n.json").read_bytes())["names"] == {"e1": "Ada"}


@pytest.mark.parametrize("form", [(), ("--names", "n.json"), ("--file",)])
@pytest.mark.parametrize("tournament", [NOBODY, "no id"])
def test_a_tournament_that_nobody_knows_ends_with_2_in_every_form(
    platform: Folder, tmp_path: Path, form: tuple[str, ...], tournament: str
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    words = [room / word if word[0] != "-" else word for word in ("-o", "x.zip", *form)]
    done = ran(platform, "export", tournament, *words)
    assert done.exit_code == 2
    assert done.output
    assert list(room.iterdir()) == []


def test_before_the_start_there_is_a_bundle_and_neither_names_nor_a_file(platform: Folder, tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    named = ran(platform, "export", DRAFT, "-o", room / "x.zip", "--names", room / "n.json")
    assert (named.exit_code, list(room.iterdir())) == (2, [])
    assert "Names are told once the tournament has started" in named.output
    assert ran(platform, "export", DRAFT, "--file").exit_code == 2
    done = ran(platform, "export", DRAFT, "-o", room / "x.zip")
    assert (done.exit_code, [one.name for one in room.iterdir()]) == (0, ["x.zip"])


@pytest.mark.parametrize("words", [(NOBODY,), (NOBODY, "--kind", "game"), ("no id",)])
def test_no_story_is_told_of_a_tournament_that_nobody_knows(platform: Folder, words: tuple[str, ...]) -> None:
    done = ran(platform, "story", *words)
    assert done.exit_code == 2
    assert words[0] in done.output


def test_of_a_tournament_that_is_known_there_may_be_nothing_to_tell(platform: Folder) -> None:
    told = ran(platform, "story", CUP)
    assert told.exit_code == 0
    assert "It was announced." in told.output
    filtered = ran(platform, "story", CUP, "--kind", "game")
    assert (filtered.exit_code, filtered.output) == (0, "")
