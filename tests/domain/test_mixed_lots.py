"""Lots that are mixed with what nobody chose: the formula, what is a source and a value of it, and when they are opened."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.decider import TOURNAMENT, Command
from services.registration.domain.tournament.entries import Decision, Enter, WithdrawEntry
from services.registration.domain.tournament.lots import (
    DRAWING,
    FieldIsFixed,
    LotsAlreadyOpened,
    MoveLotSource,
    NoLotSource,
    OpenLots,
    SecretsNotHeard,
    SourceStands,
    TooEarlyForLots,
    TooLateForLots,
)
from services.registration.domain.tournament.plan import ChangePlan, planned
from services.registration.domain.tournament.reasons import NotedReason
from services.registration.domain.tournament.start import StartTournament, blockers
from services.registration.domain.tournament.states import known
from services.registration.eligibility.deadlines import as_stored
from shared.bundle.lots import NOT_MIXED
from shared.contracts.lots import LotDrawn, LotSeedCommitted, LotSeedRevealed
from shared.lots import formula, source
from shared.lots.known import LotsKnown
from shared.lots.source import SourceUnclear, ValueUnfit
from shared.rulesets import catalogue
from tests import drawn_again
from tests.rosters import CHECK_IN, IN_TIME, OPENED, announced, entered, entry, there

VECTORS = json.loads((Path(__file__).parents[1] / "vectors/lots/vectors.json").read_text())
TOURNAMENT_ID, QUICKNET = "cup", "drand quicknet 55000000"
DICE = "3 1 6 6 2 5 4 1 1 3 2 6 5 5 4 2 3 1 6 4"
BEACON = source.parse(QUICKNET)
KNOWN = BEACON.known_from or 0
CLOSES, LATER = (as_stored(datetime.fromtimestamp(KNOWN + more, UTC)) for more in (1, 6))
COMMITMENTS: dict[str, str] = dict.fromkeys(DRAWING, "ab" * 32)


@pytest.mark.parametrize("case", VECTORS["cases"])
def test_lots_are_those_of_the_vectors(case: dict[str, Any]) -> None:
    secret, tournament = bytes.fromhex(case["secret"]), case["tournament"]
    published = formula.commitment(secret, service=case["service"], tournament=tournament, source=case["source"])
    assert published == case["commitment"]
    known = LotsKnown(source=case["source"], value=case["value"], commitments={case["service"]: published})
    said = [
        LotSeedCommitted(tournament=tournament, commitment=published, source=case["source"]),
        *(LotDrawn(tournament=tournament, purpose=one["purpose"], order=tuple(one["order"])) for one in case["drawn"]),
        LotSeedRevealed(tournament=tournament, seed=case["secret"]),
    ]
    assert drawn_again.faults(tournament, case["service"], known, said) == []
    could_be_chosen = NOT_MIXED in drawn_again.unproved(tournament, case["service"], known, said)
    assert could_be_chosen == (case["source"] is None)


def test_sources_are_dice_or_a_beacon_and_nothing_else() -> None:
    assert {said: source.parse(said).text for said in VECTORS["sources"]} == VECTORS["sources"]
    assert {said: source.parse(said).known_from for said in VECTORS["known_from"]} == VECTORS["known_from"]
    for said in VECTORS["no_sources"]:
        with pytest.raises(SourceUnclear):
            source.parse(said)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "throw 20 dice"),
        (DICE[:-2], "19 were sent"),
        (f"{DICE} 1", "21 were sent"),
        (DICE.replace("5", "7"), "7 is no face"),
        (DICE.replace(" ", ""), "is no face"),
    ],
)
def test_what_dice_cannot_show_is_refused(said: str, why: str) -> None:
    with pytest.raises(ValueUnfit, match=why):
        source.parse("dice 20").value(said)


def test_a_value_is_written_in_one_way() -> None:
    assert source.parse("dice 20").value(f" {DICE.replace(' ', ',  ')}\n") == DICE
    assert BEACON.value("5F" * 32 + " ") == "5f" * 32
    for said in ("", "5f" * 31, "5g" * 32):
        with pytest.raises(ValueUnfit):
            BEACON.value(said)


def plan(lot_source: str | None = "dice 20", ruleset: str = "scrabble-sk-2022-qt") -> facts.TournamentAnnounced:
    return replace(announced(catalogue.load(ruleset)), lot_source=lot_source and source.parse(lot_source).text)


def decide(command: Command, *events: facts.Event) -> list[facts.Event]:
    return [*TOURNAMENT.decide(TOURNAMENT.fold(events, TOURNAMENT.initial), command)]


def opening(value: str = DICE, now: int = 0) -> OpenLots:
    return OpenLots(value=value, now=now, commitments=COMMITMENTS)


FIELD = (OPENED, entered("A"), entered("B"), CHECK_IN)


def test_lots_are_opened_once_when_everybody_has_checked_in() -> None:
    with pytest.raises(TooEarlyForLots, match="2 entrants have not checked in"):
        decide(opening(), plan(), *FIELD)
    fixed = (plan(), *FIELD, there("A"), there("B"))
    (opened,) = decide(opening(), *fixed)
    assert opened == facts.LotsOpened(tournament=TOURNAMENT_ID, source="dice 20", value=DICE, commitments=COMMITMENTS)
    assert decide(opening(), *fixed, opened) == []
    with pytest.raises(LotsAlreadyOpened):
        decide(opening(DICE[::-1]), *fixed, opened)
    some = dict.fromkeys(("registration", "standings"), "ab")
    with pytest.raises(SecretsNotHeard, match="that pairing and results has"):
        decide(replace(opening(), commitments=some), *fixed)
    with pytest.raises(NoLotSource):
        decide(opening(), plan(None), *FIELD, there("A"), there("B"))


def test_between_the_opening_and_the_start_the_field_stays() -> None:
    fixed = (plan(), *FIELD, there("A"), there("B"))
    opened = (*fixed, *decide(opening(), *fixed))
    for order in (Enter(entries=(entry("C"),), at=IN_TIME, decision=Decision.OTHER), WithdrawEntry(entrant="A")):
        assert decide(order, *fixed)
        with pytest.raises(FieldIsFixed):
            decide(order, *opened)
    assert decide(StartTournament(decision="few"), *opened)


def test_where_start_numbers_are_drawn_the_start_waits_for_the_lots() -> None:
    drawn = plan(ruleset="carcassonne-cz-qualification")
    fixed = (drawn, *FIELD, there("A"), there("B"))
    opened = decide(opening(), *fixed)
    for events, waits in ((fixed, True), ((*fixed, *opened), False)):
        state = known(TOURNAMENT.fold(events, TOURNAMENT.initial))
        assert ("lots-not-opened" in {one.kind for one in blockers(state)}) is waits


def test_a_beacon_is_opened_when_its_time_has_come() -> None:
    fixed = (plan(QUICKNET), *FIELD, there("A"), there("B"))
    with pytest.raises(TooEarlyForLots, match="is known in 1 seconds"):
        decide(opening("5f" * 32, KNOWN - 1), *fixed)
    assert decide(opening("5f" * 32, KNOWN), *fixed)


def test_a_source_is_moved_before_its_time_and_to_a_later_one() -> None:
    draft, registering = (plan(QUICKNET),), (plan(QUICKNET), OPENED)
    later = MoveLotSource(source="drand quicknet 55000001", now=KNOWN - 1)
    (moved,) = decide(later, *registering)
    assert isinstance(moved, facts.LotSourceMoved)
    assert decide(later, *registering, moved) == []
    with pytest.raises(SourceStands):
        decide(replace(later, now=KNOWN), *registering)
    with pytest.raises(SourceStands, match="to a later one only"):
        decide(replace(later, source="drand quicknet 54999999", now=KNOWN - 10), *draft)
    with pytest.raises(TooEarlyForLots):
        decide(replace(later, now=KNOWN + 10), plan(), OPENED)
    assert decide(later, plan(), OPENED)
    with pytest.raises(TooLateForLots, match="a digit too many"):
        decide(replace(later, source="drand quicknet 550000001"), *registering)
    assert decide(MoveLotSource(source="dice 20", now=0), *registering)
    with pytest.raises(SourceStands, match="may have been thrown"):
        decide(later, plan(), OPENED, CHECK_IN)
    with pytest.raises(SourceStands, match="before check-in begins"):
        decide(MoveLotSource(source="dice 20", now=0), *registering, CHECK_IN)


def test_entries_are_closed_before_the_beacon_is_known_however_source_and_plan_change() -> None:
    registering = (replace(plan(), entries_close=CLOSES), OPENED)
    early = MoveLotSource(source=QUICKNET, now=KNOWN - 100)
    with pytest.raises(TooEarlyForLots, match="before entries close"):
        decide(early, *registering)
    (moved,) = decide(replace(early, source="drand quicknet 55000001"), *registering)
    seen = planned(known(TOURNAMENT.fold((*registering, moved), TOURNAMENT.initial)).plan)
    longer = replace(seen, entries_close=LATER)
    change = ChangePlan(seen=seen, planned=longer, reason=NotedReason(code="other"))
    with pytest.raises(TooEarlyForLots, match="move them to a later round first"):
        decide(change, *registering, moved)
    assert decide(change, *registering)  # dice are thrown when they are
    assert decide(replace(change, planned=replace(seen, name="Nitra Cup")), *registering, moved)
    later = decide(MoveLotSource(source="drand quicknet 55000002", now=KNOWN - 100), *registering, moved)
    assert decide(change, *registering, moved, *later)
