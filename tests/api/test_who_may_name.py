"""Every id that an operation takes besides its scope: what is another federation's is answered like what nobody knows.

Made from the OpenAPI documents, which say of every id what it names: a field that does not say it fails here.
"""

import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from http import HTTPStatus
from typing import Any, cast, get_args

import httpx
import msgspec
import pytest

from deploy import SERVICES
from deploy.databases import connection
from shared.access.references import NAMES, Kind
from shared.access.roles import Role
from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import (
    EntrantAdmitted,
    OfficialAppointed,
    PersonRegistered,
    SeasonOpened,
    TournamentAnnounced,
    TournamentStarted,
)
from shared.rulesets import catalogue, seasons
from shared.values import Value
from tests.api.asking import Client, documented, founded, issuer, service
from tests.api.holding import announce, done, enter
from tests.api.signing import signed_by
from tests.documents import example, whole
from tests.told import done as heard
from tests.told import tell

DIRECTOR, DIRECTOR_ELSEWHERE = "dora", "dana"
UNKNOWN = {
    "edition": "unheard-of.dictionary.2003",
    "record": "f" * 64,
    "webhook": "f" * 32,
}  # by what they name; of all other kinds:
UNHEARD_OF = "unheard-of"
HIDDEN = "Ferdinanda"  # a name that nobody of the own federation may read
JSON, CSV = "application/json", "text/csv"

IDS = re.compile(r"0-9A-Za-z(_)?-\]\{1,64\}")  # in the pattern of a field
# What a field is called that names something, whatever pattern it has.
CALLED = re.compile(
    r"(federation|person|tournament|season|home|school|club|region|host|hall|entrant|game|edition|team|captain|organiser|"
    r"duplicate|substitute|member|seat|bye|official|subject|director)s?(_id)?|instead_of|present|first|option|otherwise"
)
NOT_IDS = {
    ("listTournaments", "competition"): "a word of the calendar",
    ("listTournaments", "variant"): "a word of the calendar",
    ("listTournaments", "series"): "a name within the federation",
    ("takeWordList", "edition"): "how the list calls its edition",
    ("listGames", "after"): "the end of a page",
    ("listGamesOfTournament", "after"): "the end of a page",
}

NO_ID_COLUMNS = {"captain", "first", "organiser", "games"}  # yes or no, a seat, how many
# Of these nothing foreign can be met: an operation looks for them in the tournament, season or federation that it is
# about, and nowhere else. Rulesets are there for everybody, and whom a token names belongs to no federation.
WITHIN: frozenset[Kind] = frozenset(
    {
        "federation",
        "player",
        "member",
        "season",
        "origin",
        "home",
        "team",
        "entrant",
        "game",
        "record",
        "penalty",
        "protest",
        "notice",
        "webhook",
        "ruleset",
        "official",
        "scope",
    }
)
NOBODYS: frozenset[Kind] = frozenset({"official", "ruleset"})  # no federation has them
AT_THE_DOOR: Mapping[str, set[Kind]] = {
    "registration": {"person", "player", "tournament"},
    "pairing": set(),
    "results": {"edition"},
    "standings": {"person"},
}
IN_PATHS = {
    "ruleset_id": "scrabble-sk-2022-qt",
    "stage": "swiss",
    "round": "1",
    "table": "1",
    "number": "1",
    "list_id": "screlo",
    "word": "ok",
}
LINES: Mapping[str, Mapping[str, str]] = {  # of a file, besides the id that it is about
    "importEntries": {"rating": "1700"},
    "importPersons": {"name": "Ada"},
    "importFirstRatings": {"rating": "1700"},
    "importContests": {"contest": "ps-1", "kind": "written", "on": "2026-10-01", "place": "1"},
    "importGames": {"contest": "ps-1", "round": "1", "points": "1"},
    "importRatingList": {"rating": "1700"},
    "importEntrySheet": {"score_1": "400", "score_2": "300"},
}
QUERY = {"importRatingList": {"list": "screlo", "on": "2026-10-01"}}


# What operations take


