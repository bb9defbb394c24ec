"""Results of every family at the edge: matches of teams, tables of four, discs, duels that decide, choices, lots."""

import asyncio
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from httpx import Response

from shared.clock import now
from shared.contracts.registration import CaptainNamed, EntrantLeft, TournamentCompleted
from tests.api.asking import problem
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.api.tables import ENTRANTS, TOURNAMENT, Answer, Hall, hall, planned, team

TEAMS = (planned("g1", 1, "ada", "ben"),)


async def captains(cup: Hall) -> CaptainIssuer:
    issuer = CaptainIssuer()
    named = [CaptainNamed(entrant=one, tournament=TOURNAMENT, generation=1) for one in ENTRANTS]
    await cup.hear("registration", issuer.introduced, *named)
    return issuer


async def by_captain(cup: Hall, issuer: CaptainIssuer, entrant: str, what: str, body: Any) -> Answer:
    headers = signed_by(issuer.token(entrant, TOURNAMENT))
    return await cup.client.post(f"/v1/games/g1/{what}", json=body, headers=headers)


def done(answer: Answer) -> dict[str, Any]:
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


@pytest.mark.rule("PQ.RES-1", "PQ.RES-3", "PQ.RES-6", "PQ.RES-14", "PQ.D66")
async def test_both_captains_report_the_boards_of_a_match_and_its_points_follow(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        issuer = await captains(cup)
        boards = [[0, 0], ["draw", 1], [0, None]]
        wrong = await by_captain(cup, issuer, "ada", "reports", {"boards": [*boards, [0, 0]]})
        problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        told = done(await by_captain(cup, issuer, "ada", "reports", {"boards": boards}))
        assert told["status"] == "reported"
        assert told["reports"][0]["said"] == {"boards": boards}
        final = done(await by_captain(cup, issuer, "ben", "confirm", {"report": 1}))
        assert final["status"] == "final"
        assert (final["result"]["scores"], final["result"]["points"]) == ([7, 3], [2, 0])
        assert (await cup.told("ResultAgreed"))[0]["data"]["points"] == [2, 0]


@pytest.mark.rule("PQ.RES-9", "PQ.RES-7", "PQ.D68")
async def test_the_end_of_each_duel_is_recorded_and_who_is_late_loses_that_duel_only(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        assert (await cup.look("g1"))["terms"]["latest_start"] == 2
        boards = [[0, 1], ["draw", "draw"], [1, 1]]
        reasons = [["forfeit", "five_claimed"], ["draw_full_board", "draw_both_time"], ["time", None]]
        ends = {"boards": boards, "reasons": reasons}
        missing = await cup.act("g1", "reports", ends | {"reasons": reasons[:2]}, by="sue")
        problem(missing, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        told = done(await cup.act("g1", "reports", ends | {"signed_by": [0, 1]}, by="sue"))
        assert told["result"]["scores"] == [4, 8]
        assert told["reports"][0]["said"] == ends


@pytest.mark.rule("PQ.PAI-7", "PQ.PAI-8", "PQ.X-1", "PQ.D62")
async def test_captains_say_who_sits_where_and_a_lot_decides_when_one_of_them_asks(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        issuer = await captains(cup)
        twice = {"entrant": "ada", "persons": ["ada-1", "ada-1", None]}
        problem(
            await by_captain(cup, issuer, "ada", "line-up", twice), HTTPStatus.UNPROCESSABLE_ENTITY, "line-up-unfit"
        )
        foreign = {"entrant": "ada", "persons": ["ben-1", None, None]}
        problem(
            await by_captain(cup, issuer, "ada", "line-up", foreign), HTTPStatus.UNPROCESSABLE_ENTITY, "line-up-unfit"
        )
        for name in ("ada", "ben"):
            done(await by_captain(cup, issuer, name, "line-up", {"entrant": name, "persons": team(name)}))
        problem(await cup.act("g1", "draw-boards", by="art"), HTTPStatus.CONFLICT, "nobody-asked")
        done(await by_captain(cup, issuer, "ben", "ask", {"entrant": "ben", "wish": "board-draw"}))
        drawn = done(await cup.act("g1", "draw-boards", by="art"))
        assert drawn["boards_drawn"]
        assert {one["entrant"]: set(one["persons"]) for one in drawn["line_ups"]} == {
            "ada": set(team("ada")),
            "ben": set(team("ben")),
        }
        assert done(await cup.act("g1", "draw-boards", by="art"))["line_ups"] == drawn["line_ups"]
        late = await by_captain(cup, issuer, "ada", "line-up", {"entrant": "ada", "persons": ["ada-3", None, None]})
        problem(late, HTTPStatus.CONFLICT, "line-ups-are-drawn")
        assert len(await cup.told("LotDrawn")) == 2
        await cup.hear("registration", TournamentCompleted(tournament=TOURNAMENT))
        assert len(await cup.told("LotSeedRevealed")) == 1


@pytest.mark.rule("PQ.RES-14", "PQ.D61")
async def test_at_the_grand_final_the_match_sheet_stands_before_the_first_duel(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-grf") as cup:
        boards = {"boards": [[0, 0], [0, 1], [1, 1]], "signed_by": [0, 1]}
        for what, body in (("start", {}), ("reports", boards)):
            problem(await cup.act("g1", what, body, by="sue"), HTTPStatus.CONFLICT, "line-ups-missing")
        for name in ("ada", "ben"):
            done(await cup.act("g1", "line-up", {"entrant": name, "persons": team(name)}, by="sue"))
        assert done(await cup.act("g1", "start", {}, by="sue"))["status"] == "started"
        assert done(await cup.act("g1", "reports", boards, by="sue"))["result"]["points"] == [1, 1]


@pytest.mark.rule("PQ.RES-16", "PQ.RES-12", "PQ.RES-11", "PQ.D63")
async def test_a_drawn_play_off_match_goes_on_with_deciding_duels_and_then_a_lot(database: str) -> None:
    games = (planned("g1", 1, "ada", "ben", match="SF1"), planned("g2", 2, "cid", "dan", match="SF2"))
    drawn = {"boards": [[0, 1], [0, 1], [0, 1]], "signed_by": [0, 1]}
    async with hall(database, games=games, rules="pisqworky-2025-zs-ot", stage="play-off") as cup:
        terms = (await cup.look("g1"))["terms"]
        deciding = {"duels": 2, "minutes": 5, "minutes_of_duel": 10, "opening": "swap1", "then": "lot"}
        assert (terms["deciding"], terms["minutes_of_duel"]) == (deciding, 10)
        assert [clock["minutes"] for clock in terms["clocks"]] == [5, 5]
        for wish in ("own-clocks", "chess-clocks"):
            clocks = done(await cup.act("g1", "ask", {"entrant": "ada", "wish": wish}, by="sue"))
            assert {"entrant": "ada", "wish": wish} in clocks["wishes"]
        asked = done(await cup.act("g1", "ask", {"entrant": "ben", "wish": "swap2"}, by="sue"))
        assert asked["terms"]["deciding"]["opening"] == "swap2"
        for deciding in ([], ["draw"]):
            open_ = await cup.act("g1", "reports", drawn | {"deciding": deciding}, by="sue")
            problem(open_, HTTPStatus.CONFLICT, "still-drawn")
        second = await cup.act("g1", "reports", drawn | {"deciding": [0, 1]}, by="sue")
        problem(second, HTTPStatus.UNPROCESSABLE_ENTITY, "no-such-duel")
        lot = await cup.act("g1", "draw-winner", by="art")
        problem(lot, HTTPStatus.CONFLICT, "nothing-to-draw")
        won = done(await cup.act("g1", "reports", drawn | {"deciding": ["draw", 1]}, by="sue"))["result"]
        assert (won["winner"], won["decided_by"], won["points"]) == (1, "duel2", [1, 1])
        done(await cup.act("g2", "reports", {"boards": [[0, 0], [0, 1], [0, 1]]}, by="sue"))
        lot = await cup.act("g2", "draw-winner", by="art")
        problem(lot, HTTPStatus.CONFLICT, "nothing-to-draw")
        waits = done(await cup.act("g2", "reports", drawn | {"deciding": ["draw", "draw"]}, by="sue"))
        assert waits["status"] == "reported"
        result = done(await cup.act("g2", "draw-winner", by="art"))["result"]
        assert (result["winner"] in {0, 1}, result["decided_by"]) == (True, "lot")
        assert (await cup.told("LotDrawn"))[0]["data"]["order"][0] == ("cid", "dan")[result["winner"]]
        assert (await cup.told("ResultDecided"))[0]["data"]["winner"] == ("cid", "dan")[result["winner"]]


@pytest.mark.rule("PQ.RES-15", "PQ.RES-10", "PQ.RES-8", "PQ.D65")
async def test_an_organiser_forfeits_a_duel_a_party_or_a_match_also_afterwards(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        done(await cup.act("g1", "reports", {"boards": [[0, 0], [0, 0], [0, 1]], "signed_by": [0, 1]}, by="sue"))
        duel = {"boards": [[1, 0], [0, 0], [0, 1]], "reason": "Somebody else pointed out the flag."}
        assert done(await cup.act("g1", "correct", duel, by="art"))["result"]["scores"] == [8, 4]
        party = {"end": "left_party", "by": 0, "board": 1, "boards": [[0, 0], [0, 0], [0, 1]], "reason": "Left."}
        assert done(await cup.act("g1", "correct", party, by="art"))["result"]["scores"] == [6, 6]
        match = {"end": "no_show", "by": 0, "reason": "Cheated, as it turned out."}
        assert done(await cup.act("g1", "correct", match, by="art"))["result"]["scores"] == [0, 12]
        assert [record["actor"] for record in await cup.told("ResultCorrected")] == ["art"] * 3


@pytest.mark.rule("PQ.RES-15")
async def test_a_team_plays_on_without_somebody_who_was_expelled(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        path = f"/v1/tournaments/{TOURNAMENT}/entrants/ada/persons/{{}}/expel"
        said = {"stage": "groups", "round": 1, "reason": "Cheated."}
        nobody = await cup.client.post(path.format("ben-1"), json=said, headers=cup.signed("art"))
        problem(nobody, HTTPStatus.NOT_FOUND, "entrant-unknown")
        expelled = done(await cup.client.post(path.format("ada-2"), json=said, headers=cup.signed("art")))
        assert (expelled["persons_expelled"], expelled["expelled"]) == (["ada-2"], [])
        with_him = await cup.act("g1", "line-up", {"entrant": "ada", "persons": team("ada")}, by="sue")
        problem(with_him, HTTPStatus.UNPROCESSABLE_ENTITY, "line-up-unfit")
        done(await cup.act("g1", "line-up", {"entrant": "ada", "persons": ["ada-1", None, "ada-3"]}, by="sue"))


@pytest.mark.rule("PQ.D84")
async def test_somebody_of_a_team_who_should_not_have_been_expelled_plays_again(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        path = f"/v1/tournaments/{TOURNAMENT}/entrants/{{}}/persons/ada-2/{{}}"

        async def act(entrant: str, name: str, **said: object) -> Response:
            body = {"reason": "Cheated, or so it seemed.", **said}
            return await cup.client.post(path.format(entrant, name), json=body, headers=cup.signed("art"))

        problem(await act("ada", "return"), HTTPStatus.NOT_FOUND, "person-not-expelled")
        for _ in range(2):
            done(await act("ada", "expel", stage="groups", round=1))
            problem(await act("ben", "return"), HTTPStatus.NOT_FOUND, "person-not-expelled")
            assert done(await act("ada", "return"))["persons_expelled"] == []
            assert done(await act("ada", "return"))["persons_expelled"] == []
        done(await cup.act("g1", "line-up", {"entrant": "ada", "persons": team("ada")}, by="sue"))
        assert len(await cup.told("PersonReturned")) == 2


@pytest.mark.rule("PQ.RES-15")
async def test_a_line_up_with_somebody_who_was_expelled_since_is_given_anew_before_the_match_begins(
    database: str,
) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        for entrant in ("ada", "ben"):
            done(await cup.act("g1", "line-up", {"entrant": entrant, "persons": team(entrant)}, by="sue"))
        done(await cup.act("g1", "ask", {"entrant": "ada", "wish": "board-draw"}, by="sue"))
        path = f"/v1/tournaments/{TOURNAMENT}/entrants/ada/persons/ada-2/expel"
        said = {"stage": "groups", "round": 1, "reason": "Cheated."}
        done(await cup.client.post(path, json=said, headers=cup.signed("art")))
        problem(await cup.act("g1", "draw-boards", by="art"), HTTPStatus.CONFLICT, "line-ups-missing")
        problem(await cup.act("g1", "start", {}, by="sue"), HTTPStatus.CONFLICT, "line-ups-missing")
        done(await cup.act("g1", "line-up", {"entrant": "ada", "persons": ["ada-1", None, "ada-3"]}, by="sue"))
        done(await cup.act("g1", "draw-boards", by="art"))
        assert done(await cup.act("g1", "start", {}, by="sue"))["status"] == "started"


@pytest.mark.rule("PQ.RES-15")
async def test_the_remaining_matches_of_an_expelled_team_are_default_wins(database: str) -> None:
    async with hall(database, games=TEAMS, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        left = EntrantLeft(entrant="ada", tournament=TOURNAMENT, stage="groups", after_round=1, why="expelled")
        await cup.hear("registration", left)
        await cup.publish(2, (planned("h1", 1, "cid", "ada"), planned("h2", 2, "ben", "dan")))
        lost = await cup.look("h1")
        assert (lost["status"], lost["result"]["scores"], lost["result"]["by"]) == ("final", [12, 0], [1])
        assert [(await cup.look(game))["status"] for game in ("g1", "h2")] == ["pending", "pending"]


async def test_a_table_of_four_shares_points_of_equal_places_and_one_of_three_leaves_a_place(database: str) -> None:
    games = (planned("g1", 1, "ada", "ben", "cid", "dan"), planned("g2", 2, "eva", "fay", "ada"))
    rules = "carcassonne-cz-qualification"
    async with hall(database, games=games, rules=rules, stage="qualification") as cup:
        four = done(await cup.report("g1", 70, 55, 55, 40, by="sue", signed_by=[0, 1, 2, 3]))
        assert four["result"]["points"] == [4, 2.5, 2.5, 1]
        three = done(await cup.report("g2", 60, 45, 30, by="sue", signed_by=[0, 1, 2]))
        assert three["result"]["points"] == [4, 3, 2]
        problem(await cup.report("g1", 1, 2, 3, by="sam"), HTTPStatus.UNPROCESSABLE_ENTITY, "not-of-this-table")


@pytest.mark.rule("OT.RES-8")
async def test_a_result_of_othello_is_final_when_both_have_signed_and_an_official_has_it(database: str) -> None:
    async with hall(database, games=TEAMS, rules="othello-pl-2021", stage="preliminary") as cup:
        issuer = await captains(cup)
        discs = {"discs": [40, 20]}
        assert done(await by_captain(cup, issuer, "ada", "reports", discs))["status"] == "reported"
        signed = done(await by_captain(cup, issuer, "ben", "confirm", {"report": 1}))
        assert (signed["status"], len(signed["reports"])) == ("reported", 2)
        final = done(await cup.act("g1", "confirm", {"report": 2}, by="sue"))
        assert (final["status"], final["result"]["scores"]) == ("final", [44, 20])


@pytest.mark.rule("OT.RES-7", "OT.RES-5")
async def test_who_has_the_option_takes_the_colour_or_the_draw(database: str) -> None:
    games = (
        planned("g1", 1, "ada", "ben", match="4-5", option="ada"),
        planned("g2", 2, "cid", "dan", match="3-6", option="cid"),
    )
    soon = (now() + timedelta(minutes=3)).isoformat()
    drawn = {"discs": [32, 32], "signed_by": [0, 1]}
    async with hall(database, games=games, rules="othello-pl-2021", stage="play-offs", starts_at=soon) as cup:
        issuer = await captains(cup)
        other = await by_captain(cup, issuer, "ben", "choose", {"entrant": "ben", "takes": "draw"})
        problem(other, HTTPStatus.FORBIDDEN, "only-the-holder")
        problem(await cup.act("g1", "reports", drawn, by="sue"), HTTPStatus.CONFLICT, "still-drawn")
        colour = {"entrant": "ada", "takes": "colour", "first": "ben"}
        (chosen,) = done(await by_captain(cup, issuer, "ada", "choose", colour))["choices"]
        assert (chosen["draw_wins"], chosen["late"]) == (1, True)
        wrong = await cup.act("g1", "reports", drawn | {"first": "ada"}, by="sue")
        problem(wrong, HTTPStatus.CONFLICT, "start-is-fixed")
        first = done(await cup.act("g1", "reports", drawn, by="sue"))["result"]
        assert (first["draw_wins"], first["winner"], first["first"], first["points"]) == (1, 1, "ben", [0.5, 0.5])

        done(await cup.act("g2", "choose", {"entrant": "cid", "takes": "draw"}, by="art"))
        answer = {"entrant": "dan", "takes": "colour", "first": "dan"}
        assert len(done(await cup.act("g2", "choose", answer, by="art"))["choices"]) == 2
        second = done(await cup.act("g2", "reports", drawn, by="sue"))["result"]
        assert (second["draw_wins"], second["winner"], second["first"]) == (0, 0, "dan")
        assert [record["data"]["draw_wins"] for record in await cup.told("ResultAgreed")] == ["ben", "cid"]
        assert (await cup.look("g1"))["terms"]["clocks"][0]["minutes"] == 25


@pytest.mark.rule("OT.RES-6", "OT.RES-5")
async def test_in_a_best_of_three_there_is_only_the_colour_to_choose_and_the_second_game_reverses_it(
    database: str,
) -> None:
    games = (
        planned("g1", 1, "ada", "ben", match="SF1", number=1, option="ada"),
        planned("g2", 2, "ben", "ada", match="SF1", number=2),
    )
    async with hall(database, games=games, rules="othello-pl-2021", stage="semifinals") as cup:
        draw = await cup.act("g1", "choose", {"entrant": "ada", "takes": "draw"}, by="art")
        problem(draw, HTTPStatus.CONFLICT, "no-choice")
        chosen = done(await cup.act("g1", "choose", {"entrant": "ada", "takes": "colour", "first": "ada"}, by="art"))
        assert chosen["choices"][0]["draw_wins"] is None
        assert [clock["minutes"] for clock in chosen["terms"]["clocks"]] == [30, 30]
        more = done(await cup.act("g1", "clock", {"seat": 1, "minutes": 5, "why": "special-needs"}, by="art"))
        assert [clock["minutes"] for clock in more["terms"]["clocks"]] == [30, 35]
        assert done(await cup.act("g1", "reports", {"discs": [32, 32], "signed_by": [0, 1]}, by="sue"))["result"]
        again = await cup.act("g2", "reports", {"discs": [40, 24], "first": "ada"}, by="sue")
        problem(again, HTTPStatus.CONFLICT, "start-is-fixed")


@pytest.mark.rule("OT.RES-9", "OT.X-1")
async def test_only_the_director_of_othello_changes_a_score_or_awards_a_game(database: str) -> None:
    async with hall(database, games=TEAMS, rules="othello-pl-2021", stage="preliminary") as cup:
        done(await cup.act("g1", "reports", {"discs": [40, 24], "signed_by": [0, 1]}, by="sue"))
        award = {"end": "awarded", "scores": [20, 44], "points": [0, 1], "reason": "Notes on paper."}
        problem(await cup.act("g1", "correct", award, by="art"), HTTPStatus.FORBIDDEN, "only-the-director")
        assert done(await cup.act("g1", "correct", award, by="dora"))["result"]["points"] == [0, 1]
        drawn = award | {"scores": [32, 32], "points": [0.5, 0.5]}
        assert done(await cup.act("g1", "correct", drawn, by="dora"))["result"]["points"] == [0.5, 0.5]
        path = f"/v1/tournaments/{TOURNAMENT}/entrants/ada/disqualify"
        said = {"stage": "preliminary", "round": 1, "reason": "Notes again."}
        refused = await cup.client.post(path, json=said, headers=cup.signed("art"))
        problem(refused, HTTPStatus.FORBIDDEN, "only-the-director")
        assert (await cup.client.post(path, json=said, headers=cup.signed("dora"))).status_code == HTTPStatus.OK


@pytest.mark.rule("OT.RES-1", "OT.RES-2", "OT.RES-9")
async def test_an_award_that_no_game_of_othello_can_have_is_refused_and_changes_nothing(database: str) -> None:
    async with hall(database, games=TEAMS, rules="othello-pl-2021", stage="preliminary") as cup:
        before = await cup.look("g1", by="dora")
        for scores, points, places in (
            ([100, 0], [3, 0], ["/scores", "/points/0"]),
            ([-5, 69], [0, 1], ["/scores/0"]),
            ([32.5, 31.5], [1, 0], ["/scores/0", "/scores/1"]),
            ([30, 30], [0.5, 0.5], ["/scores"]),
            ([32, 32], [1, 1], ["/points"]),
            ([40, 24], [0, 1], ["/points"]),
        ):
            award = {"end": "awarded", "scores": scores, "points": points, "reason": "Notes on paper."}
            for act in ("decide", "reports"):
                said = award if act == "decide" else {name: award[name] for name in ("end", "scores", "points")}
                document = problem(await cup.act("g1", act, said, by="dora"), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
                assert [fault.pointer for fault in document.errors] == places
                assert all("(OT.RES-1)" in fault.detail for fault in document.errors)
        assert await cup.look("g1", by="dora") == before
        lost = {"end": "awarded", "scores": [32, 32], "points": [0, 0], "by": [0, 1], "reason": "Both had notes."}
        result = done(await cup.act("g1", "decide", lost, by="dora"))["result"]
        assert (result["scores"], result["points"], result["by"]) == ([32, 32], [0, 0], [0, 1])


@pytest.mark.rule("OT.X-1")
async def test_the_director_of_othello_removes_players_and_spectators_from_the_hall(database: str) -> None:
    path = f"/v1/tournaments/{TOURNAMENT}/removals"
    where = {"stage": "preliminary", "round": 1}
    async with hall(database, games=TEAMS, rules="othello-pl-2021", stage="preliminary") as cup:

        async def post(path: str, by: str, **said: object) -> Answer:
            return await cup.client.post(path, json=said, headers=cup.signed(by))

        async def listed(by: str | None = None) -> dict[str, Any]:
            headers = cup.signed(by) if by else {"Authorization": ""}
            return done(await cup.client.get(f"/v1/tournaments/{TOURNAMENT}/penalties", headers=headers))

        player = where | {"entrant": "ada", "final": False, "minutes": 15, "reason": "Shouted."}
        problem(await post(path, "art", **player), HTTPStatus.FORBIDDEN, "only-the-director")
        removed = done(await post(path, "dora", **player))["removals"]
        assert [(one["entrant"], one["final"], one["minutes"], one["over"]) for one in removed] == [
            ("ada", False, 15, False)
        ]
        spectator = where | {"spectator": "A man in a red coat", "final": True, "reason": "Told a player a move."}
        _, second = done(await post(path, "dora", **spectator))["removals"]
        assert (second["entrant"], second["final"], second["words"]) == (None, True, None)
        assert (await listed("sue"))["removals"][1]["words"] == "A man in a red coat: Told a player a move."
        assert "red coat" not in str(await listed())
        assert "red coat" not in str(await cup.told("RemovedFromHall"))
        end = f"{path}/{removed[0]['id']}/end"
        problem(await post(end, "art", reason="Calm."), HTTPStatus.FORBIDDEN, "only-the-director")
        for _ in range(2):
            assert [one["over"] for one in done(await post(end, "dora", reason="Calm."))["removals"]] == [True, False]
        unknown = await post(f"{path}/nobody/end", "dora", reason="Calm.")
        problem(unknown, HTTPStatus.NOT_FOUND, "removal-unknown")
        for wrong in ({"entrant": "ada", "spectator": "x"}, {}, {"entrant": "ada", "final": True, "minutes": 5}):
            refused = await post(path, "dora", **(where | {"final": False, "reason": "x"} | wrong))
            problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")
        stranger = await post(path, "dora", **(player | {"entrant": "zoe"}))
        problem(stranger, HTTPStatus.NOT_FOUND, "entrant-unknown")
        actions = {
            by: {name: one["allowed"] for name, one in (await listed(by))["allowed_actions"].items()}
            for by in ("art", "dora")
        }
        assert (actions["art"]["removeFromHall"], actions["art"]["disqualifyEntrant"]) == (False, False)
        assert (actions["art"]["warnEntrant"], actions["dora"]["removeFromHall"]) == (True, True)
        assert not actions["dora"]["imposePenalty"]  # which these rules do not know


async def test_rules_without_removals_refuse_them(database: str) -> None:
    async with hall(database) as cup:
        said = {"stage": "swiss", "round": 1, "entrant": "ada", "final": True, "reason": "Shouted."}
        path = f"/v1/tournaments/{TOURNAMENT}/removals"
        refused = await cup.client.post(path, json=said, headers=cup.signed("dora"))
        problem(refused, HTTPStatus.CONFLICT, "not-in-these-rules")


@pytest.mark.rule("CFP.RES-14", "CFP.RES-15", "CFP.D14")
async def test_gomoku_tells_why_it_ended_and_a_lost_position_gives_no_result(database: str) -> None:
    async with hall(database, games=TEAMS, rules="gomoku-cfp") as cup:
        lost = await cup.act("g1", "reports", {"end": "void_replay"}, by="sue")
        problem(lost, HTTPStatus.CONFLICT, "no-result")
        told = {"winner": 0, "end_reason": "five_claimed", "signed_by": [0, 1]}
        done(await cup.act("g1", "reports", told, by="sue"))
        again = await cup.act("g1", "void", {"replay": True, "reason": "The lights went out."}, by="art")
        assert (done(again)["status"], len(await cup.told("ResultAgreed", "ReplayOrdered"))) == ("pending", 2)
        for seat in (0, 1):
            late = done(await cup.act("g1", "clock", {"seat": seat, "minutes": -6, "why": "late"}, by="art"))
        assert [clock["changes"] for clock in late["terms"]["clocks"]] == [{"late": -6}] * 2
        told = {"winner": 1, "end_reason": "five_claimed"}
        assert done(await cup.act("g1", "reports", told | {"signed_by": [0, 1]}, by="sue"))["result"]["points"] == [
            0,
            1,
        ]
        penalty = {"winner": 0, "end_reason": "conduct_penalty", "reason": "Shouted at the other table."}
        assert done(await cup.act("g1", "correct", penalty, by="art"))["result"]["points"] == [1, 0]
        assert (await cup.told("ResultCorrected"))[0]["data"]["said"] == {"winner": 0, "reason": "conduct_penalty"}


async def test_seats_are_drawn_where_somebody_at_the_table_asks(database: str) -> None:
    games = (planned("g1", 1, "ada", "ben", "cid", "dan"),)
    rules = "carcassonne-cz-qualification"
    async with hall(database, games=games, rules=rules, stage="qualification") as cup:
        problem(await cup.act("g1", "draw-seats", by="art"), HTTPStatus.CONFLICT, "nobody-asked")
        done(await cup.act("g1", "ask", {"entrant": "cid", "wish": "seat-draw"}, by="sue"))
        first, again = await asyncio.gather(*(cup.act("g1", "draw-seats", by="art") for _ in range(2)))
        assert sorted(done(first)["seats_drawn"]) == ["ada", "ben", "cid", "dan"]
        assert done(again)["seats_drawn"] == done(first)["seats_drawn"]
        shown = " ".join(done(await cup.client.get("/v1/games/g1", headers=cup.signed("sue")))["drawn_again"])
        assert "“seats of game g1”" in shown
        assert "the secret of results" in shown
