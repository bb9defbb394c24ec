"""What happened to a tournament, as its services tell it: who did what, when and why, and what was so before."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deploy import SERVICES
from deploy.demo.cast import ARBITER, SCORERS
from deploy.demo.client import Services
from deploy.demo.play import connected, decide, report
from deploy.demo.preparation import director
from shared.clock import now
from tests.e2e import repaired
from tests.e2e.acting import until_found
from tests.e2e.record import ids
from tests.e2e.repaired import Repaired
from tests.e2e.test_pages import Seen, Visit, visit, visited
from tests.integration.launching import Platform

type Told = Mapping[str, Any]

WHY = "The sheet was read from the wrong side."
LATE = {"person": {"name": "Žofia Neskorá"}, "rating": 1700, "from_round": 2, "decision": "excused"}
MISTAKE = {"code": "mistake", "words": "They come from one club."}
SWAP = {"swap": [{"table": 1, "seat": 1}, {"table": 2, "seat": 1}], "reason": MISTAKE}


async def test_a_tournament_is_told_with_what_was_corrected_overridden_and_repaired(
    platform: Platform, tmp_path: Path
) -> None:
    urls = {service: platform.below(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        done = await repaired.play(network, now().date())
        assert (done.lost["result"]["end"], done.lost["result"]["scores"]) == ("no_show", [100, 0])
        assert (done.seated["status"], ids(done.seated["seats"])) == ("pending", [done.stays, done.waits])
        assert [done.points[one] for one in (done.stays, done.goes, done.waits)] == [1, 0, 0]
        changed = await go_on(network, done)
        await until_found(lambda: table_changed(network, done))
        await until_found(lambda: first_round_completed(network, done))  # which nobody waits for
        told = {service: await story(network, done, service) for service in SERVICES}
        of_round = await story(network, done, "results", "?round=2")
        of_one = await story(network, done, "registration", f"?kind=captain&about={done.stays}")
        newest = await story(network, done, "results", "?order=newest&limit=1")
        seen = await visited(platform, pages(done, network.token("operator"), told["results"]["items"]))
    require_shown(seen, done)
    require_marked(told, done, changed)
    require_filtered(told, done, of_round, of_one, newest)
    printed = await asyncio.to_thread(platform.run, "story", done.cup.id)
    assert printed.returncode == 0, printed.stderr
    lines = printed.stdout
    names = {one: done.cup.players[one].name for one in (done.stays, done.goes, done.waits)}
    stays, goes, waits = (names[one] for one in (done.stays, done.goes, done.waits))
    assert f"tables: 1 {stays}, {waits} (before: 1 {stays}, {goes})" in lines
    assert f"Captain dismissed: {stays}" in lines
    assert "Nobody speaks for the entrant by a token of this generation any more." in lines
    assert f"why: “{WHY}”" in lines
    assert "scores: 350, 400 (before: 400, 350)" in lines
    await asyncio.to_thread(told_by_bundle, platform, done, tmp_path / "bundle.zip")


async def go_on(network: Services, done: Repaired) -> Sequence[Told]:
    """A captain is dismissed, a result corrected, somebody comes late, a pairing is changed by hand, and scorers contradict
    each other; answers the pairs of the second round before the change and after it."""
    arbiter, organiser, cup = network.person(ARBITER), director(network), done.cup
    captain = f"{cup.path}/entrants/{done.stays}/captain"
    await organiser.act("registration", f"{captain}/token")
    await organiser.act("registration", f"{captain}/dismiss")
    correction = {"end": "played", "scores": [350, 400], "reason": WHY}
    corrected = await arbiter.act("results", f"/v1/games/{done.games[1]}/correct", correction)
    await organiser.act("registration", f"{cup.path}/entrants/admit", LATE)
    round_ = f"{cup.stage}/rounds/2"
    draft = await organiser.act("pairing", f"{round_}/draft", after=corrected.position)
    await organiser.act("pairing", f"{round_}/swap", SWAP)
    await organiser.act("pairing", f"{round_}/confirm", {"reason": MISTAKE})
    published = await organiser.act("pairing", f"{round_}/publish", {"reason": {"code": "announcement"}})
    game = published.body["pairs"][0]["game"]
    await report(network.person(SCORERS[0]), game, {"scores": [400, 350]}, after=published.position)
    await report(network.person(SCORERS[1]), game, {"scores": [410, 350]})
    await decide(arbiter, game, {"scores": [410, 350]})
    return draft.body["pairs"], published.body["pairs"]


async def table_changed(network: Services, done: Repaired) -> Told | None:
    told = await story(network, done, "standings", "?kind=correction")
    return told if told["items"] else None


async def first_round_completed(network: Services, done: Repaired) -> Told | None:
    told = await story(network, done, "results", "?round=1")
    return next((one for one in told["items"] if one["what"] == "RoundCompleted"), None)


async def story(network: Services, done: Repaired, service: str, query: str = "") -> Told:
    return await director(network).look(service, f"{done.cup.path}/story{query}")


def require_marked(told: Mapping[str, Told], done: Repaired, changed: Sequence[Any]) -> None:
    """Each with who it was, and what was so before."""
    marked = {service: [one for one in told[service]["items"] if one["mark"]] for service in SERVICES}
    assert [(one["what"], one["mark"], one["role"]) for service in SERVICES for one in marked[service]] == [
        ("EntrantAdmitted", "override", "director"),
        ("RepairAsked", "repair", "director"),
        ("TablesRepaired", "repair", "service"),
        ("PairingOverridden", "override", "director"),
        ("RoundPublished", "override", "director"),
        ("ReplayOrdered", "correction", "service"),
        ("ResultCorrected", "correction", "arbiter"),
        ("TableChanged", "correction", "service"),
    ]
    (late,) = marked["registration"]
    assert (late["reason"], told["registration"]["names"][late["entrants"][0]]) == ("excused", "Žofia Neskorá")
    asked, seated, swapped, published = marked["pairing"]
    assert (asked["actor"], asked["operation"], asked["reason"]) == ("operator", "repairTables", "absence")
    assert (seated["before"], seated["said"]) == (
        {"byes": [done.waits], "missing": [], "tables": {"1": [done.stays, done.goes]}},
        {"byes": [], "missing": [done.goes], "tables": {"1": [done.stays, done.waits]}},
    )
    before, after = ({str(pair["table"]): ids(pair["seats"]) for pair in pairs[:2]} for pairs in changed)
    assert (swapped["before"]["tables"], swapped["said"]["tables"]) == (before, after)
    assert (swapped["reason"], swapped["words"], swapped["round"]) == ("mistake", [MISTAKE["words"]], 2)
    assert [one["kind"] for one in published["said"]["doubts"]] == ["too-early"]
    replay, corrected = marked["results"]
    assert (replay["before"]["scores"], replay["before"]["end"]) == ([100, 0], "no_show")
    assert (corrected["actor"], corrected["operation"], corrected["game"]) == (ARBITER, "correctResult", done.games[1])
    assert (corrected["before"], corrected["words"]) == ({"scores": [400, 350], "points": [1, 0]}, [WHY])
    assert (corrected["said"]["scores"], corrected["said"]["points"]) == ([350, 400], [0, 1])
    (agreed,) = [one for one in told["results"]["items"] if one["position"] == corrected["instead_of"]]
    assert (agreed["what"], agreed["game"]) == ("ResultAgreed", done.games[1])
    assert corrected["says"] == "An official puts this result in the place of the final one, for this reason."


def require_filtered(told: Mapping[str, Told], done: Repaired, of_round: Told, of_one: Told, newest: Told) -> None:
    second = [one["what"] for one in of_round["items"] if one["table"] in (1, None)]
    said = ["ResultReported", "ResultReported", "ResultDecided"]
    assert second == ["RoundOpened", "SheetOpened", *said]
    assert [one["what"] for one in of_one["items"]] == ["CaptainNamed", "CaptainTokenIssued", "CaptainDismissed"]
    assert (of_one["items"][-1]["before"], of_one["items"][-1]["instead_of"]) == (
        {"generation": 1},
        of_one["items"][0]["position"],
    )
    assert newest["items"] == told["results"]["items"][-1:]
    assert newest["next"] == newest["items"][0]["position"]
    assert done.stays in of_one["names"]


def pages(done: Repaired, token: str, results: Sequence[Told]) -> list[Visit]:
    """For everybody, over the correction, and for the director, in every language."""
    times = {one["what"]: one["at"] for one in results if one["round"] == 1}
    path = f"{done.cup.path.removeprefix('/v1')}/story"
    return [
        visit("story", f"{path}?from={times['ResultAgreed']}&to={times['ResultCorrected']}"),
        visit("round-repaired", f"{path.removesuffix('/story')}/stages/swiss/rounds/1"),
        visit("story-told", f"{path}#token={token}"),
        visit("story-marked", f"{path}?kind=marked#token={token}", language="cs", wide=True, theme="dark"),
        visit("story-of-one", f"{path}?about={done.stays}#token={token}", language="sk", theme="contrast"),
        visit("story-of-round", f"{path}?round=1&kind=repair#token={token}", language="pl"),
    ]


def require_shown(seen: Mapping[str, Seen], done: Repaired) -> None:
    wrong = {name: (*one["faults"], *one["said"], *one["strangers"]) for name, one in seen.items()}
    assert {name: what for name, what in wrong.items() if what} == {}
    assert [name for name, one in seen.items() if one["sideways"] > 0] == []
    names = {one: done.cup.players[one].name for one in (done.stays, done.goes, done.waits)}
    stays, goes, waits = (names[one] for one in (done.stays, done.goes, done.waits))
    assert "Directors, councils and auditors read here" in seen["story"]["text"]
    assert "(before: " in seen["story"]["text"]
    assert WHY not in seen["story"]["text"]
    assert "Tables of this round were changed after it was published" in seen["round-repaired"]["text"]
    assert "Result decided" in seen["story-told"]["text"]
    assert "To the desk" in seen["story-told"]["text"]
    assert f"Stůl 1 {stays}, {waits} (předtím: Stůl 1 {stays}, {goes})" in seen["story-marked"]["text"]
    assert f"Proč: „{WHY}“" in seen["story-marked"]["text"]
    assert "350 : 400 (předtím: 400 : 350)" in seen["story-marked"]["text"]
    assert "Kapitán odvolaný" in seen["story-of-one"]["text"]
    assert "Result" not in seen["story-of-round"]["text"]
    assert "Stoły naprawione" in seen["story-of-round"]["text"]


def told_by_bundle(platform: Platform, done: Repaired, bundle: Path) -> None:
    """Whoever has only that hears the same, without names and words."""
    assert platform.run("export", done.cup.id, f"--output={bundle}").returncode == 0
    lines = platform.run("story", str(bundle), "--kind=repair").stdout
    assert f"tables: 1 {done.stays}, {done.waits} (before: 1 {done.stays}, {done.goes})" in lines
    assert WHY not in platform.run("story", str(bundle)).stdout
