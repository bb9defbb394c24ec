"""What `/metrics` says of what waits, for its turn or for an operator: asked of tables that are small, or only so far."""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from shared.log.database import Database
from shared.observability.metrics import MetricReading

COUNTED = 10_000  # messages of a source: more are not told apart

SOURCES = f"""
  select source, number, stopped is not null as stopped, (
    select count(*) from (
      select from inbox.events e where e.source = s.source and state = 'waiting' limit {COUNTED}) counted) as waiting
  from inbox.sources s
"""
PARKED = "select count(*) from inbox.scopes where parked is not null"
STOPPED = "select count(*) from webhooks.webhooks where state = 'stopped'"


class Waiting:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running

    async def readings(self) -> Sequence[MetricReading]:
        found = [
            MetricReading(
                name="roundlog_parked",
                says="Tournaments and other scopes that wait for an operator.",
                value=await self._database.fetchval(PARKED),
            ),
            MetricReading(
                name="roundlog_webhooks_stopped",
                says="Webhooks that are not called any more, after days of failures.",
                value=await self._database.fetchval(STOPPED),
            ),
        ]
        for row in await self._database.fetch(SOURCES):
            labels = {"source": row["source"]}
            found += [
                MetricReading(
                    name="roundlog_inbox_position",
                    says="The last public number that was received of a source.",
                    value=row["number"],
                    labels=labels,
                ),
                MetricReading(
                    name="roundlog_inbox_waiting",
                    says=f"Messages of a source that have come and not taken effect, up to {COUNTED}.",
                    value=row["waiting"],
                    labels=labels,
                ),
                MetricReading(
                    name="roundlog_inbox_stopped",
                    says="1 where nothing more is received of a source until an operator decides.",
                    value=row["stopped"],
                    labels=labels,
                ),
            ]
        return found


def room(folder: Path) -> Sequence[MetricReading]:
    """Of the disk that the service signs on; nothing as long as the folder is not made."""
    with suppress(FileNotFoundError):
        disk = shutil.disk_usage(folder)
        return [
            MetricReading(
                name="roundlog_disk_bytes", says="The size of the disk that has the signing folder.", value=disk.total
            ),
            MetricReading(name="roundlog_disk_free_bytes", says="What of it is free.", value=disk.free),
        ]
    return []
