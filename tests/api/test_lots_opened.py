"""Lots that are mixed with dice of the hall: the director opens them, whoever draws before is refused, and nobody who has all
rights on a database chooses them unseen."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from http import HTTPStatus
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from deploy.databases import at, connection
from services.pairing.calculate import paired
from shared.bundle.lots import NOT_MIXED
from shared.contracts.lots import LotDrawn, LotSeedCommitted, LotSeedRevealed
from shared.contracts.registration import (
    EntrantAdmitted,
    LotsOpened,
    LotSourceMoved,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentCompleted,
)
from shared.lots import formula
from shared.lots.known import LotsKnown
from tests import drawn_again
from tests.api.asking import Client, issuer, problem, service
from tests.api.hall import ARBITER, Hall, T, hall
from tests.api.holding import act, announce, done, entered, founded, opened
from tests.api.signing import OPERATOR, signed_by
from tests.drawn_again import SaidOfLots
from tests.told import done as reacted
from tests.told import tell

DICE = "3 1 6 6 2 5 4 1 1 3 2 6 5 5 4 2 3 1 6 4"
LINES = {kind.__name__: kind for kind in (LotSeedCommitted, LotDrawn, LotSeedRevealed)}
NEIGHBOURS = ("pairing", "results", "standings")


def secret(service_name: str) -> bytes:
    return sha256(service_name.encode()).digest()


async def lots_said(client: Client, tournament: str, *, by: str = OPERATOR) -> list[SaidOfLots]:
    lines = (await client.get(f"/v1/log/{tournament}", headers=signed_by(issuer().token(by)))).content.splitlines()
    records = [line["record"] for line in map(json.loads, lines) if "record" in line]
    return [msgspec.convert(one["data"], LINES[one["type"]]) for one in records if one["type"] in LINES]


# Registration


async def commit(database: str, tournament: str, source: str, *services: str) -> dict[str, str]:
    """What neighbours have told of their secrets."""
    found = {
        one: formula.commitment(secret(one), service=one, tournament=tournament, source=source) for one in services
    }
    for one, commitment in found.items():
        told = LotSeedCommitted(tournament=tournament, commitment=commitment, source=source)
        await tell(database, one, tournament, told)
    return found


async def test_the_director_opens_the_lots_of_a_field_that_is_fixed(database: str) -> None:
    async with service(database) as client:
        rules = {"ruleset": "carcassonne-cz-qualification", "first_round": "10:00"}
        tournament = await opened(client, lot_source="dice 20", **rules)
        await done(client, tournament, "officials", subject="dora", role="director")
        await entered(client, tournament, *"ABCDEF")
        problem(await act(client, tournament, "open-lots", value=DICE), HTTPStatus.CONFLICT, "not-now")
        await done(client, tournament, "open-check-in")
        early = problem(
            await act(client, tournament, "open-lots", value=DICE), HTTPStatus.CONFLICT, "too-early-for-lots"
        )
        assert "6 entrants have not checked in" in early.detail
        await done(client, tournament, "check-in")
        problem(await act(client, tournament, "start"), HTTPStatus.CONFLICT, "lots-not-opened")
        blockers = (await client.get(f"/v1/tournaments/{tournament}/start-check")).json()["blockers"]
        assert [one["kind"] for one in blockers] == ["lots-not-opened"]
        unheard = problem(
            await act(client, tournament, "open-lots", value=DICE), HTTPStatus.CONFLICT, "secrets-not-heard"
        )
        assert "pairing and results and standings" in unheard.detail
        heard = await commit(database, tournament, "dice 20", *NEIGHBOURS)
        for said in ("", "1 2 3", DICE.replace("5", "9")):
            wrong = await act(client, tournament, "open-lots", value=said)
            assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
            assert wrong.json()["errors"][0]["pointer"] == "/value"
        tried = await act(client, tournament, "open-lots?dry_run=true", value=DICE)
        assert f"The lots follow from dice 20: {DICE}." in tried.json()["changes"]
        answer = await done(client, tournament, "open-lots", value=DICE.replace(" ", ", "))
        assert (answer["lot_source"], answer["lot_value"]) == ("dice 20", DICE)
        assert not answer["allowed_actions"]["openLots"]["allowed"]
        assert await done(client, tournament, "open-lots", value=DICE) == answer
        twice = await act(client, tournament, "open-lots", value=DICE[::-1])
        problem(twice, HTTPStatus.CONFLICT, "lots-already-opened")
        problem(await act(client, tournament, "open"), HTTPStatus.CONFLICT, "field-is-fixed")
        late = await act(client, tournament, "entrants", person={"name": "G"}, decision="other")
        assert late.status_code == HTTPStatus.CONFLICT, late.text
        await done(client, tournament, "start")
        problem(await act(client, tournament, "open-lots", by="sam", value=DICE), HTTPStatus.FORBIDDEN, "not-permitted")
        await done(client, tournament, "cancel")
        said = await lots_said(client, tournament)
        assert [type(one) for one in said] == [LotSeedCommitted, LotDrawn, LotSeedRevealed]
        own = said[0]
        assert isinstance(own, LotSeedCommitted)
        known = LotsKnown(source="dice 20", value=DICE, commitments=heard | {"registration": own.commitment})
        assert drawn_again.faults(tournament, "registration", known, said) == []


async def test_a_source_is_named_in_the_announcement_and_moved_to_a_later_one(database: str) -> None:
    async with service(database) as client:
        federation = await founded(client, "SSS")
        for wrong in ("dice 3", "drand fastnet 1", "drand quicknet 1", "drand quicknet 900000000"):
            refused = await announce(client, federation, lot_source=wrong)
            assert refused.json()["errors"][0]["pointer"] == "/lot_source", refused.text
        tournament = (
            await announce(client, federation, lot_source="drand quicknet 90000000", starts_on="2031-11-21")
        ).json()["id"]
        moved = await done(client, tournament, "move-lot-source", source="drand quicknet 90000001")
        assert moved["lot_source"].endswith(" 90000001")
        back = await act(client, tournament, "move-lot-source", source="drand quicknet 90000000")
        problem(back, HTTPStatus.CONFLICT, "source-stands")
        first, second = await lots_said(client, tournament)
        assert isinstance(second, LotSeedCommitted)
        assert second.source == moved["lot_source"]
        await done(client, tournament, "cancel")
        *_, revealed = said = await lots_said(client, tournament)
        assert isinstance(revealed, LotSeedRevealed)
        known = LotsKnown(source=second.source)
        assert drawn_again.faults(tournament, "registration", known, said) == []  # both are of the one secret
        assert first != second
        without = (await announce(client, federation)).json()["id"]
        problem(await act(client, without, "open-lots", value=DICE), HTTPStatus.CONFLICT, "no-lot-source")


# Pairing

IDS = [f"019ab3f0-5c{number:02}-7d20-9a41-8e7f6d5c4b{number:02}" for number in range(1, 9)]
ENTRANTS = [
    EntrantAdmitted(entrant=one, tournament=T, persons=(f"019aa0{one[6:]}",), number=n, rating=2000 - 10 * n)
    for n, one in enumerate(IDS, start=1)
]


def announced(source: str | None) -> TournamentAnnounced:
    return TournamentAnnounced(
        tournament=T,
        federation="sss",
        name="Košice Cup",
        ruleset="gomoku-cfp",
        time_zone="Europe/Bratislava",
        starts_on="2026-11-21",
        lot_source=source,
    )


@asynccontextmanager
async def mixed(database: str) -> AsyncGenerator[Hall]:
    async with hall(database, rules="gomoku-cfp", options={"pairing.rounds": 3}, entrants=ENTRANTS) as here:
        await here.hear("registration", announced("dice 20"))
        yield here


async def opening(here: Hall) -> LotsOpened:
    (committed,) = await lots_said(here.client, T)
    assert isinstance(committed, LotSeedCommitted)
    others = dict.fromkeys(("registration", "results", "standings"), "ab" * 32)
    commitments = others | {"pairing": committed.commitment}
    return LotsOpened(tournament=T, source="dice 20", value=DICE, commitments=commitments)


def known_by(opened: LotsOpened) -> LotsKnown:
    return LotsKnown(source=opened.source, value=opened.value, commitments=opened.commitments)


async def test_who_draws_before_the_lots_are_opened_is_refused_and_told_what_to_do(database: str) -> None:
    async with mixed(database) as here:
        early = problem(await here.act(1, "draft"), HTTPStatus.CONFLICT, "lots-not-opened")
        assert "let the director open the lots" in early.detail
        ahead = (await here.see("/next")).json()
        assert not ahead["ready"]
        assert [(one["kind"], one["detail"]) for one in ahead["obstacles"]] == [("lots-not-opened", early.detail)]
        assert {one["reason"] for one in ahead["allowed_actions"].values()} == {early.detail}
        stages = (await here.client.get(f"/v1/tournaments/{T}/stages")).json()
        assert (stages["next"]["ready"], stages["next"]["in_the_way"]) == (False, [early.detail])
        opened = await opening(here)
        await here.hear("registration", opened)
        assert (await here.see("/next")).json()["ready"]
        drafted = await here.done(1, "draft")
        told = " ".join((await here.see("/rounds/1/why")).json()["explanation"])
        assert "the key of these lots" not in told
        assert f"dice 20, which was {DICE}" in told
        assert opened.commitments["pairing"] in told
        headers = signed_by(issuer().token(OPERATOR))
        file = (await here.client.get(f"/v1/tournaments/{T}/file", headers=headers)).json()
        assert file["lots"] == {"tournament": T, "source": "dice 20", "value": DICE}
        seats = [tuple(seat["entrant"] for seat in pair["seats"]) for pair in drafted["pairs"]]
        assert [tuple(one.seats) for one in paired(file).pairs] == seats
        await here.hear("registration", TournamentCompleted(tournament=T))
        said = await lots_said(here.client, T)
        assert drawn_again.faults(T, "pairing", known_by(opened), said) == []
        revealed = said[-1]
        assert isinstance(revealed, LotSeedRevealed)
        key = formula.mixed(bytes.fromhex(revealed.seed), tournament=T, source="dice 20", value=DICE)
        assert key.key.hex() == file["seed"]
        *_, last = (await here.see("/rounds/1/why")).json()["explanation"]
        assert last == f"The secret is revealed, and the key of these lots is {key.key.hex()}."


async def test_a_dry_run_does_not_show_a_lot_before_it_is_drawn(database: str) -> None:
    """Whoever could look would change who is there until they like it, and the log would tell of no lot."""
    async with mixed(database) as here:
        await here.hear("registration", await opening(here))
        tried = await here.tried(1, "pair-and-publish")
        assert tried["changes"][0].startswith("Round 1 is published with ")
        assert "a lot decides" in tried["changes"][1]
        assert "will sit" not in str(tried)
        assert "the bye" not in " ".join(tried["changes"][1:])
        assert [type(one) for one in await lots_said(here.client, T)] == [LotSeedCommitted]
        drafted = await here.done(1, "draft")
        tried = await here.tried(1, "pair-and-publish")
        assert sum("will sit" in line for line in tried["changes"]) == len(drafted["pairs"])
        assert [type(one) for one in await lots_said(here.client, T)] == [LotSeedCommitted, LotDrawn]
        again = await here.done(1, "draft")
        assert again["pairs"] == drafted["pairs"]


async def test_without_a_source_it_is_said_that_the_seed_could_be_chosen(database: str) -> None:
    async with hall(database, rules="gomoku-cfp", options={"pairing.rounds": 3}, entrants=ENTRANTS) as here:
        await here.hear("registration", announced(None))
        await here.done(1, "draft")
        told = (await here.see("/rounds/1/why")).json()["explanation"]
        assert "the seed could be chosen" in " ".join(told)
        await here.hear("registration", TournamentCancelled(tournament=T))
        said = await lots_said(here.client, T)
        assert drawn_again.faults(T, "pairing", LotsKnown(), said) == []
        assert drawn_again.unproved(T, "pairing", LotsKnown(), said) == [NOT_MIXED]


async def test_a_source_that_moves_keeps_the_secret(database: str) -> None:
    async with mixed(database) as here:
        await here.hear("registration", LotSourceMoved(tournament=T, source="dice 30"))
        await here.hear("registration", TournamentCancelled(tournament=T))
        said = await lots_said(here.client, T)
        assert [type(one) for one in said] == [LotSeedCommitted, LotSeedCommitted, LotSeedRevealed]
        assert drawn_again.faults(T, "pairing", LotsKnown(source="dice 30"), said) == []


# Whoever administers the database of pairing

SEED = "update beside.seeds set seed = $1"
COMMITTED = "select position, record, message from log.log where type = 'LotSeedCommitted'"
REWRITE = "update log.log set record = $2, message = $3 where position = $1"
HEARD = "select arrival, message from inbox.events where type = 'LotsOpened'"
HEAR_ANEW = "update inbox.events set message = $2 where arrival = $1"


def ground(wish: str) -> bytes:
    """A secret by which the lot of round 1 begins with whom somebody wants, now that they know the dice."""
    for number in count():
        found = sha256(str(number).encode()).digest()
        key = formula.mixed(found, tournament=T, source="dice 20", value=DICE)
        if key.draw("swiss round 1", IDS)[0] == wish:
            return found
    raise AssertionError


def put(message: bytes, changed: Mapping[str, Any]) -> bytes:
    told = json.loads(message)
    told["data"] |= changed
    return json.dumps(told, separators=(",", ":")).encode()


@pytest.mark.parametrize("how_far", ["secret", "commitment", "inbox"])
async def test_a_secret_that_is_ground_with_all_rights_draws_nothing_or_is_seen(
    server: str, database: str, how_far: str
) -> None:
    """The dice are known, and one service is in the hands of its administrator: the others have heard its commitment."""
    async with mixed(database) as here:
        opened = await opening(here)
        await here.hear("registration", opened)
    wanted = ground(IDS[3])
    theirs = formula.commitment(wanted, service="pairing", tournament=T, source="dice 20")
    async with connection(at(server, database=urlsplit(database).path.removeprefix("/"))) as attacker:
        await attacker.execute(SEED, wanted)
        if how_far != "secret":
            (row,) = await attacker.fetch(COMMITTED)
            messages = [put(row[name], {"commitment": theirs}) for name in ("record", "message")]
            await attacker.execute(REWRITE, row["position"], *messages)
        if how_far == "inbox":
            (row,) = await attacker.fetch(HEARD)
            commitments = opened.commitments | {"pairing": theirs}
            await attacker.execute(HEAR_ANEW, row["arrival"], put(row["message"], {"commitments": commitments}))
    async with service(database, name="pairing", signed_in=False, rate="0") as client:
        client.headers.update(signed_by(issuer().token(ARBITER)))
        again = Hall(client=client, database=database)
        answer = await again.act(1, "draft")
        if how_far != "inbox":
            refused = problem(answer, HTTPStatus.CONFLICT, "secret-not-heard")
            assert "restore it from the backup" in refused.detail
            return
        assert answer.status_code == HTTPStatus.OK, answer.text
        await tell(database, "registration", T, TournamentCompleted(tournament=T))
        await reacted(database)
        said = await lots_said(client, T)
        assert drawn_again.faults(T, "pairing", known_by(opened), said) != []  # by what registration has in its log


@pytest.mark.parametrize("what", ["value", "order"])
async def test_a_lot_that_is_not_drawn_by_what_was_opened_is_seen(database: str, what: str) -> None:
    async with mixed(database) as here:
        opened = await opening(here)
        other = msgspec.structs.replace(opened, value=DICE.replace("6", "1")) if what == "value" else opened
        await here.hear("registration", other)
        await here.done(1, "draft")
        await here.hear("registration", TournamentCompleted(tournament=T))
        said = await lots_said(here.client, T)
    if what == "order":
        assert drawn_again.faults(T, "pairing", known_by(opened), said) == []
        said = [
            msgspec.structs.replace(one, order=one.order[::-1]) if isinstance(one, LotDrawn) else one for one in said
        ]
    found = drawn_again.faults(T, "pairing", known_by(opened), said)
    assert "falls otherwise" in found[0]
