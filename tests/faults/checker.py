"""`python -m tests.faults.checker places.json`: what callers were told, against what is there, without any code of the product.

The journal of the callers is compared with logs, inboxes, streams and tables, and tables also with a ranking of its own.
"""

# nats-py annotates its functions in parts only.
import asyncio
import hashlib
import json
import sys
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import asyncpg
import nats
import nats.errors
import nats.js.errors

from tests.faults.words import faults_in
from tests.naive_scrabble import Played, Scores, ranked

SOURCES = {  # who hears whom
    "registration": ("pairing", "results", "standings"),
    "pairing": ("registration", "results", "standings"),
    "results": ("registration", "pairing"),
    "standings": ("registration", "pairing", "results"),
}
PATIENCE = 180.0  # seconds until everybody has heard everything
SHOWN = 3  # of each kind of finding
LOG = "select position, stream, version, id, type, scope, record, public, message from log.log order by position"
HEARD = "select source, number, scope, message from inbox.events where lost is null order by source, number"
CURSORS = "select source, number, stopped from inbox.sources"
PARKED = "select scope, problem from inbox.scopes where parked is not null"
WAITING = "select count(*) from inbox.events where state = 'waiting'"
ANSWERED = range(200, 300)


@dataclass(kw_only=True)
class Findings:
    """By kind: what is not as it has to be. Without any, everything holds."""

    found: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def add(self, kind: str, what: object) -> None:
        self.found[kind].append(str(what))

    def verdicts(self) -> dict[str, Any]:
        numbers = {kind: len(several) for kind, several in self.found.items()}
        examples = {kind: several[:SHOWN] for kind, several in self.found.items() if several}
        return {"holds": not any(numbers.values()), "verdicts": numbers, "examples": examples}


KINDS = (
    "acknowledged and lost",
    "counted twice",
    "logs damaged",
    "inboxes closed",
    "inboxes other than their source",
    "streams other than their log",
    "tables other than their log",
    "answered 500",
    "faults in the logs of services",
)


@dataclass(kw_only=True)
class Told:
    """What callers know."""

    acts: int = 0
    positions: dict[str, int] = field(default_factory=dict[str, int])  # by service: how far its log was said to go
    entrants: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # by tournament
    rounds: dict[str, dict[int, Any]] = field(default_factory=lambda: defaultdict(dict))
    games: dict[str, str] = field(default_factory=dict[str, str])  # of which tournament each is
    reports: Counter[tuple[str, str, Scores]] = field(default_factory=Counter[tuple[str, str, Scores]])
    unanswered: Counter[tuple[str, str, Scores]] = field(default_factory=Counter[tuple[str, str, Scores]])
    reported: dict[str, Scores] = field(default_factory=dict[str, Scores])
    decided: dict[str, Scores] = field(default_factory=dict[str, Scores])
    corrected: dict[str, Scores] = field(default_factory=dict[str, Scores])
    withdrawn: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    completed: list[str] = field(default_factory=list[str])

    def result(self, game: str) -> Scores:
        for said in (self.corrected, self.decided, self.reported):
            if game in said:
                return said[game]
        raise LookupError(game)


def read(lines: Iterable[str], findings: Findings) -> Told:
    told = Told()
    acts: dict[str, dict[str, Any]] = {}
    for line in lines:
        noted = json.loads(line)
        if noted["status"] is not None and noted["status"] >= 500 and noted["status"] != 503:
            findings.add(
                "answered 500", f"{noted['status']} {noted['method']} {noted['path']}: {noted['answer'][:200]}"
            )
        if noted["method"] != "POST":
            continue
        before = acts.get(noted["key"])
        if before is None or before["status"] not in ANSWERED:
            acts[noted["key"]] = noted
    for act in acts.values():
        if act["status"] in ANSWERED:
            note(told, act)
        elif act["status"] is None and act["path"].endswith("/reports"):
            told.unanswered[report_of(act)] += 1
    return told


def report_of(act: Mapping[str, Any]) -> tuple[str, str, Scores]:
    one, other = json.loads(act["sent"])["scores"]
    return act["path"].split("/")[4], act["by"], (one, other)


