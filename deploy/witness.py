"""A witness: it remembers the last checkpoint that it has signed of each log, demands that the next one continues it, and
signs that (C2SP tlog-witness). Whoever trusts it knows that nobody was shown another history since.

Its folder holds

    key       its name, and the seed of its key
    logs      the keys of the logs that it signs for, one a line; read anew with each request
    signed/   the last checkpoint of each log, written to disk before it is answered
    refused/  what was to be signed and did not continue the last one: the evidence that there are two histories
"""

import fcntl
import logging
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from secrets import token_bytes

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from deploy.local.errors import CannotRun
from shared import files
from shared.clock import now
from shared.proof.continuity import (
    AnotherSize,
    NotContinued,
    NotTheLogs,
    OriginUnknown,
    asked,
    cosigned,
    require_continued,
)
from shared.proof.findings import Malformed, ProofFailure
from shared.proof.keys import KEY, KeyKind, Signer, VerifierKey
from shared.proof.notes import Checkpoint, Note
from shared.proof.receipts import LONGEST

PLAIN, OF_SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"

logger = logging.getLogger(__name__)


class WitnessFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def held(self) -> Generator[None]:
        """By one process: two witnesses on one folder could sign two histories."""
        with (self.path / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CannotRun(f"A witness runs on {self.path} already.") from None
            yield

    def open_up(self, name: str | None, logs: Iterable[str]) -> Signer:
        """Its key, made at the first start, and the logs told now besides those told before."""
        key = self.path / "key"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not key.exists():
                if name is None:
                    raise CannotRun("Say how the witness is called, once: --name club.example/witness")
                Signer(name=name, kind=KeyKind.WITNESS, seed=bytes(KEY))  # or its name cannot be one
                files.write(key, f"{name}\n{b64encode(token_bytes(KEY)).decode()}\n")
            called, seed = key.read_text(encoding="utf-8").split()
            if name not in (None, called):
                raise CannotRun(
                    f"The witness in {self.path} is called {called}: another one needs a folder of its own."
                )
            known = dict.fromkeys([*self._lines(), *(VerifierKey.parse(vkey).vkey for vkey in logs)])
            files.write(self.path / "logs", "".join(f"{vkey}\n" for vkey in known))
            self.logs()
            return Signer(name=called, kind=KeyKind.WITNESS, seed=b64decode(seed, validate=True))
        except (ProofFailure, ValueError) as unusable:
            raise CannotRun(f"{self.path}: {unusable}") from unusable
        except OSError as refused:
            raise CannotRun(f"{self.path} cannot be used ({refused.strerror}): name a folder of your own.") from refused

    def _lines(self) -> list[str]:
        logs = self.path / "logs"
        return logs.read_text(encoding="utf-8").split() if logs.exists() else []

    def logs(self) -> dict[str, list[VerifierKey]]:
        found = defaultdict[str, list[VerifierKey]](list)
        for vkey in self._lines():
            key = VerifierKey.parse(vkey)
            if key.kind is not KeyKind.LOG:
                raise Malformed(f"{key.name} is not the key of a log")
            found[key.name].append(key)
        return found

    def last(self, origin: str) -> bytes | None:
        kept = self._signed(origin)
        return kept.read_bytes() if kept.exists() else None

    def keep(self, origin: str, note: bytes) -> None:
        self._signed(origin).parent.mkdir(mode=0o700, exist_ok=True)
        files.write(self._signed(origin), note)

    def keep_refused(self, request: bytes) -> Path:
        place = self.path / "refused" / sha256(request).hexdigest()
        place.parent.mkdir(mode=0o700, exist_ok=True)
        files.write(place, request)
        return place

    def _signed(self, origin: str) -> Path:
        return self.path / "signed" / sha256(origin.encode()).hexdigest()


class Witness:
    """One request at a time, from the look at what was signed last to the answer."""

    def __init__(self, folder: WitnessFolder, signer: Signer) -> None:
        self._folder = folder
        self._signer = signer

    def add_checkpoint(self, content: bytes) -> Response:
        try:
            request, signed = asked(content, self._folder.logs())
            origin = signed.checkpoint.origin
            known = self._folder.last(origin)
            last = Checkpoint.parse(Note.parse(known).text) if known else None
            require_continued(last, signed.checkpoint, old=request.old, proof=request.proof)
        except Malformed as malformed:
            return refused(HTTPStatus.BAD_REQUEST, malformed)
        except OriginUnknown as unknown:
            return refused(HTTPStatus.NOT_FOUND, unknown)
        except NotTheLogs as stranger:
            return refused(HTTPStatus.FORBIDDEN, stranger)
        except AnotherSize as other:
            return Response(f"{other.size}\n", HTTPStatus.CONFLICT, headers={"Content-Type": OF_SIZE})
        except NotContinued as anew:
            evidence = self._folder.keep_refused(content)
            logger.critical("a log shows two histories: %s, and %s", anew, evidence)
            return refused(HTTPStatus.UNPROCESSABLE_ENTITY, anew)
        line = cosigned(signed, self._signer, at=int(now().timestamp()))
        note = Note(text=signed.note.text, signatures=(*signed.note.signatures, line))
        self._folder.keep(origin, bytes(note))
        return Response(str(line), media_type=PLAIN)

    def newest(self, origin: str) -> bytes | None:
        """By the hash of an origin, in hexadecimal."""
        found = [name for name in self._folder.logs() if sha256(name.encode()).hexdigest() == origin]
        return self._folder.last(found[0]) if found else None


def refused(status: HTTPStatus, why: Exception) -> Response:
    return Response(f"{why}\n", status, media_type=PLAIN)


def application(witness: Witness) -> Starlette:
    async def add_checkpoint(request: Request) -> Response:
        content = b""
        async for chunk in request.stream():
            content += chunk
            if len(content) > LONGEST:
                return Response(status_code=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return witness.add_checkpoint(content)

    async def newest(request: Request) -> Response:
        found = witness.newest(request.path_params["origin"])
        return Response(found, media_type=PLAIN) if found else Response(status_code=HTTPStatus.NOT_FOUND)

    return Starlette(
        routes=[
            Route("/add-checkpoint", add_checkpoint, methods=["POST"]),
            Route("/{origin}/checkpoint", newest, methods=["GET"]),
        ]
    )


def run(folder: WitnessFolder, signer: Signer, *, host: str, port: int) -> None:
    import uvicorn  # noqa: PLC0415 - tests ask the application itself

    with folder.held():
        app = application(Witness(folder, signer))
        uvicorn.run(app, host=host, port=port, log_level="warning", limit_concurrency=100, timeout_keep_alive=75)
