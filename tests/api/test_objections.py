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
        nowhere = {"kind": "word", "objector": 1, "laid": ["ničoty", "haluzák"], "referee": looked_up}
        assert await faults(cup, nowhere) == ["/laid/0"]
        banned = await rule(cup, "word", laid=["haluzák", "ničoty"], referee=looked_up)
        assert (banned["costs"], banned["not_considered"]) == (0, ["NIČOTY"])
        assert banned["words_ruled"] == [
            {
                "word": "HALUZÁK",
                "valid": False,
                "clause": "10.2.8",
                "by": "referee",
                "lemma": "haluzák",
                "source": "KSSJ",
                "overrules": None,
                "costs": 0,
            }
        ]
        lost = await rule(cup, "word", laid=["ypsilon", "ch"], words="Asked twice.")
        assert (lost["upheld"], lost["turn"], lost["costs"]) == (True, "lost", 5)
        listed = await cup.client.get("/v1/games/g1/objections", headers=cup.signed("sue"))
        assert [one["words"] for one in done(listed)["rulings"]] == [None, None, "Asked twice."]


async def faults(cup: Hall, said: dict[str, Any]) -> list[str]:
    refused = await cup.act("g1", "objections", said, by="art")
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    return [fault["pointer"] for fault in refused.json()["errors"]]


async def with_dictionary(cup: Hall) -> None:
    """A program that answers for every word, and the list of two tiles."""
    await cup.hear("registration", appointed("sss", "cora", Role.COUNCIL))
    program = {"name": "dictionary", "edition": "El-Sino", "dated": "2022-10-01", "complete": True}
    b2 = {"name": "B2", "edition": "09", "dated": "2022-10-17", "declared": 1, "words": "ok"}
    for words in (program | {"words": "kolobežka haluzák"}, b2):
        taken = await cup.client.post("/v1/federations/sss/word-lists", json=words, headers=cup.signed("cora"))
        assert taken.status_code == HTTPStatus.OK, taken.text


@pytest.mark.rule("SK.X-8")
async def test_from_six_tiles_on_the_referee_overrules_the_program_in_both_directions(database: str) -> None:
    async with hall(database, games=GAMES, before=with_dictionary) as cup:
        by_program = await rule(cup, "word", laid=["kolobežka"])
        assert (by_program["upheld"], by_program["costs"]) == (False, 5)
        found = {"verdict": "valid", "source": "SSSJ M-N", "lemma": "ničota"}
        allowed = await rule(cup, "word", laid=["ničoty"], referee={"NIČOTY": found})
        assert (allowed["upheld"], allowed["turn"], allowed["costs"]) == (False, "stands", 5)
        (word,) = allowed["words_ruled"]
        assert (word["by"], word["source"], word["lemma"], word["overrules"]) == (
            *("referee", "SSSJ M-N", "ničota"),
            "El-Sino of 2022-10-01",
        )
        slang = {"haluzák": {"lemma": "haluzák", "kssj": {"labels": "slang."}}}
        banned = await rule(cup, "word", laid=["haluzák"], referee=slang)
        assert (banned["upheld"], banned["words_ruled"][0]["overrules"]) == (True, "El-Sino of 2022-10-01")
        agreed = await rule(cup, "word", laid=["kolobežka"], referee={"kolobežka": "valid"})
        assert agreed["words_ruled"][0]["by"] == "El-Sino of 2022-10-01"
        verified = {"kolobežka": {"verdict": "valid", "source": "PSP"}}
        confirmed = (await rule(cup, "word", laid=["kolobežka"], referee=verified))["words_ruled"][0]
        assert (confirmed["by"], confirmed["lemma"], confirmed["overrules"]) == ("referee", "kolobežka", None)


@pytest.mark.rule("SK.X-8")
async def test_of_shorter_words_only_the_lists_decide_and_a_ruling_has_its_source(database: str) -> None:
    async with hall(database, games=GAMES, before=with_dictionary) as cup:
        asked: dict[str, Any] = {"kind": "word", "objector": 1}
        found = {"verdict": "valid", "source": "PSP"}
        short = {"laid": ["xx"], "referee": {"xx": found}}
        assert await faults(cup, asked | short) == ["/referee/xx"]
        agreed = {"laid": ["ok"], "referee": {"ok": found}}
        assert (await rule(cup, "word", **agreed))["words_ruled"][0]["by"] == "B2, edition 09 of 2022-10-17"
        assert await faults(cup, asked | {"laid": ["ničoty"], "referee": {"ničoty": "valid"}}) == ["/referee/ničoty"]
        unread = {"laid": ["ničoty"], "referee": {"ničoty": {"lemma": "ničota"}}}
        assert await faults(cup, asked | unread) == ["/referee/ničoty"]
        signs = {"laid": ["trma-vrma"], "referee": {"trma-vrma": found}}
        assert await faults(cup, asked | signs) == ["/referee/trma-vrma"]
        assert await faults(cup, asked | {"laid": ["ok"], "referee": {"oko": found}}) == ["/referee/oko"]
        words = await cup.client.post("/v1/words/check", json={"words": ["ok", "xx", "ničoty"], "tournament": "cup"})
        assert [(one["verdict"], one["may_be_verified"]) for one in words.json()["words"]] == [
            ("valid", False),
            ("invalid", False),
            ("invalid", True),
        ]


@pytest.mark.rule("SK.RES-14")
async def test_objections_to_several_words_are_judged_in_turn_and_the_first_upheld_ends_it(database: str) -> None:
    async with hall(database, games=GAMES) as cup:
        lost = await rule(cup, "word", laid=["ypsilon", "ch", "omikron", "čosi"], of_turn=7)
        assert (lost["upheld"], lost["turn"], lost["costs"], lost["of_turn"]) == (True, "lost", 5, 7)
        assert [(one["word"], one["valid"], one["costs"]) for one in lost["words_ruled"]] == [
            ("YPSILON", True, 5),
            ("CH", False, 0),
        ]
        assert lost["not_considered"] == ["OMIKRON", "ČOSI"]
        for more in ({"kind": "word", "laid": ["omikron"]}, {"kind": "points", "correct": 9, "announced": 9}):
            again = await cup.act("g1", "objections", {"objector": 1, "of_turn": 7} | more, by="art")
            problem(again, HTTPStatus.CONFLICT, "turn-is-lost")
        each = [await rule(cup, "word", laid=[word], of_turn=9) for word in ("ypsilon", "omikron")]
        assert [one["costs"] for one in each] == [5, 5]


@pytest.mark.rule("SK.RES-14")
async def test_a_turn_that_was_lost_is_another_one_in_a_game_that_is_played_anew(database: str) -> None:
    async with hall(database, games=GAMES) as cup:
        await cup.act("g1", "start", {}, by="sue")
        assert (await rule(cup, "tiles", held=8, due=7, of_turn=7))["turn"] == "lost"
        done(await cup.act("g1", "void", {"replay": True, "reason": "The bag had two sets in it."}, by="art"))
        assert (await rule(cup, "points", correct=9, announced=9, of_turn=7))["costs"] == 5
        assert (await rule(cup, "tiles", held=8, due=7, of_turn=7))["turn"] == "lost"
        again = await cup.act(
            "g1", "objections", {"kind": "word", "objector": 1, "laid": ["ch"], "of_turn": 7}, by="art"
        )
        problem(again, HTTPStatus.CONFLICT, "turn-is-lost")


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
