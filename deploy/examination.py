"""What services say of themselves, at whatever address, put into plain words: what is wrong, and what to do.

Only what everybody may ask is asked: `/readyz`, `/metrics`, and the date of an answer. A number that merely lags is looked at
twice, so that what is on its way is not called wrong.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from urllib.parse import urlsplit, urlunsplit

import httpx
import msgspec
from prometheus_client.parser import text_string_to_metric_families

from deploy.counting import counted
from shared.clock import now
from shared.values import Value

PATIENCE = 20.0  # seconds that an answer may take on a busy machine; a service gives its own checks two
LOOK_AGAIN = 3.0  # seconds until what lags is looked at again
WRONG_CLOCK = 5.0  # seconds; a date is told in whole ones
SLOW_TREE = 10.0  # seconds that an event waits for the tree
OLD_CHECKPOINT = 150.0  # seconds, while there is something to sign, which is done once a minute
SIGNING_NEEDS = ("database", "checkpoints")
MANY_WAITING = 1_000  # messages that have come and not taken effect
MANY_CALLERS = 0.8  # of the connections that there may be

FAULT = "500"
LOG_OF = "`logs/{service}.log` of the data folder says more"
REMEDIES: Mapping[str, str] = {
    "database": "Look whether PostgreSQL runs and takes connections (`roundlog status`, `logs/postgres.log`); the service "
    "goes on by itself as soon as it answers.",
    "live": f"Start the service again when PostgreSQL answers and this stays: {LOG_OF}.",
    "broker": "Look whether NATS runs (`roundlog status`, `logs/nats.log`) and has deploy/accounts.conf of this version; "
    "reading and writing go on meanwhile, and neighbours hear of it later.",
    "relay": f"Nothing is lost, it waits in the log. If NATS answers and this stays, start the service again: {LOG_OF}.",
    "trees": f"Nothing is lost, but nothing new is signed. If this stays, start the service again: {LOG_OF}.",
    "checkpoints": "Keep a copy of that database, find out who could write to it, and bring back the right data, or say that the "
    "log is another one with `roundlog restored {service}`. A tree alone is made anew from the log (docs/operations.md, Keys of the logs).",
    "seals": "Something that is over was changed: keep a copy of that database, find out who could write to it, and bring "
    "back what was there.",
    "beside": "Find out who could write to that database, and bring back what was there (docs/operations.md, Keys of the logs).",
    "inbox": "`roundlog parked` names what waits: let it go on with `roundlog retry`, `skip` or `accept {service} SOURCE`.",
    "views": f"Tables that are being made come by themselves; if this stays, start the service again: {LOG_OF}.",
    "tables": "Tables that are being made come by themselves, and those of a newer version want that version: until it runs again "
    "nothing that is heard takes effect here. If anything else stays, mend what it names, run `roundlog rebuild`, and start the "
    f"service again: {LOG_OF}.",
    "own": f"If this stays, start the service again: {LOG_OF}.",
    "names": f"Names are late, nothing is lost. If NATS answers and this stays, start the service again: {LOG_OF}.",
    "consequences": f"Start the service again: {LOG_OF}.",
    "captains": "Look at the file that ROUNDLOG_CAPTAIN_KEY names: it has to be readable, and the same for all copies.",
    "persons": f"If PostgreSQL answers and this stays, start the service again: {LOG_OF}.",
    "webhooks": f"Nobody is called, nothing is lost. Start the service again: {LOG_OF}.",
}
# By words of `shared/checkpoints/folder.py` and `keeper.py`: then nobody has touched a database.
UNUSABLE_KEYS = ("has no key", "is missing, and something was signed", "cannot be used", "no key signs any more")
OF_KEYS = (
    "The log is what it was, and only its keys cannot be used: bring back the file from where you keep a copy of it, or let the "
    "service read and write the folder that ROUNDLOG_SIGNING names, on a disk with room. It signs again by itself "
    "(docs/operations.md, Keys of the logs)."
)
UNKNOWN_CHECK = f"Start the service again if this stays: {LOG_OF}."


class Finding(Value):
    """One thing that is wrong, and what to do about it."""

    where: str
    wrong: str
    remedy: str


class Examination(Value):
    looked_at: tuple[str, ...]
    findings: tuple[Finding, ...]
    is_running: bool = True


class Numbers(Value):
    """What `/metrics` shows, by name and labels."""

    shown: Mapping[tuple[str, tuple[str, ...]], float]

    def of(self, name: str, *labels: str) -> float | None:
        return self.shown.get((name, labels))

    def labelled(self, name: str) -> Iterator[tuple[tuple[str, ...], float]]:
        return ((labels, value) for (shown, labels), value in self.shown.items() if shown == name)


class ChecksSaid(Value):
    checks: Mapping[str, str] = {}
    alarms: Mapping[str, str] = {}


class Answers(Value):
    """Of one service, at one moment; without readiness it gave none."""

    place: str
    service: str
    version: str = ""
    readiness: ChecksSaid | None = None
    numbers: Numbers = Numbers(shown={})
    silence: str = ""  # why it said nothing
    clock: float = 0.0  # seconds that it is ahead of ours


async def examine(urls: Sequence[str], *, names: Sequence[str] = (), has_databases: bool = False) -> Examination:
    """Of services at these addresses. With their databases at hand, what waits there is named by who looks there."""
    async with httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client:
        known = list(names) or [without_password(url) for url in urls]
        asked = list(zip(urls, known, strict=True))
        first = await asyncio.gather(*(ask(client, url, name) for url, name in asked))
        later = first
        if any(late(first, first)):
            await asyncio.sleep(LOOK_AGAIN)
            later = await asyncio.gather(*(ask(client, url, name) for url, name in asked))
    found = [finding for answers in first for finding in of_service(answers, has_databases=has_databases)]
    return Examination(
        looked_at=(
            f"{counted(len(urls), 'service')}: checks, requests, lags, inboxes, witnesses, webhooks, disks, clocks, versions",
        ),
        findings=(*found, *late(first, later), *versions(first)),
        is_running=any(answers.readiness for answers in first),
    )


async def ask(client: httpx.AsyncClient, url: str, name: str) -> Answers:
    place = without_password(url)
    try:
        began = now()
        ready = await client.get(f"{url.rstrip('/')}/readyz")
        came = now()
        metrics = await client.get(f"{url.rstrip('/')}/metrics")
        readiness = msgspec.json.decode(ready.content, type=ChecksSaid)
        numbers = read_numbers(metrics.text)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Answers(place=place, service=name, silence=type(error).__name__)
    except (msgspec.DecodeError, ValueError):
        return Answers(place=place, service=name, silence="what it says is not of Roundlog")
    if not readiness.checks:
        return Answers(place=place, service=name, silence=f"it answers {ready.status_code}, which is not of Roundlog")
    (service, made), _ = next(numbers.labelled("roundlog_program"), ((name, ""), 0.0))
    clock = ahead(ready.headers.get("date"), began, came)
    return Answers(place=place, service=service, version=made, readiness=readiness, numbers=numbers, clock=clock)


def read_numbers(text: str) -> Numbers:
    """How long requests took is many numbers, which nobody reads here."""
    return Numbers(
        shown={
            (sample.name, tuple(sample.labels.values())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if not sample.name.startswith("roundlog_request_")
        }
    )


def ahead(date: str | None, began: datetime, came: datetime) -> float:
    """How far the clock of who answered is ahead of ours; nothing as long as the journey and whole seconds explain it."""
    if date is None:
        return 0.0
    said = parsedate_to_datetime(date).astimezone(UTC)
    if said > came:
        return (said - came).total_seconds()
    return min(0.0, (said - began).total_seconds() + 1)


def of_service(answers: Answers, *, has_databases: bool) -> Iterator[Finding]:
    where = answers.service
    if answers.readiness is None:
        yield Finding(
            where=where,
            wrong=f"does not answer at {answers.place} ({answers.silence})",
            remedy="Look whether it runs there, and whether this machine may reach it.",
        )
        return
    checks = {name: said for name, said in answers.readiness.checks.items() if said != "ok"}
    if "database" in checks:  # whatever else is wrong follows from that
        checks = {name: said for name, said in checks.items() if name in {"database", "broker"}}
    for name, said in checks.items():
        if not (has_databases and name == "inbox" and is_decided_by_operators(answers)):
            yield Finding(
                where=where,
                wrong=f"is not ready, {name}: {said}",
                remedy=remedy_of(name, where, said),
            )
    yield from alarms(where, answers.readiness)
    if abs(answers.clock) > WRONG_CLOCK:
        yield Finding(
            where=where,
            wrong=f"has a clock that is {abs(answers.clock):.0f} s {'ahead of' if answers.clock > 0 else 'behind'} this machine's",
            remedy="Let both take their time from the same servers (NTP): deadlines and tokens rest on it.",
        )
    yield from broken(answers)
    yield from room(answers)
    if not has_databases:
        yield from waiting(answers)


def remedy_of(check: str, service: str, said: str = "") -> str:
    if check == "checkpoints" and any(words in said for words in UNUSABLE_KEYS):
        return OF_KEYS
    return REMEDIES.get(check, UNKNOWN_CHECK).replace("{service}", service)


def broken(answers: Answers) -> Iterator[Finding]:
    """What was answered 500 is a fault of the program, whoever asked for it."""
    for (operation, status), number in answers.numbers.labelled("roundlog_requests_total"):
        if status == FAULT:
            yield Finding(
                where=answers.service,
                wrong=f"has answered 500 to {operation}, {number:.0f} times since it started",
                remedy=f"It is a fault of the program: report it with what the log says. {LOG_OF}.".replace(
                    "{service}", answers.service
                ),
            )


def is_decided_by_operators(answers: Answers) -> bool:
    """Whether what is wrong with an inbox is named in its tables."""
    stopped = any(value for _, value in answers.numbers.labelled("roundlog_inbox_stopped"))
    return bool(answers.numbers.of("roundlog_parked")) or stopped


def alarms(where: str, readiness: ChecksSaid) -> Iterator[Finding]:
    for who, why in readiness.alarms.items():
        remedy = (
            "A key of this log has signed elsewhere, or an older `signed` was brought back: find out which, before others do "
            "(docs/operations.md, Witnesses)."
            if "signed" in why and "no key" not in why
            else "Tell whoever runs it the log and its keys, as `roundlog keys` prints them (docs/operations.md, Witnesses)."
        )
        yield Finding(where=where, wrong=f"{who} refuses to sign: {why}", remedy=remedy)


def room(answers: Answers) -> Iterator[Finding]:
    free, whole = answers.numbers.of("roundlog_disk_free_bytes"), answers.numbers.of("roundlog_disk_bytes")
    if free is not None and whole is not None and (sentence := scarce(free, whole)):
        yield Finding(
            where=answers.service,
            wrong=f"signs on a disk with {sentence}",
            remedy="Free some space there: what cannot be written is not signed.",
        )


SCARCE_BYTES, SCARCE_SHARE = 2 * 2**30, 0.05


def scarce(free: float, whole: float) -> str | None:
    """In words, where there is little room: both a small share, or hardly anything at all."""
    if free < SCARCE_BYTES / 4 or (free < SCARCE_BYTES * 5 and free < whole * SCARCE_SHARE):
        return f"only {free / 2**20:.0f} MB free of {whole / 2**20:.0f}"
    return None


def heard_again(service: str, source: str, *, is_renamed: bool = False) -> str:
    """A receiver sees that both differ, and not which of them was changed: a log that is signed says that of itself, and one
    that an operator has called another one was."""
    if is_renamed:
        return (
            f"Start {source} anew first, since it was given its new name: `roundlog down && roundlog up --detach`. Then "
            f"`roundlog accept {service} {source} --reason restored-from-backup`."
        )
    return (
        f"If {source} was restored from a backup: `roundlog accept {service} {source} --reason restored-from-backup`. Otherwise a "
        f"database was changed, that of {source} where `/readyz` of {source} says so of an event, and if it does not, the inbox of "
        f"{service}: bring back the right data there, and it goes on by itself (docs/operations.md, Backup)."
    )


def waiting(answers: Answers) -> Iterator[Finding]:
    """What its numbers say of what an operator has to decide."""
    where, numbers = answers.service, answers.numbers
    if parked := numbers.of("roundlog_parked"):
        yield Finding(where=where, wrong=f"has {parked:.0f} parked", remedy=remedy_of("inbox", where))
    for (source,), stopped in numbers.labelled("roundlog_inbox_stopped"):
        if stopped:
            yield Finding(where=where, wrong=f"hears nothing more of {source}", remedy=heard_again(where, source))
    if stopped := numbers.of("roundlog_webhooks_stopped"):
        yield Finding(where=where, wrong=f"has {counted(round(stopped), 'stopped webhook')}", remedy=RESTART_WEBHOOK)


RESTART_WEBHOOK = "Once its receiver answers again, the director of the tournament restarts it (docs/webhooks.md)."


def late(first: Sequence[Answers], later: Sequence[Answers]) -> Iterator[Finding]:
    """What has not come by now of what there was at the first look."""
    said = {one.service: one.numbers.of("roundlog_log_public") or 0 for one in first}
    for before, answers in zip(first, later, strict=True):
        if answers.readiness is None:
            continue
        where, numbers = answers.service, answers.numbers
        lag = numbers.of("roundlog_tree_lag_seconds") or 0
        if lag > SLOW_TREE:
            yield Finding(
                where=where,
                wrong=f"has events that wait for the tree since {lag:.0f} s",
                remedy=remedy_of("trees", where),
            )
        yield from late_signing(before, answers)
        for (source,), number in numbers.labelled("roundlog_inbox_position"):
            if number < said.get(source, 0) and not numbers.of("roundlog_inbox_stopped", source):
                yield Finding(
                    where=where,
                    wrong=f"lacks {counted(round(said[source] - number), 'message')} of {source}",
                    remedy=f"Look whether {source} and NATS run; what is missing comes by itself then. If it does not, start {where} again.",
                )
        for (source,), number in numbers.labelled("roundlog_inbox_waiting"):
            if min(number, before.numbers.of("roundlog_inbox_waiting", source) or 0) >= MANY_WAITING:
                yield Finding(
                    where=where,
                    wrong=f"has {counted(round(number), 'message')} of {source} that have come and not taken effect",
                    remedy="Wait if somebody has just imported much; otherwise look at the load of this service and its PostgreSQL.",
                )


def late_signing(before: Answers, answers: Answers) -> Iterator[Finding]:
    where, numbers = answers.service, answers.numbers
    signed, at = numbers.of("roundlog_checkpoint_position"), numbers.of("roundlog_checkpoint_timestamp_seconds")
    if (
        signed is None
        or at is None
        or (answers.readiness and {answers.readiness.checks.get(name, "ok") for name in SIGNING_NEEDS} != {"ok"})
    ):
        return  # the check says why
    age = now().timestamp() - at
    if signed < (before.numbers.of("roundlog_log_position") or 0) and age > OLD_CHECKPOINT:
        yield Finding(
            where=where,
            wrong=f"signed its log last {age / 60:.0f} minutes ago, and it has grown since",
            remedy=f"`checkpoints` of /readyz says why, or `logs/{where}.log`: only one copy of a service signs, which has to run.",
        )
    refusing = answers.readiness.alarms if answers.readiness else ChecksSaid().alarms
    for (witness,), number in numbers.labelled("roundlog_witness_position"):
        if number < signed and age > OLD_CHECKPOINT and f"witness {witness}" not in refusing:
            yield Finding(
                where=where,
                wrong=f"witness {witness} has not signed the last checkpoint, of {age / 60:.0f} minutes ago",
                remedy="It does not answer: look whether its address in ROUNDLOG_WITNESSES is reached from here, or tell whoever runs it.",
            )


def versions(found: Sequence[Answers]) -> Iterator[Finding]:
    """Also of this command: what it knows of settings and tables is of its own version."""
    running = {one.service: one.version for one in found if one.version}
    named = running | {"this command": version("roundlog")}
    if running and len(set(named.values())) > 1:
        said = ", ".join(f"{who} {which}" for who, which in named.items())
        yield Finding(
            where="versions",
            wrong=f"not all are the same: {said}",
            remedy="Finish the upgrade: start the older ones anew.",
        )


def without_password(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))
