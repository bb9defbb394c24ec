"""What holds through a series: its name, a fee that is paid once, one free team of a host, and a team as it was registered."""

import asyncio
from http import HTTPStatus
from typing import Any

import pytest

from shared.contracts.standings import Qualified
from shared.values import Value
from tests.api.asking import Client, issuer, problem
from tests.api.holding import act, announce, done, path
from tests.api.school_days import Schools, ruleset, team
from tests.api.signing import signed_by
from tests.told import done as reacted
from tests.told import tell

type Answer = dict[str, Any]

REFUSED = HTTPStatus.CONFLICT
ONCE: Answer = {"fee_for": "series", "division": "primary-schools", "home_region": False}
CZK: Answer = {"amount": 180, "currency": "CZK", "on": "2025-11-01", "reference": "VS-1"}
PERSONS: Answer = {"kind": "individual", "team": None, "quotas": [], "eligibility": [], "consents": []}


class Season(Value):
    client: Client
    database: str
    schools: Schools

    async def tournament(self, level: str, **said: Any) -> str:
        rules = ruleset(**ONCE | said.pop("entry_rules", {})) | {"id": level}
        return await self.schools.tournament(rules=rules, **said)

    async def enter(self, tournament: str, name: str, **said: Any) -> Answer:
        answer = await self.schools.enter(tournament, team(name, self.schools.one) | said)
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        return answer.json()

    async def decided(self, tournament: str, *order: str) -> None:
        told = Qualified(
            tournament=tournament,
            order=tuple((one,) for one in order),
            advance=len(order),
            reserves=(),
            rests_on="reg9.pai9.res9.sta9",
        )
        await tell(self.database, "standings", tournament, told)
        await reacted(self.database)

    async def entries(self, tournament: str) -> list[Answer]:
        return (await self.client.get(path(tournament, "entries"))).json()["items"]

    async def entry(self, tournament: str, entrant: str) -> Answer:
        return (await self.client.get(path(tournament, "entrants", entrant, "entry"))).json()


@pytest.fixture
def client(new_client: Client) -> Client:
    """What neighbours say is told to the database of this very test."""
    return new_client


@pytest.fixture
async def season(client: Client, database: str) -> Season:
    return Season(client=client, database=database, schools=await Schools(client).found())


def lacks(entry: Answer) -> list[str]:
    return [one["kind"] for one in entry["lacks"]]


@pytest.mark.rule("PQ.REG-11")
async def test_a_team_that_has_paid_comes_to_the_next_level_and_owes_nothing_there(season: Season) -> None:
    client = season.client
    regional = await season.tournament("kt")
    area = await season.tournament("ot", next_level={"tournament": regional})
    teams = [(await season.enter(area, name))["id"] for name in ("Owls", "Bats")]
    for number, one in enumerate(teams):
        await done(client, area, "entrants", one, "payments", **CZK | {"reference": f"VS-{number}"})
    await season.decided(area, *teams)
    found = await season.entries(regional)
    assert [(one["due"], one["settled_in"], one["payments"]) for one in found] == [([], [area], [])] * 2
    assert [lacks(one) for one in found] == [["not-checked-in"]] * 2
    owls = found[0]["entrant"]["id"]
    again = await act(client, regional, "entrants", owls, "payments", **CZK)
    assert f"settled for the whole series, in {area}" in problem(again, REFUSED, "nothing-due").detail

    back = await done(client, area, "entrants", teams[0], "refunds", **CZK | {"decision": "by-mistake"})
    assert len(back["due"]) == 2
    entry = await season.entry(regional, owls)
    assert (entry["settled_in"], len(entry["due"]), lacks(entry)) == ([], 2, ["not-checked-in", "unpaid"])
    paid = await done(client, regional, "entrants", owls, "payments", **CZK)  # where they are now
    assert await done(client, regional, "entrants", owls, "payments", **CZK) == paid
    entry = await season.entry(area, teams[0])
    assert (entry["settled_in"], entry["due"]) == ([regional], [])
    for step in ("open-check-in", "check-in", "start"):
        await done(client, regional, step)
    history = (await client.get(path(regional, "entrants", owls, "history"))).json()["items"]
    assert [one["what"] for one in history if one["what"] == "fee-noted"] == ["fee-noted"] * 2


