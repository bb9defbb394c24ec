"""The accounts at the broker: what each service may say, ask and hear there.

An account is a world of its own. Nobody outside sees its subjects and streams, except what it hands out to somebody by
name. So a service does with its own streams as it likes, and no setting of a stream or of a reader, such as one that
repeats messages under another subject, carries anything into the account of another. That is why there are accounts,
and not only permissions within a single one.

Inside its account a service may say, ask and hear only what it needs: whatever else it tries is refused by the broker,
and not merely heard by nobody. No account may do more than one service: who operates acts as the service concerned.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote, urlsplit, urlunsplit

from shared.messaging import subjects
from shared.values import Value

ANSWERS = "_R_.>"  # where the broker wants the answer to a request of another account
INBOXES = "_INBOX.>"  # where answers come, within the own account
OF_OWN_STREAMS = ("INFO", "CREATE", "UPDATE", "PURGE", "DELETE", "MSG.GET")
INTRODUCTION = """\
# Generated from deploy/accounts.py by `make docs`. The passwords stand in a file beside this one, each as a line
# such as REGISTRATION: "…", and the broker's own settings in a file that includes this one.

include "passwords.conf"

"""


class Crossing(Value):
    """What one account hands out to another, under which name there."""

    kind: str  # a stream is heard, a service is asked
    subject: str
    name: str
    many: bool = False  # one request has many answers


def crossings(source: str, reader: str) -> Iterator[Crossing]:
    """All that a service and one of those who hear it have to do with each other."""
    yield Crossing(kind="stream", subject=subjects.head(source), name=subjects.head(source))
    yield Crossing(kind="service", subject=subjects.replay(source), name=subjects.replay(source))
    for stream in streams(source):
        place = f"{stream}.{subjects.reader(reader)}"
        for asked in ("CONSUMER.INFO", "CONSUMER.MSG.NEXT", *(["CONSUMER.RESET"] if stream == subjects.NAMES else [])):
            yield Crossing(
                kind="service",
                subject=f"$JS.API.{asked}.{place}",
                name=f"{subjects.api(stream)}.{asked}.{place}",
                many=asked == "CONSUMER.MSG.NEXT",
            )
        yield Crossing(kind="service", subject=f"$JS.ACK.{place}.>", name=f"$JS.ACK.{place}.>")


def streams(service: str) -> list[str]:
    return [subjects.stream(service), *([subjects.NAMES] if service == subjects.NAMING else [])]


def may_publish(service: str) -> list[str]:
    names = [subjects.name("*")] if service == subjects.NAMING else []
    own = [f"$JS.API.STREAM.{act}.{stream}" for stream in streams(service) for act in OF_OWN_STREAMS]
    places = [
        f"$JS.API.CONSUMER.CREATE.{stream}.{subjects.reader(reader)}"
        for stream in streams(service)
        for reader in subjects.readers(service)
    ]
    asked = [crossing.name for crossing in imported(service) if crossing.kind == "service"]
    said = [subjects.events(service), subjects.head(service), *names, ANSWERS]
    return [*said, "$JS.API.INFO", *own, *places, *asked]


def may_subscribe(service: str) -> list[str]:
    heard = [crossing.name for crossing in imported(service) if crossing.kind == "stream"]
    return [INBOXES, subjects.replay(service), *heard]


def imported(service: str) -> list[Crossing]:
    return [crossing for source in subjects.SOURCES[service] for crossing in crossings(source, service)]


def passwords(known: Mapping[str, str]) -> str:
    """The file that is included by what `written` answers."""
    return "".join(f"{variable(service)}: {json.dumps(password)}\n" for service, password in known.items())


def variable(service: str) -> str:
    return service.upper()


def own_url(server: str, service: str, password: str) -> str:
    """The URL of the broker for a service, as the user of its own account."""
    url = urlsplit(server)
    place = url.netloc.rpartition("@")[2]
    return urlunsplit(url._replace(netloc=f"{service}:{quote(password, safe='')}@{place}"))


def written() -> str:
    """The accounts in the broker's own words."""
    accounts = [line for service in subjects.SOURCES for line in account(service)]
    return INTRODUCTION + "\n".join(["accounts: {", *accounts, "}", ""])


def account(service: str) -> Iterator[str]:
    yield f"  {service}: {{"
    yield "    jetstream: enabled"
    yield f"    users: [{{ user: {service}, password: ${variable(service)}, permissions: {{"
    yield from block("publish", map(json.dumps, may_publish(service)))
    yield from block("subscribe", map(json.dumps, may_subscribe(service)))
    yield "    } }]"
    yield from block("exports", exports(service))
    yield from block("imports", imports(service))
    yield "  }"


def block(name: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"    {name}: ["
    yield from (f"      {line}" for line in lines)
    yield "    ]"


def exports(service: str) -> Iterator[str]:
    takers: dict[Crossing, list[str]] = {}
    for reader in subjects.readers(service):
        for crossing in crossings(service, reader):
            takers.setdefault(crossing, []).append(reader)
    for crossing, accounts in takers.items():
        answers = ", response: stream" if crossing.many else ""
        yield f"{{ {crossing.kind}: {json.dumps(crossing.subject)}{answers}, accounts: {words(accounts)} }}"


def imports(service: str) -> Iterator[str]:
    for source in subjects.SOURCES[service]:
        for crossing in crossings(source, service):
            taken = f"{{ account: {source}, subject: {json.dumps(crossing.subject)} }}"
            name = f", to: {json.dumps(crossing.name)}" if crossing.name != crossing.subject else ""
            yield f"{{ {crossing.kind}: {taken}{name} }}"


def words(accounts: Sequence[str]) -> str:
    return f"[{', '.join(accounts)}]"
