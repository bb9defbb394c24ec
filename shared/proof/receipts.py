"""Proofs that travel: one leaf under a checkpoint (C2SP tlog-proof), and what a witness is asked to sign (C2SP tlog-witness).

Both are a first line or two, the hashes of a proof in lines of base64, an empty line, and a checkpoint with its signatures.
"""

import re
from collections.abc import Iterable, Sequence

from shared.proof.findings import Malformed
from shared.proof.keys import VerifierKey, base64, unbase64
from shared.proof.notes import SIZE, SignedCheckpoint, open_checkpoint
from shared.proof.tree import HASH, verify_inclusion
from shared.values import Value

FORMAT = "c2sp.org/tlog-proof@v1"
MOST_HASHES = 63  # of a proof
LONGEST = 1_100_000  # bytes, of which nearly all may be the note
EXTRA = re.compile(r"extra (\S+)")


class Receipt(Value):
    """That a leaf stands in a log at this index. It can be kept by whoever it concerns, and checked without asking anybody."""

    index: int
    proof: tuple[bytes, ...]
    checkpoint: bytes  # with its signatures

    def __bytes__(self) -> bytes:
        return written([FORMAT, f"index {self.index}"], self.proof, self.checkpoint)

    @classmethod
    def parse(cls, content: bytes) -> "Receipt":
        """What others add for themselves, as `extra`, is passed over: nothing proves it."""
        (first, *more), proof, checkpoint = parted(content, 3 if b"\nextra " in content[:100] else 2)
        if first != FORMAT or (len(more) > 1 and not EXTRA.fullmatch(more[0])):
            raise Malformed(f"a receipt begins with {FORMAT}, and says the index")
        return cls(index=number(more[-1], "index"), proof=proof, checkpoint=checkpoint)

    def verify(self, leaf: bytes, keys: Iterable[VerifierKey]) -> SignedCheckpoint:
        """`leaf` is the leaf's hash, as `leaves` makes it of a record and its message."""
        signed = open_checkpoint(self.checkpoint, keys)
        size, root = signed.checkpoint.size, signed.checkpoint.root
        verify_inclusion(leaf=leaf, index=self.index, size=size, proof=self.proof, root=root)
        return signed


class WitnessRequest(Value):
    """That a log has grown from the size that the witness knows, and that nothing older has changed."""

    old: int
    proof: tuple[bytes, ...]
    checkpoint: bytes

    def __bytes__(self) -> bytes:
        return written([f"old {self.old}"], self.proof, self.checkpoint)

    @classmethod
    def parse(cls, content: bytes) -> "WitnessRequest":
        (first,), proof, checkpoint = parted(content, 1)
        return cls(old=number(first, "old"), proof=proof, checkpoint=checkpoint)


def written(first: Sequence[str], proof: Sequence[bytes], checkpoint: bytes) -> bytes:
    return "".join(f"{line}\n" for line in (*first, *map(base64, proof), "")).encode() + checkpoint


def parted(content: bytes, first: int) -> tuple[list[str], tuple[bytes, ...], bytes]:
    """Its first lines, the proof below them, and the checkpoint behind the first empty line."""
    above, blank, checkpoint = content.partition(b"\n\n")
    if not blank or len(content) > LONGEST:
        raise Malformed("there is no checkpoint behind an empty line")
    try:
        lines = above.decode("ascii").split("\n")
    except UnicodeDecodeError:
        raise Malformed("lines of a proof are base64") from None
    if not first <= len(lines) <= first + MOST_HASHES:
        raise Malformed(f"a proof has {MOST_HASHES} hashes at most, behind what it proves")
    proof = tuple(map(unbase64, lines[first:]))
    if any(len(one) != HASH for one in proof):
        raise Malformed(f"a hash has {HASH} bytes")
    return lines[:first], proof, checkpoint


def number(line: str, name: str) -> int:
    word, _, size = line.partition(" ")
    if word != name or not SIZE.fullmatch(size):
        raise Malformed(f"a line says {name!r} and a number")
    return int(size)
