"""The limit of appending: the same rows by plain inserts, one connection a caller, with no promise kept.

PostgreSQL's own `pgbench` sends them, which costs less of the machine than any client of ours.
"""

import asyncio
import re
from asyncio.subprocess import PIPE
from pathlib import Path

from benchmarks.rows import MESSAGE, RECORD, RESPONSE, VERSIONS
from deploy.local import binaries

EVENT = f"""
insert into log.log (position, stream, version, id, type, scope, record, public, message)
values (nextval('plain'), 'game-' || :client_id || '-' || :run || '-' || (:n / {VERSIONS})::text, :n % {VERSIONS} + 1, uuidv7(),
  'ResultReported', 'tournament-' || (:client_id % 50)::text, '\\x{RECORD.hex()}', lastval(), '\\x{MESSAGE.hex()}')
"""
CONNECTING = 1  # seconds that pgbench may need before its callers begin; they do not count in its figure
ANSWER = f"""
insert into log.answers (key, request, response)
values (sha256(uuidv7()::text::bytea), sha256('request'), '\\x{RESPONSE.hex()}')
"""


async def plain_inserts(database: str, *, callers: int, keys: bool, seconds: float, run: int, folder: Path) -> float:
    """Inserts a second."""
    statement = f"with event as ({EVENT}) {ANSWER}" if keys else EVENT
    script = folder / "plain.sql"
    script.write_text("\\set n :n + 1\n" + " ".join(statement.split()) + ";\n")
    process = await asyncio.create_subprocess_exec(
        str(binaries.postgres("pgbench")),
        *("--no-vacuum", "--protocol=prepared", f"--file={script}", f"--time={seconds + CONNECTING:.0f}", "--jobs=2"),
        *(f"--client={callers}", "--define=n=-1", f"--define=run={run}", f"--dbname={database}"),
        stdout=PIPE,
        stderr=PIPE,
    )
    output, errors = await process.communicate()
    found = re.search(r"tps = ([\d.]+)", output.decode())
    if process.returncode != 0 or found is None:
        raise RuntimeError(f"pgbench ended with {process.returncode}: {output.decode()} {errors.decode()}")
    return float(found.group(1))
