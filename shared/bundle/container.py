"""A bundle as it lies on a disk: a zip or a folder, read piece by piece.

Nothing of it is believed before it is looked at: sizes are compared with their limits before anything is taken into memory,
names are those of the format and of nothing else, so that no path leaves the folder, and no link is followed.
"""

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice, zip_longest
from pathlib import Path
from typing import IO, Protocol, override

from shared.bundle.form import (
    LARGEST_ARCHIVE,
    LARGEST_LIST,
    LARGEST_WHOLE,
    LIST,
    LONGEST_LINE,
    MOST_FILES,
    NAME,
    BundledEvent,
    BundleList,
    event_of,
    limit_of,
    written_list,
)
from shared.proof.findings import Malformed
from shared.proof.tree import HASH

PACKED_ANEW = f"if it was packed anew, unpack it, take out what was added, and name the folder in which {LIST} is"
PIECE = 256 * 1024
DEEPEST = 4  # folders
END = struct.Struct("<4s6xHL6x")  # of an archive: how many files it lists, in how many bytes
LARGE_END = struct.Struct("<4s28xQQ8x")  # the same in front of it, where the archive is large: that is what counts then
WHERE_LARGE = struct.Struct("<4s4xQ4x")  # between the two, where that begins
LONGEST_END = 0xFFFF + END.size + WHERE_LARGE.size + LARGE_END.size  # bytes, with a remark behind them


class Files(Protocol):
    """Where the files of a bundle lie."""

    def sizes(self) -> Mapping[str, int]: ...

    def open(self, name: str) -> IO[bytes]: ...


class FolderFiles(Files):
    def __init__(self, path: Path) -> None:
        self._path = path

    @override
    def sizes(self) -> Mapping[str, int]:
        return dict(self._found(self._path, ""))

    @override
    def open(self, name: str) -> IO[bytes]:
        return os.fdopen(os.open(self._path / name, os.O_RDONLY | os.O_NOFOLLOW), "rb")

    def _found(self, folder: Path, prefix: str, depth: int = 0) -> Iterator[tuple[str, int]]:
        with os.scandir(folder) as scanned:
            entries = list(islice(scanned, MOST_FILES + 1))
        for entry in entries:
            name, status = f"{prefix}{entry.name}", entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode) and depth < DEEPEST:
                yield from self._found(folder / entry.name, f"{name}/", depth + 1)
            elif stat.S_ISREG(status.st_mode):
                yield name, status.st_size
            else:
                raise Malformed(f"{name!r} is no file of a bundle; {PACKED_ANEW}")


class ZipFiles(Files):
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    @override
    def sizes(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for entry in self._archive.infolist():
            if entry.filename in found or entry.flag_bits & 1 or entry.compress_type not in (0, zipfile.ZIP_DEFLATED):
                raise Malformed(f"{entry.filename!r} is there twice, encrypted, or packed in a way of its own")
            found[entry.filename] = entry.file_size
        return found

    @override
    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(name)


class Bundle:
    """Open, looked through and not damaged; what it says is still to be judged."""

    def __init__(self, files: Files) -> None:
        self._files = files
        sizes = files.sizes()
        if LIST not in sizes:
            raise Malformed(f"there is no {LIST} at its top: this is no bundle; {PACKED_ANEW}")
        require_limits(sizes)
        with files.open(LIST) as opened:
            self.list = BundleList.parse(opened.read(LARGEST_LIST + 1))
        if missing := self.list.files.keys() - sizes.keys():
            raise Malformed(f"{min(missing)} is missing")
        if more := sizes.keys() - self.list.files.keys() - {LIST}:
            raise Malformed(f"{min(more)} is not in {LIST}")
        self.list.require_whole()
        self.sizes = sizes

    def require_undamaged(self) -> None:
        """Hold each file against the list."""
        for name, digest in self.list.files.items():
            found = sha256()
            for piece in self.pieces(name):
                found.update(piece)
            if found.hexdigest() != digest:
                raise Malformed(f"{name} is not what {LIST} says: it was damaged, or changed")

    def pieces(self, name: str) -> Iterator[bytes]:
        """No more than was said beforehand."""
        left = self.sizes[name]
        with self._files.open(name) as opened:
            while piece := opened.read(PIECE):
                left -= len(piece)
                if left < 0:
                    raise Malformed(f"{name} is longer than its archive says")
                yield piece

    def content(self, name: str) -> bytes:
        return b"".join(self.pieces(name))

    def lines(self, name: str) -> Iterator[bytes]:
        """Each ends with a line feed, also the last."""
        rest = b""
        for piece in self.pieces(name):
            *whole, rest = (rest + piece).split(b"\n")
            yield from whole
            if len(rest) > LONGEST_LINE:
                raise Malformed(f"a line of {name} is longer than {LONGEST_LINE} bytes")
        if rest:
            raise Malformed(f"the last line of {name} is cut off")

    def hashes(self, name: str) -> Iterator[bytes]:
        rest = b""
        for piece in self.pieces(name):
            rest += piece
            whole = len(rest) // HASH * HASH
            yield from (rest[at : at + HASH] for at in range(0, whole, HASH))
            rest = rest[whole:]
        if rest:
            raise Malformed(f"{name} is no list of hashes")

    def events(self, service: str) -> Iterator[BundledEvent]:
        """In the order of the log."""
        parts = [self.lines(f"logs/{service}/{part}") for part in ("positions", "numbers", "records", "messages")]
        for position, number, record, message in zip_longest(*parts):
            if position is None or number is None or record is None or message is None:
                raise Malformed(f"positions, numbers, records and messages of {service} have not as many lines")
            with in_file(f"logs/{service}"):
                event = event_of(position, number, record, message)
            yield event


@contextmanager
def in_file(name: str) -> Generator[None]:
    """What cannot be read says where it stands."""
    try:
        yield
    except Malformed as error:
        raise Malformed(f"{name}: {error}") from None


def require_limits(sizes: Mapping[str, int]) -> None:
    if len(sizes) > MOST_FILES or sum(sizes.values()) > LARGEST_WHOLE:
        raise Malformed(f"a bundle has {MOST_FILES} files at most, of {LARGEST_WHOLE} bytes together")
    for name, size in sizes.items():
        if name != LIST and not NAME.fullmatch(name):
            raise Malformed(f"{name!r} is no file of a bundle; {PACKED_ANEW}")
        if size > limit_of(name):
            raise Malformed(f"{name} has {size} bytes, and {limit_of(name)} at most are read")


@contextmanager
def opened(path: Path) -> Generator[Bundle]:
    """A zip or a folder. Whatever cannot be read is `Malformed`."""
    try:
        if path.is_dir():
            yield Bundle(FolderFiles(path))
        else:
            with path.open("rb") as file:
                require_small_directory(file)
                with zipfile.ZipFile(file) as archive:
                    yield Bundle(ZipFiles(archive))
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error) as error:
        raise Malformed(f"{path} cannot be read: {error}") from None