@pytest.mark.rule("PQ.REG-11")
async def test_an_individual_pays_once_for_both_categories_and_all_levels(season: Season) -> None:
    """By the ruleset of the catalogue."""
    client, federation = season.client, season.schools.federation
    plan = {"ruleset": "pisqworky-2025-individual", "series": "pq-2025", "first_round": "10:00"}
    levels: list[str] = []
    for category in ("cadets", "cadets", "veterans"):
        answer = await announce(client, federation, **plan, entry={"category": category})
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        levels.append(answer.json()["id"])
        await done(client, levels[-1], "open")
    body: Answer = {"school": season.schools.one, "declared": ["grade-6-or-higher"]}
    young: Answer = {"name": "Mária", "particulars": {"born": "2010-05-01"}}
    first = await done(client, levels[0], "entrants", person=young, **body)
    person = first["persons"][0]["id"]
    second = await done(client, levels[1], "entrants", person=person, **body)
    payment = {"amount": 70, "currency": "CZK", "on": "2025-11-01", "reference": "VS-70"}
    await done(client, levels[0], "entrants", first["id"], "payments", **payment)
    third = await done(client, levels[2], "entrants", person=person)  # a veteran as well
    for level, entrant in ((levels[1], second), (levels[2], third)):
        entry = await season.entry(level, entrant["id"])
        assert (entry["due"], entry["settled_in"]) == ([], [levels[0]])
        assert "unpaid" not in lacks(entry)
    other = await done(client, levels[2], "entrants", person={"name": "Jana", "particulars": {"born": "2001"}})
    assert (await season.entry(levels[2], other["id"]))["due"] != []


@pytest.mark.rule("PQ.REG-12")
async def test_a_host_has_one_team_for_free_wherever_it_plays(season: Season) -> None:
    client, schools = season.client, season.schools
    area, other = await season.tournament("ot"), await season.tournament("ot")
    owls, bats = (await season.enter(area, "Owls"))["id"], (await season.enter(other, "Bats"))["id"]

    async def ask(tournament: str, entrant: str, what: str) -> Any:
        return await act(client, tournament, "entrants", entrant, "waivers", what, ground="host-school")

    for tournament, entrant in ((area, owls), (other, bats)):
        assert (await ask(tournament, entrant, "request")).is_success
    refused = await ask(area, owls, "grant")
    assert (
        "hosts a tournament of the series" in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-ground").detail
    )
    secondary = await season.tournament("ss-ot", host=schools.one, entry_rules={"division": "secondary-schools"})
    granted = await ask(area, owls, "grant")
    assert granted.json()["due"] == []
    detail = problem(await ask(other, bats, "grant"), REFUSED, "waivers-used-up").detail
    assert "in the whole series" in detail
    assert owls in detail
    crows = (await season.enter(secondary, "Crows"))["id"]  # in the other category it has another one
    assert (await ask(secondary, crows, "request")).is_success
    assert (await ask(secondary, crows, "grant")).is_success
    members = [one["id"] for one in (await season.entry(area, owls))["entrant"]["persons"]]
    regional = await season.tournament("kt")
    at_regional = await season.enter(regional, "Owls", persons=members, captain=members[0], team=owls)
    assert (await season.entry(regional, at_regional["id"]))["settled_in"] == [area]
    assert (await ask(area, owls, "refuse")).is_success
    assert len((await season.entry(regional, at_regional["id"]))["due"]) == 2
    assert (await ask(other, bats, "grant")).is_success


@pytest.mark.rule("PQ.REG-11")
async def test_a_fee_follows_from_one_area_tournament_to_another_and_to_who_comes_late(season: Season) -> None:
    client = season.client
    first, second, regional = [await season.tournament(level) for level in ("ot", "ot", "kt")]
    owls = await season.enter(first, "Owls")
    await done(client, first, "entrants", owls["id"], "payments", **CZK)
    await done(client, first, "entrants", owls["id"], "withdraw")
    members = [one["id"] for one in owls["persons"]]
    same = {"persons": members, "captain": members[0], "team": owls["id"]}
    moved = await season.enter(second, "Owls", **same)
    assert (await season.entry(second, moved["id"]))["due"] == []
    for number, name in enumerate(("Bats", "Crows")):
        one = await season.enter(regional, name)
        await done(client, regional, "entrants", one["id"], "payments", **(CZK | {"reference": f"VS-9{number}"}))
    for step in ("open-check-in", "check-in", "start"):
        await done(client, regional, step)
    late: Answer = team("Owls", season.schools.one) | same | {"from_round": 1, "decision": "other"}
    admitted = await done(client, regional, "entrants", "admit", **late)
    assert (await season.entry(regional, admitted["id"]))["settled_in"] == [first]
    new: Answer = team("Larks", season.schools.one) | {"from_round": 1, "decision": "other"}
    unpaid = await act(client, regional, "entrants", "admit", **new)
    assert "PQ.REG-11" in problem(unpaid, REFUSED, "not-paid").detail
    larks = await done(client, regional, "entrants", "admit", **new | {"payment": CZK | {"reference": "VS-L"}})
    members = [one["id"] for one in larks["persons"]]
    at_second = await season.enter(second, "Larks", persons=members, captain=members[0], team=larks["id"])
    assert (await season.entry(second, at_second["id"]))["settled_in"] == [regional]


