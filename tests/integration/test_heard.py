"""What a service knows of a tournament: of each source the beginning of what it said, up to some number."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta

import asyncpg
import msgspec
import pytest

from services.pairing import publish
from services.pairing.domain.stage import STAGE, OpenStage
from shared.clock import now
from shared.commands.handler import Handler, Origin
from shared.contracts.pairing import StageOpened
from shared.contracts.registration import EntrantAdmitted, EntrantLeft, TournamentStarted
from shared.contracts.results import GameStarted, ResultFinal
from shared.ids import new_id
from shared.log.postgres import PostgresStore
from shared.messaging.history import Histories, Inputs, parse
from shared.refusals import Unavailable
from shared.rulesets import catalogue
from tests.told import tell

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ME = Origin(actor="arbiter")


@pytest.fixture
async def heard(database: str) -> AsyncGenerator[Histories]:
    heard = Histories(database, service="pairing")
    async with heard.running():
        yield heard


def started(tournament: str) -> TournamentStarted:
    ruleset = msgspec.Raw(catalogue.load("scrabble-sk-2022-qt").model_dump_json().encode())
    return TournamentStarted(tournament=tournament, federation="f", ruleset=ruleset, time_zone="Europe/Bratislava")


def admitted(entrant: str, number: int) -> EntrantAdmitted:
    return EntrantAdmitted(entrant=entrant, tournament="t", persons=(f"p-{entrant}",), number=number)


def left(entrant: str) -> EntrantLeft:
    return EntrantLeft(entrant=entrant, tournament="t", stage="swiss", after_round=0, why="withdrew")


async def open_stage(store: PostgresStore, scope: str = "t") -> None:
    stages = Handler(decider=STAGE, publish=publish.of_stage, store=store, now=now, new_id=new_id, service="pairing")
    command = OpenStage(tournament=scope, stage="swiss", entrants=("A", "B"))
    await stages.handle(f"{scope}.swiss", command, scope=scope, origin=ME, respond=lambda _, __: b"")


async def test_nothing_is_known_of_what_nobody_spoke_about(heard: Histories) -> None:
    history = await heard.of("t")
    assert (history.events, history.inputs, history.facts()) == ((), Inputs(), None)


async def test_what_neighbours_and_the_service_itself_said_is_known_source_by_source(
    heard: Histories, database: str, postgres_store: PostgresStore
) -> None:
    await tell(database, "registration", "t", started("t"), admitted("A", 1))
    await tell(database, "results", "t", GameStarted(game="g", tournament="t"))
    await open_stage(postgres_store)
    await tell(database, "registration", "t", admitted("B", 2))
    history = await heard.of("t")
    assert [(event.source, event.number, event.type) for event in history.events] == [
        ("pairing", 1, "StageOpened"),
        ("registration", 1, "TournamentStarted"),
        ("registration", 2, "EntrantAdmitted"),
        ("registration", 3, "EntrantAdmitted"),
        ("results", 1, "GameStarted"),
    ]
    assert str(history.inputs) == "reg3.pai1.res1.sta0"
    assert history.of(StageOpened) == [StageOpened(tournament="t", stage="swiss", entrants=("A", "B"))]
    facts = history.facts()
    assert facts is not None
    assert list(facts.entrants) == ["A", "B"]
    assert facts.fields == {"swiss": ("A", "B")}


async def test_inputs_count_only_what_was_said_of_the_tournament(
    heard: Histories, database: str, postgres_store: PostgresStore
) -> None:
    await tell(database, "registration", "elsewhere", started("elsewhere"))
    await tell(database, "registration", "t", started("t"))
    await tell(database, "registration", "elsewhere", admitted("X", 1))
    await open_stage(postgres_store, "elsewhere")
    assert str((await heard.of("t")).inputs) == "reg2.pai0.res0.sta0"


async def test_the_same_inputs_give_the_same_history_again(heard: Histories, database: str) -> None:
    await tell(database, "registration", "t", started("t"), admitted("A", 1))
    before = await heard.of("t")
    await tell(database, "registration", "t", left("A"))
    await tell(database, "results", "t", GameStarted(game="g", tournament="t"))
    after = await heard.of("t")
    assert await heard.of("t", until=before.inputs) == before
    assert after.until(before.inputs) == before
    assert [event.type for event in after.behind(before.inputs)] == ["EntrantLeft", "GameStarted"]
    assert after.inputs.include(before.inputs)
    assert not before.inputs.include(after.inputs)


async def test_a_moment_ends_each_source_where_it_was(heard: Histories, database: str) -> None:
    await tell(database, "registration", "t", started("t"), at=NOON)
    await tell(database, "registration", "t", admitted("A", 1), at=NOON + timedelta(hours=2))
    await tell(database, "registration", "t", admitted("B", 2), at=NOON + timedelta(hours=1))  # by a slower clock
    await tell(database, "results", "t", GameStarted(game="g", tournament="t"), at=NOON + timedelta(hours=1))
    assert str((await heard.of("t", at=NOON - timedelta(seconds=1))).inputs) == "reg0.pai0.res0.sta0"
    assert str((await heard.of("t", at=NOON)).inputs) == "reg1.pai0.res0.sta0"
    at_one = await heard.of("t", at=NOON + timedelta(hours=1))
    assert str(at_one.inputs) == "reg1.pai0.res1.sta0", "nothing is known that came behind something unknown"
    assert str((await heard.of("t", at=NOON + timedelta(hours=2))).inputs) == "reg3.pai0.res1.sta0"


async def test_what_a_restored_neighbour_has_lost_was_never_said(heard: Histories, database: str) -> None:
    await tell(database, "registration", "t", started("t"), admitted("A", 1))
    connection = await asyncpg.connect(database)
    await connection.execute("update inbox.events set lost = now() where number = 2")
    await connection.close()
    assert str((await heard.of("t")).inputs) == "reg1.pai0.res0.sta0"


async def test_what_this_version_does_not_know_is_kept_in_its_place(heard: Histories, database: str) -> None:
    class Rained(msgspec.Struct):
        tournament: str

    await tell(database, "registration", "t", started("t"), Rained(tournament="t"), admitted("A", 1))
    history = await heard.of("t")
    assert [(event.type, event.contract is None) for event in history.events] == [
        ("TournamentStarted", False),
        ("Rained", True),
        ("EntrantAdmitted", False),
    ]
    facts = history.facts()
    assert facts is not None
    assert list(facts.entrants) == ["A"]


async def test_the_order_between_sources_changes_no_fact(heard: Histories, database: str) -> None:
    result = ResultFinal(
        game="g", tournament="t", stage="swiss", round=1, seats=("A", "B"), scores=(400, 300), points=(1, 0)
    )
    await tell(database, "results", "t", result)
    assert (await heard.of("t")).facts() is None
    await tell(database, "registration", "t", started("t"))
    facts = (await heard.of("t")).facts()
    assert facts is not None
    assert facts.results["g"].points == (1, 0)


def test_inputs_are_read_as_they_are_written() -> None:
    inputs = Inputs(registration=120, pairing=31, results=88, standings=7)
    assert str(inputs) == "reg120.pai31.res88.sta7"
    assert parse(str(inputs)) == inputs
    for wrong in ("", "reg1", "reg1.pai2.res3", "reg1.pai2.res3.sta-4", "reg1.pai2.res3.sta4 "):
        with pytest.raises(ValueError, match="names no inputs"):
            parse(wrong)


async def test_a_service_that_does_not_run_knows_nothing(database: str) -> None:
    with pytest.raises(Unavailable):
        await Histories(database, service="pairing").of("t")
