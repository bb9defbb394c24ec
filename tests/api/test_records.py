"""Records of games: attached by who was there, held against what was reported, and drawn."""

from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import problem
from tests.api.tables import Hall, hall, planned
from tests.api.test_families import by_captain, captains, done

GAMES = (planned("g1", 1, "ada", "ben"),)
OTHELLO = ["f5", "d6", "c3", "d3", "c4"]
WON_BY_WHITE = [[7, 7], [7, 8], [8, 8], {"take": "white"}, {"resign": 1}]  # seat 0 is black, seat 1 took white


async def records(cup: Hall, *, by: str = "sue") -> list[dict[str, Any]]:
    return done(await cup.client.get("/v1/games/g1/records", headers=cup.signed(by)))["records"]


@pytest.mark.rule("OT.X-4")
async def test_a_record_that_contradicts_a_result_says_so_and_changes_nothing(database: str) -> None:
    async with hall(database, games=GAMES, rules="gomoku-cfp") as cup:
        issuer = await captains(cup)
        attached = done(await by_captain(cup, issuer, "ben", "records", {"moves": WON_BY_WHITE, "opening": "swap"}))
        (record,) = attached["records"]
        assert (record["winner"], record["end_reason"], record["agrees"]) == (0, "resignation", None)
        assert (record["entrant"], record["first"]) == ("ben", "ada")
        assert record["explanation"] == (
            "Seat 1 has resigned. It was opened by swap, where swap2 is announced: an official decides what follows."
        )
        told = {"winner": 1, "end_reason": "five_claimed", "signed_by": [0, 1]}
        final = done(await cup.act("g1", "reports", told, by="sue"))
        assert [one["agrees"] for one in await records(cup)] == [False]
        assert (await cup.look("g1"))["result"] == final["result"]
        corrected = {"winner": 0, "end_reason": "resignation", "reason": "As the record shows."}
        done(await cup.act("g1", "correct", corrected, by="art"))
        assert [one["agrees"] for one in await records(cup)] == [True]


async def test_the_same_record_is_stored_once_and_listed_for_everybody_who_attached_it(database: str) -> None:
    async with hall(database, games=GAMES, rules="othello-pl-2021", stage="preliminary") as cup:
        issuer = await captains(cup)
        for captain in ("ada", "ben", "ada"):
            done(await by_captain(cup, issuer, captain, "records", {"moves": OTHELLO}))
        found = await records(cup)
        assert [one["entrant"] for one in found] == ["ada", "ben"]
        assert len({one["id"] for one in found}) == 1
        assert (found[0]["moves"], found[0]["discs"], found[0]["winner"]) == (OTHELLO, [6, 3], None)
        other = done(await cup.act("g1", "records", {"moves": OTHELLO, "first": "ben"}, by="sue"))["records"][-1]
        assert other["discs"] == [3, 6]


async def test_a_record_that_breaks_a_rule_is_refused_with_the_index_of_the_move(database: str) -> None:
    async with hall(database, games=GAMES, rules="othello-pl-2021", stage="preliminary") as cup:
        wrong = await cup.act("g1", "records", {"moves": ["f5", "a1"]}, by="sue")
        problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "illegal-move")
        assert wrong.json()["errors"][0]["pointer"] == "/moves/1"
        stranger = await cup.act("g1", "records", {"moves": OTHELLO, "first": "cid"}, by="sue")
        problem(stranger, HTTPStatus.CONFLICT, "opener-not-at-table")
        assert await records(cup) == []


async def test_the_board_of_a_record_is_drawn(database: str) -> None:
    async with hall(database, games=GAMES, rules="othello-pl-2021", stage="preliminary") as cup:
        (record,) = done(await cup.act("g1", "records", {"moves": OTHELLO}, by="sue"))["records"]
        drawing = await cup.client.get(f"/v1/games/g1/records/{record['id']}/board.svg")
        assert drawing.headers["Content-Type"] == "image/svg+xml"
        assert (drawing.text.count("<circle"), drawing.text[:5]) == (9, "<svg ")
        nothing = await cup.client.get(f"/v1/games/g1/records/{'0' * 64}/board.svg")
        problem(nothing, HTTPStatus.NOT_FOUND, "record-unknown")


