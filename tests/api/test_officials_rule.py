"""What officials record besides results: warnings, penalties, expulsions, complaints, protests, public votes."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any

import msgspec
import pytest

from deploy.databases import connection
from services.results.projection import SheetRow
from services.results.reactions.results import entrants_of
from shared.clock import now
from shared.contracts.registration import EntrantChanged, TournamentStarted
from shared.rulesets import catalogue
from shared.rulesets.settings import in_variant
from tests.api.asking import problem
from tests.api.tables import ENTRANTS, TOURNAMENT, Answer, Hall, hall, planned
from tests.told import tell

CUP = f"/v1/tournaments/{TOURNAMENT}"
TWO = (planned("g1", 1, "ada", "ben"),)
MORE = (planned("h1", 1, "ada", "cid"),)


async def post(cup: Hall, path: str, body: Any, *, by: str = "art", **query: Any) -> Answer:
    return await cup.client.post(f"{CUP}/{path}", json=body, headers=cup.signed(by), params=query)


def done(answer: Answer) -> dict[str, Any]:
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


@pytest.mark.rule("PQ.X-3", "PQ.X-2")
async def test_earlier_warnings_are_shown_before_something_harder_is_decided(database: str) -> None:
    async with hall(database, games=TWO, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        warning = {"entrant": "ada", "stage": "groups", "round": 1, "clause": "4.8", "reason": "Shouted."}
        given = done(await post(cup, "warnings", warning | {"person": "ada-2"}))
        assert given["warnings"][0]["clause"] == "4.8"
        shown = "Round 1 of groups: a warning by 4.8 to ada."
        expelled = {"stage": "groups", "round": 1, "reason": "Again."}
        foreseen = done(await post(cup, "entrants/ada/disqualify", expelled, dry_run="true"))
        assert foreseen["warnings"] == [shown]
        forfeit = {"end": "no_show", "by": 0, "reason": "Again."}
        assert done(await cup.act("g1", "decide", forfeit, by="art", dry_run=True))["warnings"] == [shown]
        assert (await cup.look("g1"))["status"] == "pending"
        assert done(await cup.act("g1", "decide", forfeit, by="art"))["result"]["scores"] == [0, 12]
        (decided,) = await cup.told("ResultDecided")
        assert (decided["actor"], "at" in decided, bool(decided["data"]["reason"])) == ("art", True, True)
        assert done(await post(cup, "entrants/ada/disqualify", expelled))["expelled"] == ["ada"]
        assert "Shouted" not in str(await cup.told("WarningGiven"))


async def test_nothing_is_imposed_in_a_stage_that_the_rules_do_not_have(database: str) -> None:
    async with hall(database, games=TWO, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        elsewhere = {"stage": "final", "round": 1, "reason": "Shouted."}
        for path, body in (
            ("warnings", elsewhere | {"entrant": "ada"}),
            ("entrants/ada/disqualify", elsewhere),
            ("entrants/ada/persons/ada-2/expel", elsewhere),
        ):
            refused = await post(cup, path, body)
            assert refused.status_code == HTTPStatus.NOT_FOUND
            assert (refused.json()["type"], "There are: groups" in refused.text) == ("/problems/stage-unknown", True)
        assert await cup.told("WarningGiven") == await cup.told("EntrantDisqualified") == []


async def test_nothing_is_imposed_in_a_round_that_the_stage_does_not_have(database: str) -> None:
    async with hall(database, games=TWO) as cup:
        never = {"stage": "swiss", "round": 1000, "reason": "Shouted."}
        for path, body, query in (
            ("warnings", never | {"entrant": "ada"}, {}),
            ("entrants/ada/disqualify", never, {"dry_run": "true"}),
            ("entrants/ada/disqualify", never, {}),
        ):
            refused = await post(cup, path, body, **query)
            assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
            assert refused.json()["type"] == "/problems/unknown-round"
        assert await cup.told("WarningGiven") == await cup.told("EntrantDisqualified") == []


async def test_whoever_repeats_an_act_about_a_person_is_answered_also_when_the_team_has_changed(database: str) -> None:
    async with hall(database, games=TWO, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        place = {"stage": "groups", "round": 1, "reason": "Shouted."}
        acts = {
            "warnings": place | {"entrant": "ada", "person": "ada-2"},
            "entrants/ada/persons/ada-2/expel": place,
            "protests": {"entrant": "ada", "game": "g1", "reason": "It was not so."},
        }

        async def said(path: str) -> Answer:
            headers = cup.signed("dora") | {"Idempotency-Key": "once"}
            return await cup.client.post(f"{CUP}/{path}", json=acts[path], headers=headers)

        first = {path: done(await said(path)) for path in acts}
        changed = EntrantChanged(entrant="ada", tournament=TOURNAMENT, persons=("ada-1", "ada-3"), number=1)
        await cup.hear("registration", changed)
        await cup.repair(1, "r1", planned("g1", 1, "cid", "ben"))
        assert {path: done(await said(path)) for path in acts} == first


@pytest.mark.rule("CC.X-2")
async def test_points_are_deducted_and_given_back(database: str) -> None:
    async with hall(database, games=TWO, rules="carcassonne-cz-final", stage="final") as cup:
        deducted = {"entrant": "ada", "stage": "final", "round": 1, "points": -1, "reason": "Helped each other."}
        (penalty,) = done(await post(cup, "penalties", deducted))["penalties"]
        assert penalty["points"] == -1
        lifted = done(await post(cup, f"penalties/{penalty['id']}/lift", {"reason": "A mistake."}))
        assert lifted["penalties"][0]["lifted"]
        assert len(await cup.told("PenaltyImposed")) == len(await cup.told("PenaltyLifted")) == 1


@pytest.mark.rule("SK.RES-10")
async def test_a_missed_limit_counts_for_expulsion_only_for_who_has_not_moved(database: str) -> None:
    async with hall(database, games=TWO, rules="scrabble-sk-2022-online") as cup:
        first = {"end": "limit_missed", "unmoved": [0], "reason": "51 minutes."}
        done(await cup.act("g1", "decide", first, by="dora"))
        await cup.publish(2, MORE)
        done(await cup.act("h1", "decide", {"end": "no_show", "by": 0, "reason": "Waited."}, by="dora"))
        (due,) = await cup.will_be_told("ExpulsionDue")
        assert (due["data"]["entrant"], due["data"]["games"]) == ("ada", ["g1", "h1"])


async def test_a_seat_that_the_table_does_not_have_has_not_moved_in_no_report(database: str) -> None:
    async with hall(database, games=TWO, rules="scrabble-sk-2022-online") as cup:
        missed = {"end": "limit_missed", "unmoved": [3]}
        refused = await cup.act("g1", "decide", missed | {"reason": "51 minutes."}, by="dora")
        assert "`unmoved`" in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "not-of-this-table").detail
        reported = await cup.act("g1", "reports", missed, by="sue")
        problem(reported, HTTPStatus.UNPROCESSABLE_ENTITY, "not-of-this-table")


def test_a_seat_of_an_old_log_that_the_table_does_not_have_is_nobody() -> None:
    sheet = SheetRow.model_construct(seats='["ada","ben"]')  # pyrefly: ignore[missing-argument]
    assert entrants_of(sheet, "[0,3]") == ["ada"]


ABSENT = {"end": "no_show", "by": 0}


async def test_a_tournament_of_which_nothing_can_be_counted_yet_keeps_no_other_from_it(database: str) -> None:
    async with hall(database, games=TWO, rules="scrabble-sk-2022-online") as cup:
        told = catalogue.load("scrabble-sk-2022-online").model_dump(mode="json") | {"colour": 1}
        ruleset = msgspec.Raw(msgspec.json.encode(told))
        begun = TournamentStarted(tournament="of-tomorrow", federation="sss", ruleset=ruleset, time_zone="UTC")
        await tell(database, "registration", "of-tomorrow", begun)
        async with connection(database) as views:
            await views.execute("insert into views.to_count values ('unheard-of', 1), ('of-tomorrow', 1)")
        await cup.publish(2, MORE)
        for game in ("g1", "h1"):
            done(await cup.act(game, "decide", ABSENT | {"reason": "Waited."}, by="dora"))
        (due,) = await cup.will_be_told("ExpulsionDue")
        assert (due["data"]["entrant"], due["data"]["games"]) == ("ada", ["g1", "h1"])


@pytest.mark.rule("SK.REG-13")
async def test_online_a_default_that_others_report_waits_for_the_chief_administrator(database: str) -> None:
    async with hall(database, games=TWO, rules="scrabble-sk-2022-online") as cup:
        signed = done(await cup.act("g1", "reports", ABSENT | {"signed_by": [0, 1]}, by="sue"))
        assert (signed["status"], signed["awaits_director"]) == ("reported", True)
        for again in ("sam", "art"):
            equal = done(await cup.act("g1", "reports", ABSENT, by=again))
            assert (equal["status"], equal["result"], equal["awaits_director"]) == ("reported", None, True)
        assert done(await cup.act("g1", "confirm", {"report": 1}, by="art"))["status"] == "reported"
        reason = {"reason": "Waited 15 minutes."}
        awarded = {"end": "awarded", "scores": [0, 100], "points": [0, 1]}
        for decision in (ABSENT, {"end": "disconnected", "by": 0, "scores": [300, 340]}, awarded):
            refused = await cup.act("g1", "decide", decision | reason, by="art")
            assert "SK.REG-13" in problem(refused, HTTPStatus.FORBIDDEN, slug_of(decision)).detail
        played = {"scores": [380, 350]} | reason
        problem(await cup.act("g1", "decide", played, by="art"), HTTPStatus.FORBIDDEN, "not-the-director")
        final = done(await cup.act("g1", "confirm", {"report": 1}, by="dora"))
        assert (final["status"], final["awaits_director"]) == ("final", False)
        assert (final["result"]["scores"], final["result"]["points"]) == ([0, 100], [0, 1])
        assert not await cup.told("ExpulsionDue")


def slug_of(decision: dict[str, Any]) -> str:
    return "only-the-director" if decision["end"] == "awarded" else "not-the-director"


@pytest.mark.rule("SK.REG-13")
async def test_what_the_chief_administrator_has_decided_nobody_else_takes_back(database: str) -> None:
    async with hall(database, games=TWO, rules="scrabble-sk-2022-online") as cup:
        assert done(await cup.act("g1", "reports", ABSENT, by="dora"))["status"] == "final"
        why = {"reason": "He was there."}
        played = {"scores": [380, 350]} | why
        for what, body in (("correct", played), ("void", why), ("void", why | {"replay": True})):
            for dry_run in (True, False):
                refused = await cup.act("g1", what, body, by="art", dry_run=dry_run)
                assert "SK.REG-13" in problem(refused, HTTPStatus.FORBIDDEN, "not-the-director").detail
        offered = {name: one["reason"] for name, one in (await cup.look("g1", by="art"))["allowed_actions"].items()}
        assert all("director" in (offered[what] or "") for what in ("correctResult", "voidGame"))
        assert done(await cup.act("g1", "correct", played, by="dora"))["result"]["scores"] == [380, 350]
        to_default = await cup.act("g1", "correct", ABSENT | why, by="art")
        problem(to_default, HTTPStatus.FORBIDDEN, "not-the-director")
        assert done(await cup.act("g1", "correct", played | {"scores": [380, 355]}, by="art"))
        expelled = await post(cup, "entrants/ada/disqualify", {"stage": "swiss", "round": 1} | why)
        problem(expelled, HTTPStatus.FORBIDDEN, "only-the-director")


@pytest.mark.rule("SK.REG-13", "SK.RES-10")
async def test_two_defaults_that_nobody_has_decided_do_not_expel(database: str) -> None:
    async with hall(database, games=TWO, rules="scrabble-sk-2022-online") as cup:
        await cup.publish(2, MORE)
        for game in ("g1", "h1"):
            for by in ("sue", "sam"):
                assert done(await cup.act(game, "reports", ABSENT, by=by))["status"] == "reported"
        for game in ("g1", "h1"):
            done(await cup.act(game, "confirm", {"report": 2}, by="dora"))
        (due,) = await cup.will_be_told("ExpulsionDue")
        assert due["data"]["games"] == ["g1", "h1"]
        versions = [len(await cup.told(kind)) for kind in ("ResultAgreed", "ExpulsionDue")]
        assert versions == [2, 1]


@pytest.mark.rule("SK.REG-13")
async def test_online_other_endings_are_final_by_reports_as_ever(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online") as cup:
        for game, said in (
            ("g1", {"scores": [380, 350]}),
            ("g2", {"end": "resigned", "by": 1, "scores": [210, 200]}),
            ("g3", {"end": "time_over", "by": 0, "scores": [310, 300]}),
        ):
            assert done(await cup.act(game, "reports", said, by="sue"))["awaits_director"] is False
            assert done(await cup.act(game, "reports", said, by="sam"))["status"] == "final"


@pytest.mark.rule("SK.RES-11")
async def test_a_complaint_is_taken_until_the_next_round_is_published(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online", games=TWO) as cup:
        said = {"reason": "My last move is missing."}
        problem(await cup.act("g1", "complain", said, by="sue"), HTTPStatus.CONFLICT, "not-final-yet")
        done(await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1]))
        for _ in range(2):
            told = done(await cup.act("g1", "complain", said, by="sue"))
            assert told["complaints"] == [{"number": 1, "upheld": None}]
        answer = await cup.act("g1", "complaints/1/answer", {"upheld": True, "reason": "So it is."}, by="art")
        assert done(answer)["complaints"] == [{"number": 1, "upheld": True}]
        await cup.publish(2, MORE)
        problem(await cup.act("g1", "complain", said, by="sam"), HTTPStatus.CONFLICT, "too-late")
        assert done(await cup.act("g1", "correct", {"scores": [380, 355], "reason": "So it is."}, by="art"))


@pytest.mark.rule("SK.RES-11")
async def test_whoever_complains_about_something_else_besides_is_heard(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online", games=TWO) as cup:
        done(await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1]))
        for said, number in (
            ("My last move is missing.", 1),
            ("His bonus counts twice.", 2),
            ("His bonus counts twice.", 2),
        ):
            told = done(await cup.act("g1", "complain", {"reason": said}, by="sue"))
            assert len(told["complaints"]) == number


@pytest.mark.rule("SK.RES-11")
async def test_online_a_result_that_nobody_complained_about_in_time_is_not_changed_any_more(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online", games=(*TWO, planned("g2", 2, "cid", "dan"))) as cup:
        right, why = {"scores": [380, 355], "reason": "So it is."}, {"reason": "So it is."}
        for game in ("g1", "g2"):
            done(await cup.report(game, 380, 350, by="sue", signed_by=[0, 1]))
        assert done(await cup.act("g1", "correct", right, by="art"))["result"]["scores"] == [380, 355]
        done(await cup.act("g2", "complain", why, by="sue"))
        await cup.publish(2, MORE)
        for what, body in (
            ("correct", right | {"scores": [380, 390]}),
            ("void", why),
            ("void", why | {"replay": True}),
        ):
            refused = problem(await cup.act("g1", what, body, by="dora"), HTTPStatus.CONFLICT, "too-late")
            assert "SK.RES-11" in refused.detail
            done(await cup.act("g2", what, body, by="dora", dry_run=True))
        done(await cup.act("g2", "complaints/1/answer", {"upheld": False, "reason": "It is right."}, by="art"))
        problem(await cup.act("g2", "correct", right, by="art"), HTTPStatus.CONFLICT, "too-late")


@pytest.mark.rule("SK.RES-11")
async def test_live_an_official_corrects_a_result_also_later(database: str) -> None:
    async with hall(database, games=TWO) as cup:
        done(await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1]))
        await cup.publish(2, MORE)
        assert done(await cup.act("g1", "correct", {"scores": [380, 355], "reason": "So it is."}, by="art"))


@pytest.mark.rule("SK.RES-11")
async def test_a_result_that_comes_after_the_next_round_was_published_can_still_be_mended(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online", games=TWO) as cup:
        await cup.publish(2, MORE)
        done(await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1]))
        assert done(await cup.act("g1", "correct", {"scores": [380, 355], "reason": "So it is."}, by="art"))
        assert done(await cup.act("g1", "complain", {"reason": "My last move is missing."}, by="sue"))["complaints"]


@pytest.mark.rule("SK.RES-2", "SK.RES-3")
async def test_a_sheet_shows_the_time_of_the_rules_and_what_changed_it(database: str) -> None:
    async with hall(database) as cup:
        late = done(await cup.act("g1", "clock", {"seat": 0, "minutes": -9, "why": "late"}, by="art"))
        assert [clock["minutes"] for clock in late["terms"]["clocks"]] == [13, 22]
        assert late["terms"]["latest_start"] == 22
        again = done(await cup.act("g1", "clock", {"seat": 0, "minutes": -22, "why": "late"}, by="art"))
        assert again["terms"]["clocks"][0] == {"minutes": 0, "changes": {"late": -22}}
        gained = await cup.act("g1", "clock", {"seat": 0, "minutes": 9, "why": "late"}, by="art")
        problem(gained, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert [one["pointer"] for one in gained.json()["errors"]] == ["/minutes"]


@pytest.mark.rule("SK.REG-16")
async def test_a_sheet_shows_the_times_that_were_announced_and_complaints_go_by_them(database: str) -> None:
    options = {"results.minutes": 15, "results.latest_start": 10, "results.limit": 70}
    started = (now() - timedelta(minutes=61)).isoformat()
    async with hall(database, rules="scrabble-sk-2022-online", games=(), options=options) as cup:
        for number, (game, starts_at) in enumerate((("r4", None), ("r5", started)), start=len(ENTRANTS) - 2):
            await cup.publish(number, (planned(game, 1, "ada", "ben"),), starts_at=starts_at)
            done(await cup.report(game, 380, 350, by="sue", signed_by=[0, 1]))
        terms = (await cup.look("r5"))["terms"]
        assert [clock["minutes"] for clock in terms["clocks"]] == [15, 15]
        assert (terms["minutes_of_turn"], terms["turn_warnings"], terms["latest_start"], terms["limit"]) == (
            8,
            [35],
            10,
            70,
        )
        assert terms["in_words"][-1] == "Games end within 70 minutes of the start of the round."
        assert done(await cup.act("r5", "complain", {"reason": "My last move is missing."}, by="sue"))["complaints"]


@pytest.mark.rule("CFP.RES-11")
async def test_a_sheet_of_gomoku_shows_the_periods_and_its_records_are_judged_by_them(database: str) -> None:
    options = {"contest.periods": [{"moves": 3, "minutes": 1}, {"minutes": 30}], "results.clocks_by": "players"}
    moves = [[7, 7], [7, 8], [8, 8], {"take": "white"}, {"claim": "time", "by": 1}]
    async with hall(database, rules="gomoku-cfp", options=options) as cup:
        terms = (await cup.look("g1"))["terms"]
        assert terms["periods"] == [{"moves": 3, "minutes": 1}, {"moves": None, "minutes": 30}]
        assert (terms["clocks"][0]["minutes"], terms["clocks_by"], terms["measured_at"]) == (
            1,
            "players",
            "every-table",
        )
        wrong = await cup.act("g1", "records", {"moves": moves, "seconds": [20, 20, 20, None, None]}, by="sue")
        problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "illegal-move")
        assert wrong.json()["errors"][0]["pointer"] == "/moves/4"
        shown = {"moves": moves, "seconds": [20, 20, 21, None, None]}
        (record,) = done(await cup.act("g1", "records", shown, by="sue"))["records"]
        assert (record["winner"], record["end_reason"], record["seconds"]) == (1, "time", shown["seconds"])
        told = shown | {"signed_by": [0, 1]}
        assert done(await cup.act("g1", "reports", told, by="sue"))["result"]["points"] == [0, 1]


@pytest.mark.rule("SK.RES-15")
async def test_the_new_time_goes_by_the_turns_of_both_and_a_referee_gets_two_minutes(database: str) -> None:
    async with hall(database) as cup:
        done(await cup.act("g1", "clock", {"seat": 0, "minutes": -9, "why": "late"}, by="art"))
        for turns, minutes in ((9, 15), (10, 10)):
            reset = done(await cup.act("g1", "reset-clocks", {"turns": turns, "reason": "Spilled."}, by="art"))
            assert [clock["minutes"] for clock in reset["terms"]["clocks"]] == [minutes, minutes]
        called = done(await cup.act("g1", "clock", {"seat": 1, "why": "referee"}, by="art"))
        assert called["terms"]["clocks"][1] == {"minutes": 12, "changes": {"clock": -12, "referee": 2}}
        reset = done(await cup.act("g1", "reset-clocks", {"turns": 9, "reason": "It failed."}, by="art"))
        assert [clock["minutes"] for clock in reset["terms"]["clocks"]] == [15, 15]
        again = done(await cup.act("g1", "clock", {"seat": 1, "why": "referee"}, by="art"))
        assert again["terms"]["clocks"][1] == {"minutes": 17, "changes": {"clock": -7, "referee": 2}}
        unsaid = await cup.act("g1", "clock", {"seat": 1, "why": "late"}, by="art")
        problem(unsaid, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        spilled = await cup.act("g1", "incidents", {"what": "tiles-spilled"}, by="art")
        assert done(spilled)["incidents"][-1]["what"] == "tiles-spilled"


@pytest.mark.rule("SK.RES-15")
async def test_what_is_given_after_clocks_were_set_anew_is_added_also_where_it_was_given_before(database: str) -> None:
    async with hall(database) as cup:
        for turns, minutes in ((9, 15), (10, 10)):
            done(await cup.act("g1", "clock", {"seat": 0, "why": "referee"}, by="art"))
            reset = done(await cup.act("g1", "reset-clocks", {"turns": turns, "reason": "Spilled."}, by="art"))
            assert [clock["minutes"] for clock in reset["terms"]["clocks"]] == [minutes, minutes]
        called = done(await cup.act("g1", "clock", {"seat": 0, "why": "referee"}, by="art"))
        assert called["terms"]["clocks"][0] == {"minutes": 12, "changes": {"clock": -12, "referee": 2}}


@pytest.mark.rule("SK.X-9", "SK.RES-12")
async def test_a_tournament_that_was_announced_as_m_counts_racks_by_its_own_tiles(database: str) -> None:
    async with hall(database, games=TWO, rules=in_variant(catalogue.load("scrabble-sk-2022-qt"), "m")) as cup:
        terms = (await cup.look("g1"))["terms"]
        assert (terms["variant"], terms["tiles"]) == (["m"], "sk-110-m")
        played_out = {"racks": [[], ["R", "F", "X"]]}
        found = await cup.report("g1", 300, 310, by="sue", finish=played_out, signed_by=[0, 1])
        assert found.json()["result"]["scores"] == [317, 293]


@pytest.mark.rule("SK.RES-12")
async def test_racks_are_counted_on_the_sheet_and_what_stood_there_is_kept(database: str) -> None:
    async with hall(database) as cup:
        said = {"scores": [300, 310], "finish": {"racks": [[], ["X", "?", "A"]], "clock_over": [1]}}
        sheet = done(await cup.act("g1", "reports", said, by="art"))
        (report,) = sheet["reports"]
        assert (report["result"]["scores"], report["result"]["points"]) == ([311, 299], [1, 0])
        assert report["flags"] == [1]
        assert (report["said"]["scores"], report["said"]["finish"]["racks"]) == ([300, 310], [[], ["X", "?", "A"]])
        assert done(await cup.report("g1", 311, 299, by="sue"))["status"] == "final"


@pytest.mark.rule("CC.X-1")
async def test_a_council_of_three_decides_a_protest_and_nobody_votes_about_the_own_game(database: str) -> None:
    async with hall(database) as cup:
        protest = done(await post(cup, "protests", {"entrant": "ada", "game": "g1", "reason": "The clock."}, by="sue"))
        council = [
            {"member": "dora", "upholds": True, "is_chief": True},
            {"member": "m2", "upholds": False, "entrant": "ben"},
            {"member": "m3", "upholds": True, "entrant": "cid"},
        ]
        path = f"protests/{protest['id']}/decide"
        own = await post(cup, path, {"council": council, "reason": "So."})
        problem(own, HTTPStatus.UNPROCESSABLE_ENTITY, "own-dispute")
        for unfit in (council[::2], [council[0] | {"is_chief": False}, *council[1:]]):
            refused = await post(cup, path, {"council": unfit, "reason": "So."})
            problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "no-council")
        council[1] |= {"entrant": "dan"}
        assert done(await post(cup, path, {"council": council, "reason": "So."}))["upheld"] is True
        assert done(await post(cup, path, {"council": council, "reason": "So."}))["upheld"] is True
        council[0] |= {"upholds": False}
        problem(await post(cup, path, {"council": council, "reason": "No."}), HTTPStatus.CONFLICT, "protest-is-decided")
        (listed,) = (await cup.client.get(f"{CUP}/protests", headers=cup.signed("aud"))).json()["protests"]
        assert (listed["words"], listed["upheld"], len(listed["council"])) == ("The clock.", True, 3)


@pytest.mark.rule("SK.X-7")
async def test_a_public_vote_is_carried_by_a_simple_majority(database: str) -> None:
    async with hall(database) as cup:
        for in_favour, against, carried in ((3, 2, True), (3, 3, False)):
            vote = {"question": "Once more?", "in_favour": in_favour, "against": against}
            assert done(await post(cup, "votes", vote))["upheld"] is carried
        votes = (await cup.client.get(f"{CUP}/protests", headers=cup.signed("aud"))).json()["votes"]
        assert [(vote["question"], vote["carried"]) for vote in votes] == [("Once more?", True), ("Once more?", False)]
        refused = await post(cup, "votes", {"question": "?", "in_favour": 1, "against": 0}, by="sue")
        problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")


@pytest.mark.rule("SK.X-7")
async def test_online_nobody_votes(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online", games=TWO) as cup:
        refused = await post(cup, "votes", {"question": "Once more?", "in_favour": 3, "against": 2})
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert "decides alone (SK.X-7)" in refused.json()["errors"][0]["detail"]


@pytest.mark.rule("SK.PAI-10")
async def test_of_several_games_at_a_table_the_last_one_counts(database: str) -> None:
    """The game of the wrong start is a draw that does not count: the sheet is opened anew for the other one."""
    async with hall(database, rules="scrabble-sk-2022-online", games=TWO) as cup:
        done(await cup.report("g1", 0, 0, by="sue", signed_by=[0, 1]))
        done(await cup.act("g1", "void", {"replay": True, "reason": "The platform gave the start wrongly."}, by="art"))
        last = done(await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1]))
        assert last["result"]["points"] == [1, 0]
        assert [record["data"]["scores"] for record in await cup.told("ResultAgreed")] == [[0, 0], [380, 350]]
        assert len(await cup.told("ReplayOrdered")) == 1
