"""Signed notes (C2SP signed-note) and the one note that matters here: the checkpoint of a log (C2SP tlog-checkpoint).

A note is a text, an empty line, and a line for each signature. Lines of keys that nobody has named are passed over, since
every reader trusts others; what a named key did not sign is refused, with all the rest of the note.
"""

import re
from collections.abc import Iterable, Mapping

from shared.proof.findings import Malformed, Refuted
from shared.proof.keys import BASE64, NAME, KeyKind, Signer, VerifierKey, base64, unbase64
from shared.proof.tree import HASH
from shared.values import Value

LONGEST, MOST_SIGNATURES = 1_000_000, 100  # bytes, and lines
STRANGE = "somebody else wrote it, or the policy, or other keys that are believed, has none of its log"
SIGNATURE = re.compile(rf"— ({NAME}) ({BASE64})")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
SIZE = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)
ID = 4  # bytes in front of a signature
LINES = 3  # of a checkpoint


class Signature(Value):
    """A line below a note: who is said to have signed it."""

    name: str
    id: bytes
    value: bytes

    def __str__(self) -> str:
        return f"— {self.name} {base64(self.id + self.value)}\n"

    @classmethod
    def parse(cls, line: str) -> "Signature":
        found = SIGNATURE.fullmatch(line)
        value = unbase64(found[2]) if found else b""
        if not found or len(value) <= ID:
            raise Malformed("a line below the note is no signature")
        return cls(name=found[1], id=value[:ID], value=value[ID:])


class Note(Value):
    text: str
    signatures: tuple[Signature, ...]

    def __bytes__(self) -> bytes:
        return f"{self.text}\n{''.join(map(str, self.signatures))}".encode()

    @classmethod
    def parse(cls, content: bytes) -> "Note":
        if len(content) > LONGEST:
            raise Malformed(f"a note has {LONGEST} bytes at most")
        try:
            whole = content.decode()
        except UnicodeDecodeError:
            raise Malformed("a note is written in UTF-8") from None
        text, blank, below = whole.rpartition("\n\n")
        if not blank or not below.endswith("\n") or CONTROL.search(whole):
            raise Malformed("this is no note: a text, an empty line, signatures; each line ends with a line feed")
        lines = below[:-1].split("\n")
        if len(lines) > MOST_SIGNATURES:
            raise Malformed(f"a note has {MOST_SIGNATURES} signatures at most")
        return cls(text=f"{text}\n", signatures=tuple(map(Signature.parse, lines)))

    def signers(self, keys: Iterable[VerifierKey]) -> Mapping[VerifierKey, int | None]:
        """Who of these has signed it, and when, if a witness. Who has signed it twice counts once, from the first time."""
        known = {(key.name, key.id): key for key in keys}
        found = dict[VerifierKey, int | None]()
        for line in self.signatures:
            if key := known.get((line.name, line.id)):
                at, former = key.verify(self.text, line.value), found.get(key)
                found[key] = at if at is None or former is None else min(at, former)
        if not found:
            raise Refuted(f"nobody who is known has signed this: {STRANGE}")
        return found

    def signed_by(self, *signers: Signer, at: int | None = None) -> "Note":
        """The same note with one more signature of each: of logs, or of witnesses at a time."""
        new = (Signature(name=s.key.name, id=s.key.id, value=s.sign(self.text, at=at)) for s in signers)
        return Note(text=self.text, signatures=(*self.signatures, *new))


class Checkpoint(Value):
    """What a log says of itself: so many leaves it has, and this root stands over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64(self.root)}\n"

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """Logs of Roundlog add no line to these three. Those of others are passed over, as their format has it."""
        lines = text.removesuffix("\n").split("\n")
        if not text.endswith("\n") or len(lines) < LINES or not all(lines) or not SIZE.fullmatch(lines[1]):
            raise Malformed("this is no checkpoint: origin, size and root, a line each")
        origin, size, root, *_ = lines
        if len(unbase64(root)) != HASH:
            raise Malformed(f"a root has {HASH} bytes")
        return cls(origin=origin, size=int(size), root=unbase64(root))


class SignedCheckpoint(Value):
    checkpoint: Checkpoint
    note: Note
    signers: Mapping[VerifierKey, int | None]

    @property
    def witnesses(self) -> Mapping[bytes, int]:
        """When each key of a witness first saw it. By keys and not by names: one key under two names is one witness."""
        found = dict[bytes, int]()
        for key, at in self.signers.items():
            if at is not None:
                found[key.public] = min(at, found.get(key.public, at))
        return found


def open_checkpoint(content: bytes, keys: Iterable[VerifierKey]) -> SignedCheckpoint:
    """A checkpoint that its own log has signed: by a key of a log that is named like its origin."""
    note = Note.parse(content)
    checkpoint, signers = Checkpoint.parse(note.text), note.signers(keys)
    if not any(key.kind is KeyKind.LOG and key.name == checkpoint.origin for key in signers):
        raise Refuted(f"{checkpoint.origin} itself did not sign this: {STRANGE}")
    return SignedCheckpoint(checkpoint=checkpoint, note=note, signers=signers)
