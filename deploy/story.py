"""`roundlog story`: what happened to a tournament, of all four services in the order of time, as lines that people read.

The services tell it; of a bundle it is told here, from its records, without names and words: those are in no bundle.
"""

import heapq
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path

import httpx
import msgspec

from deploy import SERVICES
from deploy.bundles.streams import KINDS
from deploy.local import ports
from deploy.local.errors import CannotRun, NoSuchTournament
from deploy.local.folder import Folder
from deploy.running import running
from deploy.tokens import OPERATOR, signed
from deploy.tournament_file import refusal, require_id
from shared.bundle.container import Bundle, opened
from shared.http.story_api import MOST_ENTRIES
from shared.proof.findings import Malformed
from shared.story import StoryFilter, StoryItem, StoryTeller, happened, sentence, title
from shared.values import Json, Value

PATIENCE = 60.0  # seconds
HOURS = 0.1
WIDE = 110  # characters of a line


class ToldPage(Value):
    """As a service answers it."""

    items: list[StoryItem]
    names: dict[str, str]
    next: int | None


class StoryLine(Value):
    """What happened, where, and the names that are known there."""

    service: str
    happened: StoryItem
    names: Mapping[str, str]


def story_of(folder: Folder, tournament: str, wanted: StoryFilter) -> Iterator[StoryLine]:
    """As the services that run on this machine tell it to their operator."""
    require_id(tournament)
    _, base = running(folder)
    token = signed(folder.path / "keys", OPERATOR, hours=HOURS)
    urls = {
        service: f"http://127.0.0.1:{ports.of(service, base)}/v1/tournaments/{tournament}/story" for service in SERVICES
    }

    def told(such: StoryFilter) -> Iterator[StoryLine]:
        return by_time([told_by(service, url, token, such) for service, url in urls.items()])

    lines = told(wanted)
    if (first := next(lines, None)) is not None:
        yield first
        yield from lines
    elif next(told(StoryFilter()), None) is None:  # of a known one a filter may leave nothing
        raise NoSuchTournament(f"No service knows the tournament {tournament}: look at its id.")


def told_by(service: str, url: str, token: str, wanted: StoryFilter) -> Iterator[StoryLine]:
    query = {name: str(one) for name, one in msgspec.to_builtins(wanted).items() if one is not None}
    after: int | None = 0
    with httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as client:
        while after is not None:
            try:
                answer = client.get(url, params=query | {"after": str(after), "limit": str(MOST_ENTRIES)})
            except httpx.TransportError as error:
                raise CannotRun(f"{service} does not answer: {error}. Look at it with `roundlog status`.") from None
            if answer.status_code != HTTPStatus.OK:
                raise refusal(service, answer)
            found = msgspec.json.decode(answer.content, type=ToldPage)
            yield from (StoryLine(service=service, happened=one, names=found.names) for one in found.items)
            after = found.next


def story_in(bundle: Path, wanted: StoryFilter) -> Iterator[StoryLine]:
    """As its records tell it. Whether they are true `roundlog verify` says."""
    try:
        with opened(bundle) as found:
            yield from by_time([told_in(found, service, wanted) for service in found.list.services])
    except Malformed as malformed:
        raise CannotRun(f"{bundle} cannot be read: {malformed}") from None


def told_in(bundle: Bundle, service: str, wanted: StoryFilter) -> Iterator[StoryLine]:
    kinds = {event.__name__: event for kind in KINDS[service].values() for event in kind.decider.events}
    says = {name: sentence(kind) for name, kind in kinds.items()}
    teller = StoryTeller(kinds)
    for event in bundle.events(service):
        if event.record is not None:
            entry = teller.tell(event.position, event.record)
            if wanted.takes(entry):
                yield StoryLine(service=service, happened=happened(entry, says.get(entry.what, ""), {}), names={})


def by_time(told: Iterable[Iterator[StoryLine]]) -> Iterator[StoryLine]:
    """Of each log in its own order, whatever its clock said."""
    return heapq.merge(*told, key=lambda line: line.happened.at)


def written(line: StoryLine) -> Iterator[str]:
    """A line of what happened, and below it why, and what is different."""
    one = line.happened
    mark = f" [{one.mark}]" if one.mark else ""
    yield f"{one.at:%Y-%m-%d %H:%M:%S}  {title(one.what)}{mark}{where(line)}"
    yield f"    {line.service} {one.position}, {who(line)}"
    yield from textwrap.wrap(one.says, WIDE, initial_indent="    ", subsequent_indent="    ")
    for name, part in one.said.items():
        before = f" (before: {shown(one.before[name], line.names)})" if name in one.before else ""
        yield f"    {name.replace('_', ' ')}: {shown(part, line.names)}{before}"
    for name in one.before.keys() - one.said.keys():
        yield f"    {name.replace('_', ' ')} before: {shown(one.before[name], line.names)}"
    if why := [*filter(None, (one.reason, one.clause)), *(f"“{words}”" for words in one.words)]:
        yield f"    why: {', '.join(why)}"


def where(line: StoryLine) -> str:
    one = line.happened
    place = [one.stage, f"round {one.round}" if one.round else None, f"table {one.table}" if one.table else None]
    whom = " - ".join(line.names.get(entrant, entrant) for entrant in one.entrants)
    said = ", ".join(part for part in (*place, whom) if part)
    return f": {said}" if said else ""


def who(line: StoryLine) -> str:
    one = line.happened
    captain = one.actor.partition(":")[2].partition(":")[0]
    actor = f"captain of {line.names.get(captain, captain)}" if captain else f"{one.role or ''} {one.actor}".lstrip()
    return f"{actor} by {one.operation}" if one.operation else actor


def shown(part: Json, names: Mapping[str, str]) -> str:
    match part:
        case str():
            return names.get(part, part)
        case list():
            return ", ".join(shown(one, names) for one in part) or "nothing"
        case dict():
            return "; ".join(f"{names.get(name, name)} {shown(one, names)}" for name, one in part.items()) or "nothing"
        case bool():
            return "yes" if part else "no"
        case None:
            return "nothing"
        case _:
            return str(part)
