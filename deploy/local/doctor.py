"""`roundlog doctor`: looks at a platform, changes nothing, and says in plain words what is wrong and what to do.

Processes, disks, backups and servers are looked at here; what services say of themselves is in `deploy/examination.py`.
"""

# nats-py annotates its functions in parts only.
# pyright: reportUnknownMemberType=false

import asyncio
import os
import platform
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
import msgspec
import nats.errors
import nats.js.errors

from deploy import SERVICES, accounts, examination, signing
from deploy.counting import counted
from deploy.databases import CONNECTIONS, MAX_CONNECTIONS, connection
from deploy.examination import Examination, Finding
from deploy.local import binaries, lock, operations, ports, state, status
from deploy.local import folder as folders
from deploy.local import nats as brokers
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.logs import LARGEST
from deploy.local.operations import ServerAddresses
from deploy.local.status import ProcessStatus
from deploy.running import NothingRuns
from shared.clock import now
from shared.log.notify import BROKEN
from shared.messaging import subjects

FINE, WRONG, NOTHING = 0, 1, 3
PATIENCE = 20.0  # seconds for all that is asked of one server, on a busy machine as well
OLD_BACKUP = timedelta(hours=36)  # a base backup is made each day
MUCH_KEPT = 2 * 2**30  # bytes that the server keeps for a backup that does not fetch them
MANY_UNREAD = 1_000  # messages of a stream
NAMED = 20  # stopped webhooks
OLDEST_POSTGRES = 170000
NEVER_OFF = {
    "fsync": "what was answered can be lost when the power fails",
    "full_page_writes": "the databases can be damaged when the power fails",
    "synchronous_commit": "what was answered can be lost when the machine fails",
}

SETTINGS = "select name, setting from pg_settings where name = any($1)"
SERVER = """
  select current_setting('server_version_num')::int as version, current_setting('max_connections')::int as most,
    (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
    pg_is_in_recovery() as is_standby, clock_timestamp() as clock
"""
IDENTITY = """
  select system_identifier || '/' || ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
    || coalesce('/' || current_setting('roundlog.life', true), '')
  from pg_control_system() where not pg_is_in_recovery()
"""
SLOT = """
  select active, wal_status = 'lost' as is_lost, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as kept
  from pg_replication_slots where slot_name = 'roundlog_backup' and not pg_is_in_recovery()
"""
STOPPED_WEBHOOKS = f"select id, tournament from webhooks.webhooks where state = 'stopped' order by at limit {NAMED}"


def show(folder: Folder, urls: Sequence[str], backups: Path | None, base: int | None, *, as_json: bool) -> int:
    found = asyncio.run(examination.examine(urls) if urls else look(folder, backups, base))
    text = msgspec.json.format(msgspec.json.encode(found)).decode() if as_json else as_text(found)
    sys.stdout.write(text + "\n")
    if not found.is_running:
        return NOTHING
    return WRONG if found.findings else FINE


def as_text(found: Examination) -> str:
    looked_at = "; ".join(found.looked_at)
    nothing = "" if found.is_running else "Nothing runs here. "
    if not found.findings:
        return f"{nothing}Nothing is wrong. Looked at {looked_at}."
    lines = [f"{one.where}: {one.wrong}\n    {one.remedy}" for one in found.findings]
    many = len(lines)
    return "\n".join(
        [*lines, f"{nothing}{many} {'thing is' if many == 1 else 'things are'} wrong. Looked at {looked_at}."]
    )