@pytest.mark.rule("PQ.REG-11")
async def test_whoever_enters_and_pays_at_the_same_moment_has_paid_in_both(season: Season) -> None:
    client = season.client
    area = await season.tournament("ot")
    owls = await season.enter(area, "Owls")
    members = [one["id"] for one in owls["persons"]]
    same = team("Owls", season.schools.one) | {"persons": members, "captain": members[0], "team": owls["id"]}
    several = [await season.tournament(f"level-{number}") for number in range(4)]

    async def sent(tournament: str, *steps: str, **said: Any) -> None:
        """As often as somebody else is at it at the same moment."""
        answer = await act(client, tournament, "entrants", *steps, **said)
        if answer.status_code == HTTPStatus.PRECONDITION_FAILED:
            problem(answer, HTTPStatus.PRECONDITION_FAILED, "fees-changed-meanwhile")
            return await sent(tournament, *steps, **said)
        assert answer.is_success, answer.text
        return None

    await asyncio.gather(
        *(sent(one, **same) for one in several[:2]),
        sent(area, owls["id"], "payments", **CZK),
        *(sent(one, **same) for one in several[2:]),
    )
    found = [await season.entries(one) for one in several]
    assert [(one["settled_in"], one["due"]) for entries in found for one in entries] == [([area], [])] * 4


@pytest.mark.rule("PQ.REG-22")
async def test_a_series_is_named_where_rules_hold_through_it(season: Season) -> None:
    client, federation = season.client, season.schools.federation
    refused = await announce(client, federation, ruleset=ruleset())
    assert [one.pointer for one in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors] == ["/series"]
    assert (await announce(client, federation)).is_success  # where nothing asks for one
    area = await season.tournament("ot", series="pq-2052")
    regional = await season.tournament("kt")
    other = await act(client, area, "next-level", tournament=regional)
    assert "the series pq-2025, and this one to the series pq-2052" in problem(other, REFUSED, "no-next-level").detail
    why: Answer = {"reason": {"code": "misspelt"}}
    foreseen = await done(client, area, "change-plan?dry_run=true", series="pq-2025", **why)
    assert foreseen["changes"] == ["The series is pq-2025 instead of pq-2052."]
    changed = await act(client, area, "change-plan", series="pq-2025", **why)
    assert changed.json()["series"] == "pq-2025"
    assert (await done(client, area, "next-level", tournament=regional))["next_level"] == regional
    after_it = {"Roundlog-Min-Position": changed.headers["Roundlog-Position"]}
    listed = (await client.get("/v1/tournaments", params={"series": "pq-2025"}, headers=after_it)).json()["items"]
    assert {one["id"] for one in listed} == {area, regional}
    for tournament in (area, regional):
        bound = await act(client, tournament, "change-plan", series="pq-2026", **why)
        assert "level of the series" in problem(bound, REFUSED, "bound-by-entries").detail
    none = await act(client, area, "change-plan", series=None, **why)
    problem(none, REFUSED, "no-series")
    secondary = await season.tournament("ss-kt", entry_rules={"division": "secondary-schools"})
    problem(await act(client, area, "next-level", tournament=secondary), REFUSED, "no-next-level")