class Taken(Value):
    """An id that an operation takes."""

    where: str  # path, query, body or column
    steps: tuple[str, ...]  # the name of a parameter or column, or the way into a body; "" is any place of a list
    kind: Kind | None


class Operation(Value):
    name: str
    method: str
    path: str
    may: Mapping[str, Any]
    taken: Sequence[Taken]
    example: object
    can_be_tried: bool  # without anything happening

    @property
    def is_public(self) -> bool:
        """What these answer is there for everybody, or is all in the file that was sent."""
        return not self.may or "signed_in" in self.may


def operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in whole(document)["paths"].items():
        for method, operation in methods.items():
            contents = operation.get("requestBody", {}).get("content", {})
            yield Operation(
                name=operation["operationId"],
                method=method,
                path=path,
                may=operation.get("x-roundlog-may", {}),
                taken=list(dict.fromkeys(taken(operation, contents, document))),
                example=example(contents[JSON], document) if JSON in contents else None,
                can_be_tried=any(one["name"] == "dry_run" for one in operation.get("parameters", ())),
            )


def taken(operation: Mapping[str, Any], contents: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[Taken]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] in {"path", "query"}:
            for one in ids_in(parameter["schema"], document, (parameter["name"],)):
                yield Taken(where=parameter["in"], steps=one.steps, kind=one.kind)
    yield from ids_in(contents.get(JSON, {}).get("schema", {}), document, ())
    for column, kind in contents.get(CSV, {}).get("schema", {}).get(NAMES, {}).items():
        yield Taken(where="column", steps=(column,), kind=kind)


def ids_in(
    schema: Mapping[str, Any], document: Mapping[str, Any], steps: tuple[str, ...], seen: tuple[str, ...] = ()
) -> Iterator[Taken]:
    if isinstance(named := schema.get(NAMES), str):
        yield Taken(where="body", steps=steps, kind=named)  # pyrefly: ignore[bad-argument-type] - looked at by a test
        return
    if (reference := schema.get("$ref")) and reference not in seen:
        name = reference.rpartition("/")[2]
        yield from ids_in(document["components"]["schemas"][name], document, steps, (*seen, reference))
    for choice in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(choice, ()):
            yield from ids_in(one, document, steps, seen)
    for name, one in schema.get("properties", {}).items():
        yield from ids_in(one, document, (*steps, name), seen)
    for one in (*([schema["items"]] if "items" in schema else []), *schema.get("prefixItems", ())):
        yield from ids_in(one, document, (*steps, ""), seen)
    if schema.get("type") in ("string", ["string", "null"]) and "enum" not in schema and "const" not in schema:
        called = next((step for step in reversed(steps) if step), "")
        if IDS.search(schema.get("pattern", "")) or CALLED.fullmatch(called):
            yield Taken(where="body", steps=steps, kind=None)


@pytest.mark.parametrize("name", SERVICES)
async def test_every_id_that_an_operation_takes_says_what_it_names(name: str, database: str) -> None:
    async with service(database, name=name):
        known = {one.name: one for one in operations(documented(name)) if not one.may.get("signed_in")}
    assert any(one.taken for one in known.values())
    for operation in known.values():
        for one in operation.taken:
            if (operation.name, next(step for step in reversed(one.steps) if step)) in NOT_IDS:
                continue
            assert one.kind in get_args(Kind.__value__), f"{operation.name} does not say what {one.steps} names"
            if operation.is_public or is_scope(operation, one):
                continue
            judged = AT_THE_DOOR[name] if one.where in {"body", "column"} else set[Kind]()
            assert one.kind in WITHIN | judged, f"nobody judges {one} of {operation.name}"


def is_scope(operation: Operation, one: Taken) -> bool:
    """Whether its policy judges it already, wherever it leads."""
    return one.steps == (operation.may.get("scope", next(iter(re.findall(r"{(\w+)}", operation.path)), None)),)