async def look(folder: Folder, backups: Path | None, base: int | None) -> Examination:
    found = await status.look(folder)
    if not any(process.pid for process in found.processes):
        return Examination(looked_at=BEFORE_A_START, findings=tuple(before_a_start(folder, base)), is_running=False)
    processes = list(of_processes(found.processes))
    here = [*processes, *disks(folder), *of_backups(backups), *of_restored(folder)]
    try:
        addresses = operations.find_addresses(folder)
    except NothingRuns:
        killed = f"The launcher was killed, and something is left of it: {found.phase}"
        return Examination(
            looked_at=("processes", "disks"),
            findings=(
                Finding(
                    where="launcher", wrong=killed, remedy="`roundlog up` waits for what is left and starts again."
                ),
                *here,
            ),
        )
    alive = [
        one for one in found.processes if one.name.split(":")[0] in SERVICES and one.state == "running" and one.url
    ]
    runs = {one.name for one in found.processes if one.state in {"running", "elsewhere"}}
    *parts, told = await asyncio.gather(
        listed(of_server(addresses, backups)) if "postgres" in runs else nothing(),
        listed(of_inboxes(folder, addresses)) if "postgres" in runs else nothing(),
        listed(of_broker(addresses)) if "nats" in runs else nothing(),
        examination.examine([one.url or "" for one in alive], names=[one.name for one in alive], has_databases=True),
    )
    return Examination(
        looked_at=(
            "processes",
            "PostgreSQL: settings, connections" + (", backups" if backups else ""),
            "NATS: streams and readers",
            *told.looked_at,
            f"disks and logs of {folder.path}",
        ),
        findings=tuple(dict.fromkeys([*here, *(finding for part in (*parts, told.findings) for finding in part)])),
    )


async def listed(findings: AsyncIterator[Finding]) -> list[Finding]:
    return [finding async for finding in findings]


async def nothing() -> list[Finding]:
    return []


def of_processes(processes: Sequence[ProcessStatus]) -> Iterator[Finding]:
    for one in processes:
        if one.state == "paused":
            remedy = f"Let it go on: `kill -CONT {one.pid}`. What gives no answer for 30 s is ended and started again."
            yield Finding(where=one.name, wrong=f"is paused (process {one.pid})", remedy=remedy)
        elif one.state == "not running":
            yield Finding(where=one.name, wrong="does not run", remedy=started_again(one.name))
        elif not one.ready and one.name not in SERVICES:
            remedy = f"If this stays, `logs/{one.name}.log` and `logs/launcher.log` say why."
            yield Finding(where=one.name, wrong="runs, and is not ready", remedy=remedy)


def started_again(name: str) -> str:
    service, _, port = name.partition(":")
    if port:  # a copy
        return f"Start it again, `roundlog copy {service} --port {port}`, or start the platform without naming it."
    return f"The launcher starts it again; if it does not, `logs/launcher.log` and `logs/{name}.log` say why."


def disks(folder: Folder) -> Iterator[Finding]:
    seen = set[int]()
    for place in (folder.path, folder.path / "postgres", folder.path / "nats", folder.logs):
        with suppress(FileNotFoundError):
            if (device := place.stat().st_dev) in seen:
                continue
            seen.add(device)
            disk = shutil.disk_usage(place)
            if sentence := examination.scarce(disk.free, disk.total):
                remedy = "Free some space: when none is left, nothing can be written. Old `replaced-…` folders may go."
                yield Finding(where="disk", wrong=f"{place} has {sentence}", remedy=remedy)
    for log in folder.logs.glob("*.log"):
        with suppress(FileNotFoundError):
            if (size := log.stat().st_size) > 2 * LARGEST:
                remedy = "The launcher keeps them small once a second: look whether it is paused, and whether logs/ can be written."
                yield Finding(where="logs", wrong=f"{log.name} has {size / 2**20:.0f} MB", remedy=remedy)


def of_restored(folder: Folder) -> Iterator[Finding]:
    for service in SERVICES:
        if signing.is_waiting(folder.path, service):
            remedy = "Start it anew, so that its log says so and is signed: `roundlog down && roundlog up --detach`."
            yield Finding(
                where=service, wrong="its log was said to be restored, and still runs as it was", remedy=remedy
            )


