"""What a bundle consists of: names of files, the list of them, and lines that say what stands at a position of a log.

docs/bundle-format.md is the whole of it in words.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any

import msgspec

from shared.proof.findings import Malformed
from shared.proof.tree import leaf_hash
from shared.values import UNREADABLE, Value

FORMAT = "roundlog.bundle/1"
LIST = "bundle.json"

LARGEST_ARCHIVE = 4 * 2**30 - 1  # bytes: what is larger is laid out as a folder
LARGEST_WHOLE = 64 * 2**30  # bytes of all files together
LARGEST_LIST = 64 * 2**20
LARGEST_NOTE = 1_000_000
LARGEST_PROOF = 64 * 32
LARGEST_TABLE = 64 * 2**20
LONGEST_LINE = 16 * 2**20
MOST_FILES = 200_000
MOST_LEAVES = 20_000_000

HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
HEX_LINE = re.compile(rb"[0-9a-f]{64}")
NUMBER = re.compile(rb"[1-9][0-9]{0,17}")
NAME = re.compile(
    r"logs/[a-z][a-z0-9-]{0,31}/(?:checkpoint|positions|numbers|records|messages|inclusion|leaves|checkpoints/[1-9][0-9]{0,17}(?:\.proof)?)"
    r"|(?:tables|contents|opened)/[0-9a-f]{64}",
    re.ASCII,
)
OF_A_LOG = ("checkpoint", "positions", "numbers", "records", "messages", "inclusion")


class BundleList(Value):
    """`bundle.json`. Nothing signs it: it says what a reader is to find, and notices damage."""

    format: str
    tournament: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z-]{1,64}$")]
    program: Annotated[str, msgspec.Meta(max_length=200)]
    files: dict[str, str]

    @classmethod
    def parse(cls, content: bytes) -> "BundleList":
        try:
            found = msgspec.json.decode(content, type=cls)
            require_unambiguous(content)
        except UNREADABLE as error:
            raise Malformed(f"{LIST} cannot be read: {error}") from None
        if found.format != FORMAT:
            raise Malformed(f"{LIST} has the format {found.format!r}, and this program reads {FORMAT}")
        for name, digest in found.files.items():
            if not NAME.fullmatch(name) or not HEX.fullmatch(digest):
                raise Malformed(f"{name!r} is no file of a bundle")
        return found

    @property
    def services(self) -> list[str]:
        return sorted({name.split("/")[1] for name in self.files if name.startswith("logs/")})

    def earlier(self, service: str) -> list[int]:
        """The sizes at which this log was signed before, as far as they are here."""
        prefix = f"logs/{service}/checkpoints/"
        names = (name.removeprefix(prefix) for name in self.files if name.startswith(prefix))
        return sorted(int(name) for name in names if not name.endswith(".proof"))

    def named(self, folder: str) -> list[str]:
        """The hashes by which the files of a folder are named."""
        return sorted(name.removeprefix(f"{folder}/") for name in self.files if name.startswith(f"{folder}/"))

    def require_whole(self) -> None:
        """Each log with all that it takes."""
        if not self.services:
            raise Malformed("there is no log in the bundle")
        for service in self.services:
            for part in OF_A_LOG:
                if f"logs/{service}/{part}" not in self.files:
                    raise Malformed(f"logs/{service}/{part} is missing")
            for size in self.earlier(service):
                if f"logs/{service}/checkpoints/{size}.proof" not in self.files:
                    raise Malformed(f"logs/{service}/checkpoints/{size}.proof is missing")
        for name in self.files:
            if name.endswith(".proof") and name.removesuffix(".proof") not in self.files:
                raise Malformed(f"{name} proves a checkpoint that is not here")


class BundledEvent(Value):
    """What stands at a position, or the hashes of it where it is not shown."""

    position: int
    number: int | None  # the public number, as the service says it
    record: bytes | None
    message: bytes | None
    entry: bytes

    @property
    def leaf(self) -> bytes:
        return leaf_hash(self.entry)

    @property
    def has_message(self) -> bool:
        return self.entry[32:] != NOTHING

    @property
    def said(self) -> str | None:
        """The hash of the message, as the record says it."""
        return self.entry[32:].hex() if self.has_message else None


NOTHING = sha256(b"").digest()


def require_unambiguous(written: bytes) -> None:
    """Whoever reads the first value of a name may not read something else than whoever reads the last."""
    try:
        json.loads(written, object_pairs_hook=once)
    except ValueError as error:
        raise Malformed(str(error)) from None


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def event_of(position: bytes, number: bytes, record: bytes, message: bytes) -> BundledEvent:
    """Four lines, without their line feeds."""
    if not NUMBER.fullmatch(position) or (number and not NUMBER.fullmatch(number)):
        raise Malformed(f"{position!r} {number!r} are no position and public number")
    shown, said = record[:1] == b"{", message[:1] == b"{"
    if not (shown or HEX_LINE.fullmatch(record)) or not (said or not message or HEX_LINE.fullmatch(message)):
        raise Malformed(f"at position {int(position)} is neither a record nor the hash of one")
    first = sha256(record).digest() if shown else bytes.fromhex(record.decode())
    second = sha256(message).digest() if said or not message else bytes.fromhex(message.decode())
    if message and second == NOTHING:
        raise Malformed(f"at position {int(position)} the hash of nothing is written as a message")
    return BundledEvent(
        position=int(position),
        number=int(number) if number else None,
        record=record if shown else None,
        message=message if said else None,
        entry=first + second,
    )


def limit_of(name: str) -> int:
    """How large a file may be, by its name."""
    if name == LIST:
        return LARGEST_LIST
    folder, *_, last = name.split("/")
    if last == "checkpoint" or (folder == "logs" and last.isdigit()):
        return LARGEST_NOTE
    if last.endswith(".proof"):
        return LARGEST_PROOF
    if last in ("positions", "numbers"):
        return MOST_LEAVES * 20
    if last == "leaves":
        return MOST_LEAVES * 32
    if last == "inclusion":
        return MOST_LEAVES * 64 * 32
    return LARGEST_WHOLE if folder == "logs" else LARGEST_TABLE


def written_list(tournament: str, program: str, files: Mapping[str, str]) -> bytes:
    listed = BundleList(format=FORMAT, tournament=tournament, program=program, files=dict(sorted(files.items())))
    return msgspec.json.format(msgspec.json.encode(listed), indent=1) + b"\n"
