"""The rows that appending is measured with: about the size of a reported result."""

from hashlib import sha256

from shared.ids import new_id
from shared.log.store import Answer, Append, Event

RECORD = b"r" * 420
MESSAGE = b"m" * 230
RESPONSE = b"a" * 180
VERSIONS = 20  # events of one stream, before a caller begins the next one

MILLION = f"""
  insert into log.log (position, stream, version, id, type, scope, record, public, message)
  select n, 'old-' || (n - 1) / {VERSIONS}, (n - 1) % {VERSIONS} + 1, uuidv7(), 'ResultReported',
    'tournament-' || n % 5000, '\\x{RECORD.hex()}', n, '\\x{MESSAGE.hex()}'
  from generate_series(1, $1::bigint) n
"""


def append(stream: str, version: int, *, key: bool) -> Append:
    event = Event(
        id=new_id(),
        stream=stream,
        version=version + 1,
        type="ResultReported",
        scope=f"tournament-{hash(stream) % 50}",
        record=RECORD,
        message=MESSAGE,
    )
    answer = Answer(key=sha256(event.id.bytes).digest(), request=sha256(b"request").digest(), response=RESPONSE)
    return Append(expected={stream: version}, events=[event], answer=answer if key else None)