def of_backups(backups: Path | None) -> Iterator[Finding]:
    if backups is None:
        return
    remedy = kept_by(backups)
    whole = backups.glob("base/2???-??-??T??????Z")
    # One from the future, by a clock that was wrong, is none: `backup.sh` makes another one all the same.
    names = [base.name for base in whole if base.name <= f"{now():%Y-%m-%dT%H%M%SZ}"]
    if not names:
        yield Finding(where="backups", wrong=f"{backups} has no base backup", remedy=remedy)
        return
    made = datetime.strptime(max(names), "%Y-%m-%dT%H%M%SZ").replace(tzinfo=UTC)
    if (age := now() - made) > OLD_BACKUP:
        hours = age.total_seconds() / 3600
        yield Finding(
            where="backups", wrong=f"the last base backup in {backups} is {hours:.0f} hours old", remedy=remedy
        )


def kept_by(backups: Path) -> str:
    return f"Let `roundlog backup {backups}` run beside the platform; what it prints says why it does not."


async def of_server(addresses: ServerAddresses, backups: Path | None) -> AsyncIterator[Finding]:
    where = "postgres"
    try:
        async with asyncio.timeout(PATIENCE), connection(addresses.server) as admin:
            settings = {row["name"]: row["setting"] for row in await admin.fetch(SETTINGS, list(NEVER_OFF))}
            server = await admin.fetchrow(SERVER)
            read = now()
            slot = await admin.fetchrow(SLOT)
            identity = await admin.fetchval(IDENTITY)
    except (*BROKEN, asyncpg.PostgresError, TimeoutError) as error:
        remedy = "Look at `logs/postgres.log`; a server that recovers from a crash needs a moment."
        yield Finding(where=where, wrong=f"does not answer its administrator ({type(error).__name__})", remedy=remedy)
        return
    for name, danger in NEVER_OFF.items():
        if settings.get(name) == "off":
            remedy = f"`alter system reset {name}`, take it out of postgresql.conf, then `select pg_reload_conf()`."
            yield Finding(where=where, wrong=f"{name} is off: {danger}", remedy=remedy)
    if server is not None:
        for finding in judge_server(server, (server["clock"] - read).total_seconds()):
            yield finding
    if slot is not None:
        for finding in judge_slot(slot):
            yield finding
    if backups is not None:
        for finding in judge_folder(backups, identity, is_fed=slot is not None):
            yield finding


def judge_server(server: asyncpg.Record, ahead: float) -> Iterator[Finding]:
    where = "postgres"
    if server["connections"] > server["most"] * examination.MANY_CALLERS:
        wrong = f"{server['connections']} of max_connections = {server['most']} are taken"
        remedy = (
            "Find out who holds them (`select * from pg_stat_activity`), or raise max_connections and start it anew."
        )
        yield Finding(where=where, wrong=wrong, remedy=remedy)
    if server["most"] < MAX_CONNECTIONS // 2:
        wrong = f"has max_connections = {server['most']}: a process of a service takes up to {CONNECTIONS}"
        remedy = (
            f"Set max_connections to {MAX_CONNECTIONS} and start it anew: one more copy of each service has room then."
        )
        yield Finding(where=where, wrong=wrong, remedy=remedy)
    if server["version"] < OLDEST_POSTGRES:
        remedy = "Move the data to version 17 or newer with pg_upgrade."
        yield Finding(where=where, wrong=f"is version {server['version'] // 10000}", remedy=remedy)
    if server["is_standby"]:
        remedy = "Point ROUNDLOG_DATABASE_URL at the primary, or promote this one (`select pg_promote()`)."
        yield Finding(where=where, wrong="is a standby, in which nothing can be written", remedy=remedy)
    if abs(ahead) > examination.WRONG_CLOCK:
        wrong = f"has a clock that is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} this machine's"
        yield Finding(where=where, wrong=wrong, remedy="Let both take their time from the same servers (NTP).")