def note(told: Told, act: Mapping[str, Any]) -> None:
    told.acts += 1
    _, service, _, *path = act["path"].split("/")
    answer = json.loads(act["answer"])
    if act["position"]:
        position = int(act["position"].partition(":")[2].partition("/")[0])
        told.positions[service] = max(told.positions.get(service, 0), position)
    match [service, *path]:
        case ["registration", "tournaments", tournament, "entrants", "import"]:
            told.entrants[tournament] += [entrant["id"] for entrant in answer["entrants"]]
        case ["registration", "tournaments", tournament, "entrants", "admit"]:
            told.entrants[tournament].append(answer["id"])
        case ["registration", "tournaments", tournament, "entrants", entrant, "withdraw"]:
            told.withdrawn.append((tournament, entrant))
        case ["registration", "tournaments", tournament, "complete"]:
            told.completed.append(tournament)
        case ["pairing", "tournaments", tournament, "stages", _, "rounds", number, "pair-and-publish"]:
            told.rounds[tournament][int(number)] = answer
            told.games |= {pair["game"]: tournament for pair in answer["pairs"]}
        case ["results", "games", game, "reports"]:
            told.reports[report_of(act)] += 1
            told.reported[game] = report_of(act)[2]
        case ["results", "games", game, "decide"]:
            told.decided[game] = scores(act)
        case ["results", "games", game, "correct"]:
            told.corrected[game] = scores(act)
        case _:
            pass


def scores(act: Mapping[str, Any]) -> Scores:
    one, other = json.loads(act["sent"])["scores"]
    return one, other