@pytest.mark.parametrize("name", SERVICES)
async def test_every_column_of_a_file_that_names_something_says_it(name: str, database: str) -> None:
    async with service(database, name=name):
        document = documented(name)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {}).get(CSV)
            if content is None:
                continue
            columns = set(re.split(r"[,;]", example(content, document).splitlines()[0]))
            columns |= set(re.findall(r"\w+", operation["description"].partition("Columns: ")[2].partition(".")[0]))
            wanted = {one for one in columns if CALLED.fullmatch(one) and one not in NO_ID_COLUMNS}
            assert content["schema"].get(NAMES, {}).keys() >= wanted, path


# The world that they are asked in


class World(Value):
    client: Client
    own: Mapping[str, str]  # ids by what they name
    foreign: Mapping[str, str]


@asynccontextmanager
async def registration(database: str) -> AsyncGenerator[World]:
    async with service(database, rate="0") as client:
        own, foreign = [await federation(client, name) for name in ("Ada", HIDDEN)]
        official = {"subject": DIRECTOR, "role": Role.DIRECTOR}
        answer = await client.post(f"/v1/federations/{own['federation']}/officials", json=official)
        assert answer.is_success, answer.text
        yield World(client=client, own=own, foreign=foreign)


async def federation(client: Client, name: str) -> Mapping[str, str]:
    """With one thing of each kind."""
    identity = await founded(client, f"Federation of {name}")

    async def made(what: str, **said: Any) -> str:
        answer = await client.post(what, json=said)
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        return answer.json()["id"]

    person = await made("/v1/persons", federation=identity, name=name)
    season = await made(f"/v1/federations/{identity}/seasons", name="2026", rules="scrabble-sk-2022")
    home = await made(f"/v1/federations/{identity}/homes", kind="region", name="Košice")
    cup, final = [(await announce(client, identity)).json()["id"] for _ in range(2)]
    await done(client, cup, "next-level", tournament=final)
    await done(client, cup, "open")
    entrant = (await enter(client, cup, f"{name} the Second", 1700)).json()
    player = entrant["persons"][0]["id"]
    notice = await made(f"/v1/tournaments/{cup}/notices", words=f"{name} has found a purse.")
    return {
        "federation": identity,
        "person": person,
        "player": player,
        "member": player,
        "tournament": cup,
        "season": season,
        "home": home,
        "team": entrant["id"],
        "entrant": entrant["id"],
        "origin": final,
        "notice": notice,
    }


@asynccontextmanager
async def told(database: str, name: str) -> AsyncGenerator[World]:
    """What registration and pairing have told the others."""
    own, foreign = things("1"), things("2")
    async with service(database, name=name, signed_in=False, rate="0") as client:
        for its, director in ((own, DIRECTOR), (foreign, DIRECTOR_ELSEWHERE)):
            appointed = OfficialAppointed(scope=its["federation"], subject=director, role=Role.DIRECTOR)
            await tell(database, "registration", its["federation"], appointed)
            await tell(database, "registration", its["season"], season_of(its))
            for person in persons_of(its):
                registered = PersonRegistered(person=person, federation=its["federation"])
                await tell(database, "registration", person, registered)
            await tell(database, "registration", its["tournament"], *begun(its))
            if name != "pairing":
                await tell(database, "pairing", its["tournament"], published(its))
        await heard(database)
        if name == "results":
            for its, director in ((own, DIRECTOR), (foreign, DIRECTOR_ELSEWHERE)):
                await take_words(client, its["federation"], director)
        async with connection(database) as names:
            for its, called in ((own, "Ada"), (foreign, HIDDEN)):
                for person in persons_of(its):
                    await names.execute("insert into names.names values ($1, $2, 1)", person, called)
        yield World(client=client, own=own, foreign=foreign)


async def take_words(client: Client, owner: str, director: str) -> None:
    body = {"name": "dictionary", "edition": "2003", "dated": "2003-01-01", "words": "slovo"}
    headers = signed_by(issuer().token(director))
    answer = await client.post(f"/v1/federations/{owner}/word-lists", json=body, headers=headers)
    assert answer.status_code == HTTPStatus.OK, answer.text


