"""What the trees of Roundlog stand on: how an event of the log, and what was said of it, become leaves.

Nothing but the stored bytes enters a leaf. What else is to be known of an event (its id, stream, version, type and scope)
is read from its record, so no column of a table has to be believed.
"""

from hashlib import sha256

from shared.proof.tree import leaf_hash


def entry(record: bytes, message: bytes | None) -> bytes:
    """What stands at a position of the log, in 64 bytes: a message is proved by it without its record.

    No message is empty, so none is taken for one by writing it as nothing.
    """
    return sha256(record).digest() + sha256(message or b"").digest()


def log_leaf(record: bytes, message: bytes | None) -> bytes:
    """A leaf of the tree over a log: its index is the position less one."""
    return leaf_hash(entry(record, message))


def message_leaf(message: bytes) -> bytes:
    """A leaf of the tree over the messages alone, which neighbours hear: its index is the public number less one."""
    return leaf_hash(sha256(message).digest())


def leaves_of(record: bytes, message: bytes | None) -> tuple[bytes, bytes | None]:
    """Both leaves of an event, its message being hashed once: a log that is read whole is worth it."""
    said = sha256(message or b"").digest()
    return leaf_hash(sha256(record).digest() + said), None if message is None else leaf_hash(said)