@dataclass(kw_only=True)
class Service:
    """What a service has in its database."""

    log: list[asyncpg.Record]
    head: asyncpg.Record
    heard: list[asyncpg.Record]
    cursors: list[asyncpg.Record]
    parked: list[asyncpg.Record]
    waiting: int

    def facts(self, kind: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Of one type: the tournament, and what is known of it."""
        several = (json.loads(one["record"]) for one in self.log if one["type"] == kind)
        return [(record["scope"], record["data"]) for record in several]

    def messages(self) -> dict[int, bytes]:
        return {one["public"]: one["message"] for one in self.log if one["public"] is not None}


async def look(url: str) -> Service:
    database = await asyncpg.connect(url, ssl=False)
    try:
        async with database.transaction(isolation="repeatable_read"):
            return Service(
                log=await database.fetch(LOG),
                head=(await database.fetch("select position, public, incarnation from log.head"))[0],
                heard=await database.fetch(HEARD),
                cursors=await database.fetch(CURSORS),
                parked=await database.fetch(PARKED),
                waiting=await database.fetchval(WAITING),
            )
    finally:
        await database.close()


async def quiet(databases: Mapping[str, str]) -> dict[str, Service]:
    """As soon as nobody has anything more to hear; or as it is after a long time."""
    give_up = time.monotonic() + PATIENCE
    while True:
        services = {service: await look(url) for service, url in databases.items()}
        if not any(unheard(services, reader) for reader in services) or time.monotonic() > give_up:
            return services
        if any(cursor["stopped"] for one in services.values() for cursor in one.cursors):
            return services
        await asyncio.sleep(1)


def unheard(services: Mapping[str, Service], reader: str) -> bool:
    cursors = {cursor["source"]: cursor["number"] for cursor in services[reader].cursors}
    behind = any(cursors.get(source, 0) < services[source].head["public"] for source in SOURCES[reader])
    return behind or bool(services[reader].waiting)


def check_log(name: str, service: Service, findings: Findings) -> None:
    def wrong(what: object) -> None:
        findings.add("logs damaged", f"{name}: {what}")

    positions = [one["position"] for one in service.log]
    if positions != list(range(1, service.head["position"] + 1)):
        wrong(f"{len(positions)} records up to {service.head['position']}")
    if sorted(service.messages()) != list(range(1, service.head["public"] + 1)):
        wrong(f"{len(service.messages())} messages up to {service.head['public']}")
    versions = Counter[str]()
    for one in service.log:
        record = json.loads(one["record"])
        versions[one["stream"]] += 1
        columns = {"id": str(one["id"]), **{key: one[key] for key in ("stream", "version", "type", "scope")}}
        if one["version"] != versions[one["stream"]] or any(record[key] != value for key, value in columns.items()):
            wrong(f"position {one['position']} is not what stands beside it")
        if record["public"] != (one["message"] and hashlib.sha256(one["message"]).hexdigest()):
            wrong(f"position {one['position']} has another message than is proved")
    for identity, times in Counter(one["id"] for one in service.log).items():
        if times > 1:
            findings.add("counted twice", f"{name}: {identity}")


def check_acts(told: Told, services: Mapping[str, Service], findings: Findings) -> None:
    for service, position in told.positions.items():
        if services[service].head["position"] < position:
            findings.add(
                "acknowledged and lost", f"{service} was at {position}, is at {services[service].head['position']}"
            )
    results, registration = services["results"], services["registration"]
    said = [data for _, data in results.facts("ResultReported")]
    there = Counter((one["game"], one["report"]["by"]["person"], pair(one["report"]["result"])) for one in said)
    compare("report", told.reports, there, told.unanswered, findings)
    for kind, acted in (("ResultDecided", told.decided), ("ResultCorrected", told.corrected)):
        facts = Counter((data["game"], pair(data)) for _, data in results.facts(kind))
        compare(kind, Counter(acted.items()), facts, Counter(), findings)
    opened = Counter(data["game"] for _, data in results.facts("SheetOpened"))
    compare("sheet", Counter(dict.fromkeys(told.games, 1)), opened, Counter(), findings)
    final = Counter(game for kind in ("ResultAgreed", "ResultDecided") for game in games_of(results, kind))
    for game in told.games:
        if final[game] > 1:
            findings.add("counted twice", f"game {game} is final {final[game]} times")
    known = " ".join(one["record"].decode() for one in registration.log)
    mentioned = [entrant for several in told.entrants.values() for entrant in several]
    for entrant in mentioned:
        if entrant not in known:
            findings.add("acknowledged and lost", f"entrant {entrant}")
    gone = Counter(data["entrant"] for _, data in registration.facts("EntrantLeft"))
    compare("withdrawal", Counter(entrant for _, entrant in told.withdrawn), gone, Counter(), findings)


def games_of(service: Service, kind: str) -> list[str]:
    return [data["game"] for _, data in service.facts(kind)]


def pair(result: Mapping[str, Any]) -> Scores:
    one, other = result["scores"]
    return one, other


def compare[Key](
    what: str, told: Mapping[Key, int], there: Mapping[Key, int], perhaps: Mapping[Key, int], findings: Findings
) -> None:
    """Each that was acknowledged is there, once; one that was never answered may be."""
    for key, times in told.items():
        if there.get(key, 0) < times:
            findings.add("acknowledged and lost", f"{what} {key}")
    for key, times in there.items():
        if times > told.get(key, 0) + perhaps.get(key, 0):
            findings.add("counted twice", f"{what} {key}: {times} times")


def check_inbox(reader: str, services: Mapping[str, Service], findings: Findings) -> None:
    service = services[reader]
    for scope in service.parked:
        findings.add("inboxes closed", f"{reader} has parked {scope['scope']}: {scope['problem']}")
    for cursor in service.cursors:
        if cursor["stopped"]:
            findings.add("inboxes closed", f"{reader} hears {cursor['source']} no more: {cursor['stopped']}")
    cursors = {cursor["source"]: cursor["number"] for cursor in service.cursors}
    for source in SOURCES[reader]:
        said = services[source].messages()
        heard = [(one["number"], one["message"]) for one in service.heard if one["source"] == source]
        if heard != sorted(said.items()) or cursors.get(source, 0) != services[source].head["public"]:
            of = f"{len(heard)} of {len(said)} messages, up to {cursors.get(source, 0)}"
            findings.add("inboxes other than their source", f"{reader} has {of} of {source}")
    if service.waiting:
        findings.add("inboxes other than their source", f"{service.waiting} messages wait at {reader}")


async def stream_checked(name: str, urls: list[str], service: Service, findings: Findings) -> int:
    """As soon as the brokers agree again who of them leads."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return await check_stream(name, urls, service, findings)
        except (OSError, nats.errors.Error) as error:
            if time.monotonic() > give_up:
                findings.add("streams other than their log", f"{name} cannot be read: {error!r}")
                return 0
        await asyncio.sleep(1)


async def check_stream(name: str, urls: list[str], service: Service, findings: Findings) -> int:
    """Whatever a stream still has is what the log says under that number. Answers how much that is."""
    parts = [urlsplit(url) for url in urls]
    client = await nats.connect(
        [f"nats://{part.hostname}:{part.port}" for part in parts],
        user=unquote(parts[0].username or ""),
        password=unquote(parts[0].password or ""),
    )
    try:
        jetstream = client.jetstream(timeout=20)
        stream, said = f"roundlog-{name}", service.messages()
        state = (await jetstream.stream_info(stream)).state
        seen = 0
        for place in range(state.first_seq, state.last_seq + 1) if state.messages else ():
            try:
                message = await jetstream.get_msg(stream, place)
            except nats.js.errors.NotFoundError:
                continue
            seen += 1
            headers = message.headers or {}
            number = int(headers["Roundlog-Number"])
            if said.get(number) != message.data or headers["Roundlog-Log"] != str(service.head["incarnation"]):
                findings.add("streams other than their log", f"{name}: place {place}, number {number}")
    except nats.js.errors.NotFoundError:
        return 0  # it was deleted; it is made again when there is something to say
    else:
        return seen
    finally:
        await client.close()


def check_tables(told: Told, services: Mapping[str, Service], front: str, findings: Findings) -> None:
    lots = services["standings"].facts("TieSettled")
    for tournament in told.completed:
        rounds = [played(told, published) for _, published in sorted(told.rounds[tournament].items())]
        drawn = [[entrant for (entrant,) in data["order"]] for scope, data in lots if scope == tournament]
        wanted = ranked(told.entrants[tournament], rounds, drawn)
        shown = table(front, tournament)
        if [list(row) for row in wanted] != shown:
            findings.add("tables other than their log", f"{tournament}: {shown[:2]} instead of {wanted[:2]}")


def played(told: Told, published: Mapping[str, Any]) -> Played:
    games: list[tuple[tuple[str, str], Scores]] = []
    for one in published["pairs"]:
        first, second = (seat["entrant"] for seat in one["seats"])
        games.append(((first, second), told.result(one["game"])))
    return Played(games=games, byes=[bye["entrant"] for bye in published["byes"]])


def table(front: str, tournament: str) -> list[list[Any]]:
    url = f"{front}/standings/v1/tournaments/{tournament}/stages/swiss/standings"
    for _ in range(60):
        try:
            with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310 - the front, on loopback
                rows = json.loads(answer.read())["standings"]
        except OSError:
            time.sleep(1)
        else:
            return [[row["place"], row["shared"], row["entrant"], row["values"]] for row in rows]
    return []


def check_words(logs: Path, findings: Findings) -> None:
    for service in SOURCES:
        for log in sorted(logs.glob(f"{service}-*.log*")):
            for line in faults_in(log):
                findings.add("faults in the logs of services", f"{log.name}: {line[:600]}")


async def check(places: Mapping[str, Any]) -> dict[str, Any]:
    findings = Findings()
    told = read(Path(places["journal"]).read_text(encoding="utf-8").splitlines(), findings)
    services = await quiet(places["databases"])
    for name, service in services.items():
        check_log(name, service, findings)
    check_acts(told, services, findings)
    for name in services:
        check_inbox(name, services, findings)
    streams = {
        name: await stream_checked(name, places["brokers"][name], service, findings)
        for name, service in services.items()
    }
    check_tables(told, services, places["front"], findings)
    check_words(Path(places["logs"]), findings)
    return {
        "acknowledged": told.acts,
        "tournaments": len(told.completed),
        "results": len(told.games),
        "reports": told.reports.total(),
        "records": sum(len(service.log) for service in services.values()),
        "messages_heard": sum(len(service.heard) for service in services.values()),
        "messages_in_streams": sum(streams.values()),
        **findings.verdicts(),
    }


def main() -> int:
    places = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = asyncio.run(check(places))
    print(json.dumps(found, indent=1))
    return 0 if found["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