def things(number: str) -> Mapping[str, str]:
    kinds = ("federation", "season", "tournament", "person", "player", "entrant", "game")
    named = {kind: f"{kind}-{number}" for kind in kinds}
    others = {
        "edition": f"federation-{number}.dictionary.2003",
        "record": number * 64,
        "penalty": number,
        "protest": number,
        "webhook": number * 32,
    }
    return {**named, **others, "origin": named["tournament"]}


def persons_of(its: Mapping[str, str]) -> Sequence[str]:
    return its["person"], its["player"], f"{its['player']}-b"


def season_of(its: Mapping[str, str]) -> SeasonOpened:
    rules = msgspec.Raw(seasons.load("scrabble-sk-2022").model_dump_json().encode())
    return SeasonOpened(season=its["season"], federation=its["federation"], name="2026", rules=rules)


def begun(its: Mapping[str, str]) -> Iterator[msgspec.Struct]:
    ruleset = catalogue.load("scrabble-sk-2022-qt")
    tournament, owner, zone = its["tournament"], its["federation"], "Europe/Bratislava"
    yield TournamentAnnounced(
        tournament=tournament,
        federation=owner,
        name="Cup",
        ruleset=ruleset.id,
        time_zone=zone,
        starts_on="2026-11-21",
        season=its["season"],
        season_kind="live",
    )
    whole = msgspec.Raw(ruleset.model_dump_json().encode())
    yield TournamentStarted(tournament=tournament, federation=owner, ruleset=whole, time_zone=zone)
    for number, (entrant, person) in enumerate(zip(seats_of(its), persons_of(its)[1:], strict=True), start=1):
        yield EntrantAdmitted(entrant=entrant, tournament=tournament, persons=(person,), number=number)


def seats_of(its: Mapping[str, str]) -> tuple[str, str]:
    return its["entrant"], f"{its['entrant']}-b"


def published(its: Mapping[str, str]) -> RoundPublished:
    game = PlannedGame(game=its["game"], table=1, seats=seats_of(its))
    return RoundPublished(tournament=its["tournament"], stage="swiss", round=1, games=(game,))


# What they are asked


async def ask(world: World, operation: Operation, about: Taken, identity: str) -> httpx.Response:
    """All that it takes is of the own federation, except for what the question is about."""
    path = operation.path
    for step in re.findall(r"{(\w+)}", operation.path):
        kind = next((one.kind for one in operation.taken if (one.where, one.steps) == ("path", (step,))), None)
        value = IN_PATHS.get(step) or world.own[kind or step.removesuffix("_id")]
        path = path.replace(f"{{{step}}}", identity if (about.where, about.steps) == ("path", (step,)) else value)
    query = (
        dict(QUERY.get(operation.name, {}))
        | ({"dry_run": "true"} if operation.can_be_tried else {})
        | ({about.steps[0]: identity} if about.where == "query" else {})
    )
    headers, content, json = signed_by(issuer().token(DIRECTOR)), None, None
    if about.where == "column" or operation.name in LINES:
        columns = [one for one in operation.taken if one.where == "column"]
        line = {one.steps[0]: world.own[one.kind] for one in columns if one.kind in {"person", "game"}}
        line |= dict(LINES[operation.name]) | ({about.steps[0]: identity} if about.where == "column" else {})
        content = "\r\n".join([",".join(line), ",".join(line.values()), ""]).encode()
        headers |= {"Content-Type": CSV}
    elif operation.method == "post":
        json = deepcopy(operation.example)
        for one in operation.taken:
            if one.where == "body" and one.kind is not None and one.kind in world.own:
                json = changed(json, one.steps, world.own[one.kind], is_forced=False)
        json = changed(json, about.steps, identity, is_forced=True) if about.where == "body" else json
    return await world.client.request(operation.method, path, headers=headers, params=query, content=content, json=json)


def changed(body: object, steps: tuple[str, ...], identity: str, *, is_forced: bool) -> object:
    """With another id in this place; where nothing stands there, only if it is forced."""
    if not steps:
        return identity if is_forced or isinstance(body, str) else body
    step, *following = steps
    if step == "":
        there = cast("list[object]", body) if isinstance(body, list) else []
        first = there[:1] or [None] * is_forced
        return [changed(one, tuple(following), identity, is_forced=is_forced) for one in first] + there[1:]
    if not isinstance(body, dict) and not is_forced:
        return body
    members = dict(cast("dict[str, object]", body)) if isinstance(body, dict) else {}
    if step in members or is_forced:
        members[step] = changed(members.get(step), tuple(following), identity, is_forced=is_forced)
    return members


