"""A checker that finds nothing is believed only when it finds what is there: one damage of each kind, done on purpose after the verdict."""

# nats-py annotates its functions in parts only.
import json
from http import HTTPStatus
from pathlib import Path

import nats

from deploy import databases
from shared.messaging.broker import login
from tests.faults.pieces import Pieces
from tests.patience import PATIENCE

IN_RESULTS = """
  update log.head set position = position + 1;
  insert into log.log (position, stream, version, id, type, scope, record)
    select h.position, stream, version + 1000, gen_random_uuid(), type, scope, record
    from log.log cross join log.head h where type = 'ResultReported' order by log.position limit 1;
  delete from log.log where position = (select max(position) from log.log where type = 'ResultReported' and version < 1000);
"""
IN_PAIRING = """
  update inbox.sources set stopped = 'on purpose' where source = 'registration';
  delete from inbox.events where arrival = (select max(arrival) from inbox.events);
"""
CHANGE = "update views.tables set body = $1 where (tournament, stage, generation) = ($2, $3, $4)"


async def damage(pieces: Pieces, journal: Path) -> None:
    """Only standings goes on, which shows the tables; whoever else would notice is ended before."""
    for name, piece in pieces.pieces.items():
        if name.startswith(("registration", "pairing", "results")):
            await piece.end()
    for service, statements in (("results", IN_RESULTS), ("pairing", IN_PAIRING)):
        async with databases.connection(pieces.database(service)) as admin:
            await admin.execute(statements)
    await change_places(pieces, journal)
    await speak_falsely(pieces)
    with journal.open("a", encoding="utf-8") as notes:
        notes.write(json.dumps({"method": "GET", "path": "/", "status": 500, "answer": "on purpose"}) + "\n")
    with (pieces.folder / "logs" / "results-0.log").open("a", encoding="utf-8") as log:
        log.write("Traceback (most recent call last): on purpose\n")


async def change_places(pieces: Pieces, journal: Path) -> None:
    """Two who play in the same tournament, in all tables that are shown of it."""
    acts = (json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines())
    entered = [act for act in acts if act["path"].endswith("/entrants/import") and act["status"] == HTTPStatus.CREATED]
    async with databases.connection(pieces.database("standings")) as admin:
        for act in entered:
            one, other = (entrant["id"].encode() for entrant in json.loads(act["answer"])["entrants"][:2])
            key = act["path"].split("/")[4]
            for row in await admin.fetch("select stage, generation, body from views.tables where tournament = $1", key):
                changed = row["body"].replace(one, b"\0").replace(other, one).replace(b"\0", other)
                await admin.execute(CHANGE, changed, key, row["stage"], row["generation"])


async def speak_falsely(pieces: Pieces) -> None:
    """In the name of registration."""
    async with databases.connection(pieces.database("registration")) as admin:
        incarnation = await admin.fetchval("select incarnation::text from log.head")
    client = await nats.connect(**login(pieces.broker("registration")[0]))
    try:
        headers = {"Roundlog-Number": "1", "Roundlog-Log": incarnation}
        await client.jetstream(timeout=PATIENCE).publish(
            "roundlog.registration.somebody.Something", b"{}", headers=headers
        )
    finally:
        await client.close()