async def test_whoever_has_entered_before_a_series_was_named_claims_in_it_then(season: Season) -> None:
    client, schools = season.client, season.schools
    rules = ruleset(fee_for="tournament", home_region=False)
    rules["entry"]["team"]["frozen"] = "tournament"
    without = [await schools.tournament(rules=rules, series=None) for _ in range(2)]
    owls = await season.enter(without[0], "Owls")
    shared = [owls["persons"][0]["id"], {"name": "Somebody else"}]
    await season.enter(without[1], "Bats", persons=shared, captain=owls["persons"][0]["id"])
    why: Answer = {"reason": {"code": "forgotten"}}
    await done(client, without[0], "change-plan", series="pq-2025", **why)
    refused = await act(client, without[1], "change-plan", series="pq-2025", **why)
    assert "PQ.REG-7" in problem(refused, REFUSED, "claimed-by-another").detail
    assert (await client.get(path(without[1]))).json()["series"] is None


@pytest.mark.rule("PQ.REG-10", "PQ.REG-9")
async def test_a_substitute_and_an_acting_captain_are_so_for_one_tournament(season: Season) -> None:
    client = season.client
    free: Answer = {"fees": [], "payment": "recorded"}
    regional = await season.tournament("kt", entry_rules=free)
    area = await season.tournament("ot", next_level={"tournament": regional}, entry_rules=free)
    substitute = {"name": "Owls 4", "captain": True, "particulars": {"born": "2012-01-01"}}
    members = [{"name": f"Owls {n}", "particulars": {"born": "2012-01-01"}} for n in (1, 2, 3)]
    owls = await season.enter(area, "Owls", persons=members, substitutes=[substitute])
    bats = await season.enter(area, "Bats")
    (fourth,) = (one["id"] for one in owls["substitutes"])
    assert owls["captain"] == fourth
    two = team("Crows", season.schools.one) | {"captain": "zoe"}
    twice = await season.schools.enter(area, two)
    assert [one.pointer for one in problem(twice, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors] == ["/captain"]
    await done(client, area, "open-check-in")
    await done(client, area, "check-in")
    refused = await act(client, area, "start")
    assert "PQ.REG-10" in problem(refused, REFUSED, "not-ready").detail
    assert lacks(await season.entry(area, owls["id"])) == ["no-captain"]
    first = owls["persons"][0]["id"]
    instead = {"substitute": fourth, "instead_of": first}
    await done(client, area, "entrants", owls["id"], "bring-in", **instead)
    assert lacks(await season.entry(area, owls["id"])) == []
    acting = owls["persons"][1]["id"]
    await done(client, area, "entrants", owls["id"], "name-captain", person=acting)
    await done(client, area, "start")
    await season.decided(area, owls["id"], bats["id"])
    came = (await season.entries(regional))[0]["entrant"]
    assert [one["id"] for one in came["persons"]] == [one["id"] for one in owls["persons"]]
    assert [one["id"] for one in came["substitutes"]] == [fourth]
    assert came["captain"] == fourth
    (origin,) = (await client.get(path(regional, "qualifiers"))).json()["origins"]
    assert [one["why"] for one in origin["qualifiers"]] == [None, None]


async def test_a_file_names_a_substitute_as_captain_and_again_changes_nothing(season: Season) -> None:
    client = season.client
    area = await season.tournament("ot", entry_rules={"eligibility": []})
    file = (
        "entry,name,role,captain,team_name,school,consents\r\n"
        f"1,Ada,,,Owls,{season.schools.one},rules\r\n1,Bea,,,,,\r\n1,Cyd,,,,,\r\n1,Dan,substitute,yes,,,\r\n"
    )
    headers = {"Content-Type": "text/csv"} | signed_by(issuer().token("operator"))
    for outcome in ("entered", "unchanged"):
        sent = await client.post(path(area, "entries", "import"), content=file.encode(), headers=headers)
        assert sent.json()[outcome] == 1, sent.text
    (entry,) = await season.entries(area)
    assert entry["entrant"]["captain"] == entry["entrant"]["substitutes"][0]["id"]
    taken_out = (await client.get(path(area, "entries", "export"))).text
    again = await client.post(path(area, "entries", "import"), content=taken_out.encode(), headers=headers)
    assert again.json()["unchanged"] == 1, again.text


@pytest.mark.rule("PQ.REG-24")
async def test_a_check_names_what_is_missing_for_the_next_level_and_proposes(season: Season) -> None:
    client, federation = season.client, season.schools.federation
    base: Answer = {"series": "pq-2025", "first_round": "10:00", "override": "test"}
    check = f"/v1/federations/{federation}/series/pq-2025/advancing"
    problem(await client.get(check), HTTPStatus.NOT_FOUND, "series-unknown")

    async def level(of: str, **said: Any) -> str:
        plan = base | {"ruleset": f"pisqworky-2025-ss-{of}"} | said
        answer = await announce(client, federation, **plan)
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        return answer.json()["id"]

    final = await level("grf", name="Final")
    regional = await level("kt", name="North", entry={"most": 6}, next_level={"tournament": final})
    areas = [await level("ot", name=f"Area {n}", next_level={"tournament": regional}) for n in (1, 2)]
    loose = await level("ot", name="Area 3")
    gone = await level("ot", name="Area 4")
    await done(client, gone, "cancel")
    for tournament, advance in ((regional, 24), (areas[0], 4), (areas[1], 3)):
        await done(client, tournament, "announce-advance", advance=advance)
    found = (await client.get(check)).json()
    assert found["faults"] == ["Area 3 leads nowhere (PQ.REG-24): name its next level."]
    grf, kt = found["next_levels"]
    assert (grf["name"], grf["places"], grf["announced"], grf["faults"]) == ("Final", 24, 24, [])
    assert (kt["announced"], kt["too_many"], [one["advance"] for one in kt["shares"]]) == (7, 1, [4, 3])
    assert kt["faults"] == ["7 go on to North, which has 6 places (PQ.REG-24): 1 are too many."]
    assert not found["adds_up"]
    await done(client, loose, "cancel")
    await done(client, areas[1], "announce-advance", advance=2)
    assert (await client.get(check)).json()["adds_up"]
    stranger = await client.get(check, headers=signed_by(issuer().token("somebody")))
    problem(stranger, HTTPStatus.FORBIDDEN, "not-permitted")


@pytest.mark.rule("PQ.REG-22")
async def test_who_had_entered_a_cancelled_tournament_is_free_for_another_one(season: Season) -> None:
    client = season.client
    first, second = [await season.tournament("ot") for _ in range(2)]
    owls = await season.enter(first, "Owls")
    await done(client, first, "entrants", owls["id"], "payments", **CZK)
    members = [one["id"] for one in owls["persons"]]
    same: Answer = {"persons": members, "captain": members[0], "team": owls["id"]}
    refused = await season.schools.enter(second, team("Owls", season.schools.one) | same)
    problem(refused, REFUSED, "team-plays-elsewhere")
    await done(client, first, "cancel")
    await done(client, first, "cancel")
    moved = await season.enter(second, "Owls", **same)
    assert (await season.entry(second, moved["id"]))["settled_in"] == [first]


@pytest.mark.rule("PQ.REG-9", "PQ.REG-11")
async def test_who_withdraws_again_has_done_so_already_and_gives_up_no_later_entry(season: Season) -> None:
    client = season.client
    first, second = [await season.tournament("ot") for _ in range(2)]
    owls = await season.enter(first, "Owls")
    members = [one["id"] for one in owls["persons"]]
    same: Answer = {"persons": members, "captain": members[0], "team": owls["id"]}
    await done(client, first, "entrants", owls["id"], "withdraw", reason={"code": "ill"})
    await season.enter(first, "Owls", **same)
    for _ in range(2):
        await done(client, first, "entrants", owls["id"], "withdraw", reason={"code": "ill"})
        await act(client, first, "entrants", owls["id"], "strike-off")
    refused = await season.schools.enter(second, team("Owls", season.schools.one) | same)
    problem(refused, REFUSED, "team-plays-elsewhere")


@pytest.mark.rule("PQ.REG-9", "PQ.REG-11")
async def test_a_fee_is_that_of_the_team_that_paid_it_and_of_no_other_members(season: Season) -> None:
    client = season.client
    first = await season.tournament("ot")
    owls = await season.enter(first, "Owls")
    await done(client, first, "entrants", owls["id"], "payments", **CZK)
    await done(client, first, "entrants", owls["id"], "withdraw", reason={"code": "ill"})
    others = team("Owls", season.schools.one) | {"team": owls["id"]}
    problem(await season.schools.enter(first, others), REFUSED, "team-frozen")
    members = [one["id"] for one in owls["persons"]]
    back = await season.enter(first, "Owls", persons=members, captain=members[0], team=owls["id"])
    assert (await season.entry(first, back["id"]))["due"] == []