def same(answer: httpx.Response, identity: str) -> tuple[int, str]:
    """What the answer says, whatever id it was asked with."""
    return answer.status_code, "" if answer.is_success else answer.text.replace(identity, "…")


@pytest.mark.parametrize("name", SERVICES)
async def test_what_another_federation_has_is_answered_like_what_nobody_knows(name: str, database: str) -> None:
    async with registration(database) if name == "registration" else told(database, name) as world:
        found = [
            (operation, one)
            for operation in operations(documented(name))
            for one in operation.taken
            if not operation.is_public and one.kind not in {*NOBODYS, None} and not is_scope(operation, one)
        ]
        assert found
        for operation, one in found:
            assert one.kind is not None  # or another test of these fails
            ids = world.foreign[one.kind], UNKNOWN.get(one.kind, UNHEARD_OF)
            foreign, unknown = [(identity, await ask(world, operation, one, identity)) for identity in ids]
            assert same(foreign[1], foreign[0]) == same(unknown[1], unknown[0]), (operation.name, one)
            assert HIDDEN not in foreign[1].text, (operation.name, one)
            if one.where == "body" and one.kind in AT_THE_DOOR[name]:
                own = await ask(world, operation, one, world.own[one.kind])
                pointer = "".join(f"/{step or 0}" for step in one.steps)
                assert pointer in strange(foreign[1]), (operation.name, one, foreign[1].text)
                assert pointer not in strange(own), (operation.name, one, own.text)


async def test_no_refusal_says_how_somebody_of_another_federation_is_called(database: str) -> None:
    """Whatever text it repeats, and whether or not an id belongs there."""
    async with registration(database) as world:
        document = documented("registration")
        found = [
            (operation, one)
            for operation in operations(document)
            for one in dict.fromkeys(texts_in(body_of(operation, document), document, ()))
        ]
        assert len({one.steps for _, one in found}) > 1
        repeated = 0
        for operation, one in found:
            for kind in ("person", "player", "entrant"):
                answer = await ask(world, operation, one, world.foreign[kind])
                repeated += answer.is_client_error and world.foreign[kind] in answer.text
                assert HIDDEN not in answer.text, (operation.name, one)
        assert repeated, "no refusal repeats anything"


def body_of(operation: Operation, document: Mapping[str, Any]) -> Mapping[str, Any]:
    sent = document["paths"][operation.path][operation.method].get("requestBody", {}).get("content", {})
    return sent.get(JSON, {}).get("schema", {})


def texts_in(
    schema: Mapping[str, Any], document: Mapping[str, Any], steps: tuple[str, ...], seen: tuple[str, ...] = ()
) -> Iterator[Taken]:
    """Every place of a body where any text may stand."""
    if (reference := schema.get("$ref")) and reference not in seen:
        name = reference.rpartition("/")[2]
        yield from texts_in(document["components"]["schemas"][name], document, steps, (*seen, reference))
    for one in (one for choice in ("anyOf", "oneOf", "allOf") for one in schema.get(choice, ())):
        yield from texts_in(one, document, steps, seen)
    for name, one in schema.get("properties", {}).items():
        yield from texts_in(one, document, (*steps, name), seen)
    for one in (*([schema["items"]] if "items" in schema else []), *schema.get("prefixItems", ())):
        yield from texts_in(one, document, (*steps, ""), seen)
    if schema.get("type") in ("string", ["string", "null"]) and "enum" not in schema and "const" not in schema:
        yield Taken(where="body", steps=steps, kind=None)


def strange(answer: httpx.Response) -> list[str]:
    if answer.is_success or answer.json()["type"] != "/problems/not-of-this-federation":
        return []
    return [fault["pointer"] for fault in answer.json()["errors"]]