def judge_slot(slot: asyncpg.Record) -> Iterator[Finding]:
    where, again = "backups", "Let `roundlog backup BACKUPS` run again"
    if slot["is_lost"]:
        remedy = f"Drop its slot (`select pg_drop_replication_slot('roundlog_backup')`). {again}, into a new folder."
        yield Finding(where=where, wrong="something is missing between the last backup and now", remedy=remedy)
    elif not slot["active"]:
        remedy = f"{again}; if there shall be none any more, `select pg_drop_replication_slot('roundlog_backup')`."
        wrong = f"nobody fetches them, and the server keeps {(slot['kept'] or 0) / 2**20:.0f} MB for it"
        yield Finding(where=where, wrong=wrong, remedy=remedy)
    elif (slot["kept"] or 0) > MUCH_KEPT:
        wrong = f"they are {slot['kept'] / 2**20:.0f} MB behind"
        yield Finding(where=where, wrong=wrong, remedy="Look whether their disk is full or slow.")


def judge_folder(backups: Path, identity: str | None, *, is_fed: bool) -> Iterator[Finding]:
    """What keeps them has a slot, which a server that was brought back has not; whose they are, the mark of `backup.sh` says."""
    if not is_fed:
        yield Finding(where="backups", wrong="nothing keeps backups of this server", remedy=kept_by(backups))
    with suppress(FileNotFoundError):
        if identity not in (None, (backups / "server").read_text(encoding="utf-8").strip()):
            wrong = f"{backups} has backups of another server, or of this one before it was brought back"
            remedy = "Name the folder that `roundlog backup` keeps now; it wants another one than this."
            yield Finding(where="backups", wrong=wrong, remedy=remedy)


async def of_inboxes(folder: Folder, addresses: ServerAddresses) -> AsyncIterator[Finding]:
    """What an operator has to decide, by name."""
    try:
        async with asyncio.timeout(PATIENCE):
            found = await operations.all_waiting(folder)
            webhooks = {service: await stopped_webhooks(addresses.databases[service]) for service in SERVICES}
    except (*BROKEN, asyncpg.PostgresError, TimeoutError, CannotRun) as error:
        remedy = "Look at `logs/postgres.log`: without it nobody can say what is parked."
        why = type(error.__cause__ or error).__name__
        yield Finding(where="postgres", wrong=f"does not answer the services ({why})", remedy=remedy)
        return
    for service, waits in found.items():
        for one in waits.parked:
            remedy = (
                f"`roundlog retry {service} {one.scope} --reason mended` once the cause is mended, or `roundlog skip {service} "
                f"{one.scope} --reason cannot-be-handled` to go on without that message."
            )
            message = f", at {one.source} {one.number}, {one.type}" if one.source else ""
            wrong = f"{one.scope} is parked since {one.since}{message}: {one.problem}"
            yield Finding(where=service, wrong=wrong, remedy=remedy)
        for source, why in waits.stopped.items():
            wrong = f"hears nothing more of {source}: {why}"
            remedy = examination.heard_again(service, source, is_renamed=signing.is_waiting(folder.path, source))
            yield Finding(where=service, wrong=wrong, remedy=remedy)
        for webhook, tournament in webhooks[service]:
            wrong = f"webhook {webhook} of tournament {tournament} was stopped"
            yield Finding(where=service, wrong=wrong, remedy=examination.RESTART_WEBHOOK)


async def stopped_webhooks(database: str) -> list[tuple[str, str]]:
    async with connection(database) as reader:
        return [(row["id"], row["tournament"]) for row in await reader.fetch(STOPPED_WEBHOOKS)]


async def of_broker(addresses: ServerAddresses) -> AsyncIterator[Finding]:
    for part in await asyncio.gather(*(listed(of_account(name, url)) for name, url in addresses.nats.items())):
        for finding in part:
            yield finding


