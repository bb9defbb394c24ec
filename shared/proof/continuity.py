"""One log, one history: what a signer and a witness ask before they sign a checkpoint.

Both remember the last one that they signed. The next has to continue it, by a proof, or it is another history; whoever would
sign both makes it possible to show each of two people their own.

    NotTheLogs       403: the log did not sign it
    OriginUnknown    404: nobody has told the witness of this log
    AnotherSize      409: the proof begins at a size other than the one that was signed last
    NotContinued     422: the history was made anew
"""

from collections.abc import Iterable, Mapping, Sequence

from shared.proof.findings import Malformed, Refuted
from shared.proof.keys import Signer, VerifierKey
from shared.proof.notes import Checkpoint, Note, Signature, SignedCheckpoint, open_checkpoint
from shared.proof.receipts import WitnessRequest
from shared.proof.tree import EMPTY, verify_consistency


class NotTheLogs(Refuted):
    """No key of the log has signed it, or one has not that is said to have."""


class OriginUnknown(Refuted):
    """A witness signs for the logs that it was told of."""


class AnotherSize(Refuted):
    """The proof has to begin where the last signature stands."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the last checkpoint that was signed has {size} leaves: prove what follows it")
        self.size = size


class NotContinued(Refuted):
    """Something older than what was signed last is not what it was."""


def asked(content: bytes, logs: Mapping[str, Iterable[VerifierKey]]) -> tuple[WitnessRequest, SignedCheckpoint]:
    """What a log asks its witness to sign, signed by the log. `logs` are the keys of each origin."""
    request = WitnessRequest.parse(content)
    origin = Checkpoint.parse(Note.parse(request.checkpoint).text).origin
    if (keys := logs.get(origin)) is None:
        raise OriginUnknown(f"{origin} is no log that is witnessed here")
    try:
        signed = open_checkpoint(request.checkpoint, keys)
    except Refuted as refuted:
        raise NotTheLogs(str(refuted)) from None
    if request.old > signed.checkpoint.size:
        raise Malformed("the proof begins behind the checkpoint")
    return request, signed


def require_continued(last: Checkpoint | None, new: Checkpoint, *, old: int, proof: Sequence[bytes]) -> None:
    """Raise unless this is the checkpoint signed last, or what it has grown to. Without one, everything begins with it."""
    size, root = (last.size, last.root) if last else (0, EMPTY)
    if last and last.origin != new.origin:
        raise NotContinued(f"{new.origin} is another log than {last.origin}")
    if old != size:
        raise AnotherSize(size)
    try:
        verify_consistency(old=size, old_root=root, size=new.size, root=new.root, proof=proof)
    except Refuted as refuted:
        raise NotContinued(str(refuted)) from None


def cosigned(signed: SignedCheckpoint, witness: Signer, *, at: int) -> Signature:
    """The line that a witness answers, for a checkpoint that continues what it knows."""
    return signed.note.signed_by(witness, at=at).signatures[-1]


def signed_next(last: Checkpoint | None, new: Checkpoint, *, proof: Sequence[bytes], signers: Sequence[Signer]) -> Note:
    """The note of a log that has grown, by its key; by two while one takes over from the other.

    `last` comes from the file beside the key, and not from where the tree lies: whoever restores that, restores not this.
    """
    require_continued(last, new, old=last.size if last else 0, proof=proof)
    if not signers or any(signer.key.name != new.origin for signer in signers):
        raise Malformed(f"{new.origin} is signed by keys of this name")
    return Note(text=new.text, signatures=()).signed_by(*signers)