def require_small_directory(file: IO[bytes]) -> None:
    """The list of an archive is read whole by whoever opens it: how long it is stands at its end."""
    size = file.seek(0, os.SEEK_END)
    if size > LARGEST_ARCHIVE:
        raise Malformed(f"the archive has more than {LARGEST_ARCHIVE} bytes: unpack it, and name the folder")
    begins = max(0, size - LONGEST_END)
    file.seek(begins)
    end = file.read()
    at = end.rfind(b"PK\x05\x06")
    if at < 0 or len(end) - at < END.size:
        raise Malformed("this is neither a folder nor a whole zip: it may have been cut off, so fetch it once more")
    _, count, length = END.unpack_from(end, at)
    if end[max(0, at - WHERE_LARGE.size) : at].startswith(b"PK\x06\x07"):
        large = at - WHERE_LARGE.size - LARGE_END.size
        _, where = WHERE_LARGE.unpack_from(end, at - WHERE_LARGE.size)
        if large < 0 or where != begins + large or not end.startswith(b"PK\x06\x06", large):
            raise Malformed("the archive does not say where its end is: unpack it, and name the folder")
        _, count, length = LARGE_END.unpack_from(end, large)
    if count > MOST_FILES or length > LARGEST_LIST:
        raise Malformed("the archive lists too many files: unpack it, and name the folder")
    file.seek(0)


# Writing


class BundleWriter:
    """Puts files into a zip, one after the other and piece by piece, also one that goes straight to whoever asks for it."""

    def __init__(self, archive: zipfile.ZipFile, *, tournament: str, program: str) -> None:
        self._archive = archive
        self._tournament = tournament
        self._program = program
        self._written: dict[str, str] = {}

    @contextmanager
    def file(self, name: str) -> Generator["BundleFile"]:
        if not NAME.fullmatch(name) or name in self._written:
            raise ValueError(f"{name!r} is no file of a bundle, or is written twice")
        with self._archive.open(entry(name), "w") as opened:
            written = BundleFile(opened)
            yield written
        self._written[name] = written.digest

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        with self.file(name) as opened:
            for piece in pieces:
                opened.write(piece)

    def has(self, name: str) -> bool:
        return name in self._written

    def finish(self) -> None:
        """The list comes last, since it says the hash of each file."""
        self._archive.writestr(entry(LIST), written_list(self._tournament, self._program, self._written))


class BundleFile:
    """A file that is being written, and the hash of what was."""

    def __init__(self, opened: IO[bytes]) -> None:
        self._opened = opened
        self._hash = sha256()

    def write(self, piece: bytes) -> None:
        self._hash.update(piece)
        self._opened.write(piece)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def entry(name: str) -> zipfile.ZipInfo:
    """Always of the same day, so that the same content is the same archive."""
    found = zipfile.ZipInfo(name)
    found.compress_type = zipfile.ZIP_DEFLATED
    found.external_attr = 0o644 << 16
    return found