async def of_account(service: str, url: str) -> AsyncIterator[Finding]:
    """Whether a service has its own streams there, and its readers of those of others."""
    try:
        async with asyncio.timeout(PATIENCE), brokers.connected(url) as client:
            own = client.jetstream(timeout=PATIENCE)
            for stream in accounts.streams(service):
                with suppress(nats.js.errors.NotFoundError):
                    await own.stream_info(stream)
                    continue
                remedy = f"The service makes it again within a minute; `roundlog republish {service}` fills it at once."
                yield Finding(where="nats", wrong=f"the stream {stream} is missing", remedy=remedy)
            for source in subjects.SOURCES[service]:
                for stream in accounts.streams(source):
                    asked = client.jetstream(timeout=PATIENCE, prefix=subjects.api(stream))
                    async for finding in of_reader(asked, service, source, stream):
                        yield finding
    except (OSError, nats.errors.Error, TimeoutError) as error:
        remedy = (
            "Look at `logs/nats.log`, and whether it has the accounts and passwords of this data folder "
            "(docs/operations.md, The broker)."
        )
        yield Finding(where="nats", wrong=f"does not answer {service} ({type(error).__name__})", remedy=remedy)


async def of_reader(
    asked: "nats.js.JetStreamContext", service: str, source: str, stream: str
) -> AsyncIterator[Finding]:
    reader = subjects.reader(service)
    try:
        info = await asked.consumer_info(stream, reader)
    except nats.js.errors.NotFoundError:
        remedy = f"{source} makes it again within a minute, as long as it runs; nothing is lost meanwhile."
        yield Finding(where="nats", wrong=f"the reader {reader} of {stream} is missing", remedy=remedy)
        return
    if (info.num_pending or 0) > MANY_UNREAD:
        remedy = f"Look whether {service} runs and is ready: what it missed comes by itself."
        yield Finding(
            where="nats",
            wrong=f"{service} has not read {counted(info.num_pending or 0, 'message')} of {stream}",
            remedy=remedy,
        )


# Where nothing runs: would a start succeed?

BEFORE_A_START = (
    f"this machine: Python {platform.python_version()} on {platform.system()} {platform.machine()}",
    "programs that come with Roundlog, ports, disk and data folder",
)


def before_a_start(folder: Folder, base: int | None) -> Iterator[Finding]:
    known = state.read(folder.state)
    if known is not None and known.phase != "stopped" and lock.is_free(folder):
        remedy = "`roundlog up` starts it again, and PostgreSQL recovers from its own log."
        yield Finding(where="launcher", wrong="was killed, or the machine went down", remedy=remedy)
    for is_fine in conditions(folder):
        try:
            is_fine()
        except CannotRun as sentence:
            wrong, _, remedy = str(sentence).partition(": ")
            yield Finding(where="start", wrong=wrong, remedy=remedy)
    first = base or ports.FIRST_BASE
    for name in ports.OFFSETS:
        try:
            ports.require_free(ports.of(name, first))
        except CannotRun as taken:
            wrong, _, remedy = str(taken).partition(": ")
            others = "" if base else "Without --base-port `roundlog up` takes the next ten that are free; otherwise "
            yield Finding(where=name, wrong=wrong, remedy=others + remedy)
    if folder.path.exists():
        yield from disks(folder)


def conditions(folder: Folder) -> Iterator[Callable[[], object]]:
    if not os.environ.get("ROUNDLOG_DATABASE_URL"):
        yield lambda: folders.require_kept_together(folder)
        yield lambda: binaries.postgres("postgres")
        yield require_other_user
    if not os.environ.get("ROUNDLOG_NATS_URL"):
        yield binaries.nats
    yield binaries.caddy
    yield lambda: require_usable(folder)


def require_other_user() -> None:
    limit = Path("/proc/sys/user/max_user_namespaces")
    if os.geteuid() == 0 and limit.is_file() and int(limit.read_text()) == 0:
        raise CannotRun(
            "PostgreSQL refuses to run as root, and this machine permits no user namespace to run it in: start Roundlog as an "
            "ordinary user, or set ROUNDLOG_DATABASE_URL to a running server."
        )


def require_usable(folder: Folder) -> None:
    """What a start would refuse, without making anything."""
    folders.require_own(folder)
    if folders.is_ours(folder):
        folders.require_format(folder)
        folders.require_passwords(folder)