async def test_a_duel_of_a_match_is_held_against_its_board(database: str) -> None:
    async with hall(database, games=GAMES, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        moves = [[7, 7, "cross"], [7, 8, "nought"], [8, 8, "cross"], {"take": "nought"}, {"resign": 0}]
        duel = {"moves": moves, "board": 0, "duel": 1, "first": "ben"}
        (record,) = done(await cup.act("g1", "records", duel, by="sue"))["records"]
        assert (record["winner"], record["agrees"]) == (0, None)
        done(await cup.act("g1", "reports", {"boards": [[1, 0], [0, 0], [0, 0]]}, by="sue"))
        assert [one["agrees"] for one in await records(cup)] == [True]


async def test_scrabble_has_no_record_move_by_move(database: str) -> None:
    async with hall(database, games=GAMES) as cup:
        refused = await cup.act("g1", "records", {"moves": ["f5"]}, by="sue")
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")


@pytest.mark.rule("CC.RES-9")
async def test_the_variant_of_the_final_is_a_form_that_both_sides_confirm_and_that_changes_nothing(
    database: str,
) -> None:
    async with hall(database, games=GAMES, rules="carcassonne-cz-final", stage="final") as cup:
        issuer = await captains(cup)
        whole = (await cup.look("g1"))["terms"]["variant"]
        assert whole == ["hand-of-three", "open-tiles", "own-monasteries", "last-monasteries"]
        form = {"variant": {"used": whole, "monasteries_left": [0, 2]}}
        for captain in ("ada", "ben", "ada"):
            done(await by_captain(cup, issuer, captain, "records", form))
        done(await cup.report("g1", 90, 70, by="sue", signed_by=[0, 1]))
        done(await cup.act("g1", "records", {"variant": {"used": whole[:3]}}, by="sue"))
        *confirmed, other = await records(cup)
        assert [(one["entrant"], one["variant"], one["agrees"]) for one in confirmed] == [
            ("ada", form["variant"], None),
            ("ben", form["variant"], None),
        ]
        assert other["explanation"] == "Played without last-monasteries."
        assert (await cup.look("g1"))["result"]["scores"] == [90, 70]
        for wrong in ({"variant": {"used": ["dice"]}}, {"variant": {"used": [], "monasteries_left": [4, 0]}}, {}):
            refused = await cup.act("g1", "records", wrong, by="sue")
            assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


@pytest.mark.rule("OT.RES-4", "OT.X-4")
async def test_a_record_agrees_with_a_time_default_by_the_rule_of_the_extra_time(database: str) -> None:
    async with hall(database, games=GAMES, rules="othello-pl-2021", stage="preliminary") as cup:
        moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]
        done(await cup.act("g1", "records", {"moves": moves}, by="sue"))
        told = done(
            await cup.act("g1", "reports", {"end": "time", "by": 0, "moves": moves, "signed_by": [0, 1]}, by="sue")
        )
        assert told["result"]["scores"] == [13, 51]
        assert [one["agrees"] for one in await records(cup)] == [True]
        done(await cup.act("g1", "correct", {"discs": [40, 24], "reason": "Nobody's time ran out."}, by="art"))
        assert [one["agrees"] for one in await records(cup)] == [False]


@pytest.mark.rule("CFP.X-1")
async def test_a_record_of_gomoku_tells_what_happened_by_the_names_of_the_rules(database: str) -> None:
    moves = [
        *([7, 7], [7, 8], [8, 8], [6, 6], [5, 5], {"take": "black"}, [9, 9], {"offer": "draw"}, {"decline": "draw"}),
        *([4, 4], {"offer": "draw"}, {"accept": "draw"}),
    ]
    async with hall(database, games=GAMES, rules="gomoku-cfp") as cup:
        (record,) = done(await cup.act("g1", "records", {"moves": moves, "opening": "swap2"}, by="sue"))["records"]
        assert [(one["what"], one["moves"]) for one in record["happened"]][2:] == [
            ("StonePlaced", [2]),
            ("TwoStonesAdded", [3, 4]),
            ("ColourChosen", [5]),
            ("StonePlaced", [6]),
            ("DrawOffered", [7]),
            ("DrawDeclined", [8]),
            ("StonePlaced", [9]),
            ("DrawOffered", [10]),
            ("DrawAccepted", [11]),
        ]
        five = [[row, column] for column in range(9, 14) for row in (9, 10)][:-1]
        for end, what in (
            ([{"claim": "time", "by": 0}], "TimeClaimed"),
            ([{"resign": 1}], "Resigned"),
            ([*five, {"claim": "five", "by": 1}], "FiveClaimed"),
        ):
            body = {"moves": [*moves[:6], *end], "opening": "swap2"}
            ended = done(await cup.act("g1", "records", body, by="sue"))["records"][-1]
            assert ended["happened"][-1]["what"] == what
        for incident in ({"what": "clock-stopped", "why": "position-lost"}, {"what": "position-reconstructed"}):
            done(await cup.act("g1", "incidents", incident | {"words": "The lights went out."}, by="sue"))
        stopped, reconstructed = await cup.told("ClockStopped", "PositionReconstructed")
        assert (stopped["data"]["why"], reconstructed["type"]) == ("position-lost", "PositionReconstructed")
        done(await cup.act("g1", "void", {"reason": "The position could not be restored."}, by="art"))
        assert len(await cup.told("GameVoided")) == 1


@pytest.mark.rule("CFP.RES-11", "CFP.RES-12", "CFP.X-2", "CC.RES-8")
async def test_incidents_are_put_on_record_and_change_nothing(database: str) -> None:
    async with hall(database, games=GAMES, rules="gomoku-cfp") as cup:
        before = await cup.look("g1")
        stopped = {"what": "clock-stopped", "why": "director-called", "minutes": 4, "words": "A phone rang."}
        noted = [
            stopped,
            {"what": "clock-faulty", "seat": 1},
            {"what": "clock-stopped-alone", "seat": 0},
            {"what": "limit-passed", "seat": 0},
            {"what": "clock-brought"},
        ]
        for incident in noted:
            done(await cup.act("g1", "incidents", incident, by="art"))
        listed = done(await cup.client.get("/v1/games/g1/incidents", headers=cup.signed("art")))["incidents"]
        assert [one["what"] for one in listed] == [one["what"] for one in noted]
        assert (listed[0]["why"], listed[0]["minutes"], listed[0]["words"]) == ("director-called", 4, "A phone rang.")
        assert await cup.look("g1") == before
        wrong = await cup.act("g1", "incidents", {"what": "limit-passed", "seat": 2}, by="art")
        problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "no-such-seat")
