"""Objections at a Scrabble table: judged by the lists of the tournament, and by what the rules say they bring."""

from http import HTTPStatus
from typing import Any

import pytest

from shared.access.roles import Role
from tests.api.asking import problem
from tests.api.hearing import appointed
from tests.api.tables import Hall, hall, planned
from tests.api.test_families import done

GAMES = (planned("g1", 1, "ada", "ben"),)


async def rule(cup: Hall, kind: str, **said: Any) -> dict[str, Any]:
    answer = await cup.act("g1", "objections", {"kind": kind, "objector": 1} | said, by="art")
    return done(answer)["rulings"][-1]


@pytest.mark.rule("SK.RES-14", "SK.X-4", "SK.X-5")
async def test_words_are_looked_up_and_the_referee_decides_what_no_list_does(database: str) -> None:
    async with hall(database, games=GAMES) as cup:
        await cup.hear("registration", appointed("sss", "cora", Role.COUNCIL))
        b5 = {"name": "B5", "edition": "03", "dated": "2022-10-17", "declared": 1, "words": "hélium"}
        taken = await cup.client.post("/v1/federations/sss/word-lists", json=b5, headers=cup.signed("cora"))
        assert taken.status_code == HTTPStatus.OK
        unknown = await cup.act("g1", "objections", {"kind": "word", "objector": 1, "laid": ["kolobežka"]}, by="art")
        problem(unknown, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        found = await rule(cup, "word", laid=["ypsilon", "kolobežka"], referee={"kolobežka": "valid"})
        assert (found["upheld"], found["turn"], found["costs"]) == (False, "stands", 10)
        assert [(word["by"], word["valid"]) for word in found["words_ruled"]] == [
            ("the regulations", True),
            ("referee", True),
        ]
        looked_up = {"haluzák": {"lemma": "haluzák", "kssj": {"labels": "slang."}}, "ničoty": {"lemma": "ničota"}}
        nowhere = {"kind": "word", "objector": 1, "laid": ["haluzák", "ničoty"], "referee": looked_up}
        unread = await cup.act("g1", "objections", nowhere, by="art")
        problem(unread, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert [fault["pointer"] for fault in unread.json()["errors"]] == ["/laid/1"]
        banned = await rule(cup, "word", laid=["haluzák"], referee=looked_up)
        assert banned["words_ruled"] == [
            {"word": "HALUZÁK", "valid": False, "clause": "10.2.8", "by": "referee", "lemma": "haluzák"}
        ]
        lost = await rule(cup, "word", laid=["ypsilon", "ch"], words="Asked twice.")
        assert (lost["upheld"], lost["turn"], lost["costs"]) == (True, "lost", 5)
        listed = await cup.client.get("/v1/games/g1/objections", headers=cup.signed("sue"))
        assert [one["words"] for one in done(listed)["rulings"]] == [None, None, "Asked twice."]


type Brought = tuple[bool, str, list[int], int]

BROUGHT: list[
    tuple[str, dict[str, Any], Brought]
] = [  # by an objection: upheld, the turn, what the turns count, what it costs the objector
    ("points", {"correct": 24, "announced": 30}, (True, "stands", [18], 0)),
    ("points", {"correct": 24, "announced": 24}, (False, "stands", [24], 5)),
    ("points", {"correct": 30, "announced": 24}, (False, "stands", [24], 0)),
    ("tiles", {"held": 8, "due": 7}, (True, "lost", [], 0)),
    ("exchange", {"in_bag": 7}, (False, "stands", [], 5)),
    ("unwritten", {"turns": [{"points": 20, "word": "dom"}, {"points": 9}]}, (True, "stands", [20, 0], 0)),
    ("behaviour", {"sanction": "turn-lost"}, (True, "lost", [], 0)),
    ("behaviour", {}, (False, "stands", [], 0)),
]


@pytest.mark.rule("SK.RES-13", "SK.RES-14")
async def test_each_kind_of_objection_brings_what_the_rules_say(database: str) -> None:
    async with hall(database, games=GAMES) as cup:
        for kind, said, brought in BROUGHT:
            found = await rule(cup, kind, **said)
            assert (found["upheld"], found["turn"], found["points"], found["costs"]) == brought
        hasty = await rule(cup, "exchange", in_bag=6, timing={"seconds": 8, "drawn_after": 4})
        assert (hasty["turn"], hasty["drawn_too_soon"]) == ("lost", True)
        too_late = {"kind": "tiles", "objector": 1, "held": 8, "due": 7, "timing": {"seconds": 12, "bag_empty": True}}
        refused = await cup.act("g1", "objections", too_late, by="art")
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "objection-too-late")
        assert (await cup.look("g1"))["status"] == "pending"


@pytest.mark.rule("SK.X-6")
async def test_online_the_server_decides_and_no_list(database: str) -> None:
    async with hall(database, games=GAMES, rules="scrabble-sk-2022-online") as cup:
        refused = await cup.act("g1", "objections", {"kind": "word", "objector": 1, "laid": ["ch"]}, by="art")
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        asked = await cup.client.get("/v1/words/ch", params={"tournament": "cup"})
        problem(asked, HTTPStatus.UNPROCESSABLE_ENTITY, "server-decides")
        assert (await cup.client.get("/v1/words/ch")).json()["verdict"] == "invalid"


async def test_other_games_know_no_such_objections(database: str) -> None:
    async with hall(database, games=GAMES, rules="gomoku-cfp") as cup:
        refused = await cup.act("g1", "objections", {"kind": "tiles", "objector": 0, "held": 8, "due": 7}, by="art")
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
