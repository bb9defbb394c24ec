"""What is copied by the names of fields is copied whole: what registration tells its neighbours, and what it hears and keeps."""

from collections.abc import Callable
from typing import Any

import pytest

from services.registration import publish
from services.registration.domain.captains import CAPTAIN, KEYS
from services.registration.domain.federation import FEDERATION
from services.registration.domain.homes import Home, HomeChanged, HomeRegistered
from services.registration.domain.notices import NOTICES
from services.registration.domain.officials import OFFICIALS
from services.registration.domain.person import PERSON
from services.registration.domain.ratings import RatingsTakenOver, TakeOverRatings
from services.registration.domain.seasons import SEASONS, NoteQualification
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.entrants import Also
from services.registration.domain.tournament.facts import EntryDetailed
from services.registration.domain.tournament.levels import NoteOrder
from shared.commands.decider import Decider
from shared.contracts import events_of
from shared.contracts import registration as public
from shared.contracts.standings import QualificationPublished, Qualified, RatingListPublished
from shared.values import Value
from tests.contracts.test_stored_events import read

TOLD: tuple[tuple[Decider[Any, Any, Any], Callable[[Any], Any]], ...] = (
    (FEDERATION, publish.of_federation),
    (OFFICIALS, publish.of_officials),
    (CAPTAIN, publish.of_captains),
    (KEYS, publish.of_captain_keys),
    (PERSON, publish.of_person),
    (NOTICES, publish.of_notices),
    (SEASONS, publish.of_seasons),
    (TOURNAMENT, publish.of_tournament),
)
CALLED_OTHERWISE = {("TournamentAnnounced", "ruleset"): "ruleset_id"}
NOT_KNOWN_HERE = {("EntrantAdmitted", "group"), ("EntrantChanged", "group")}  # pairing draws groups


@pytest.mark.parametrize(("decider", "of"), TOLD, ids=[decider.kind for decider, _ in TOLD])
def test_a_message_says_what_has_happened(decider: Decider[Any, Any, Any], of: Callable[[Any], Any]) -> None:
    for kind in decider.events:
        event = read(f"registration/{kind.__name__}", decider)
        message = of(event)
        if message is None:
            continue
        for name in map(str, message.__struct_fields__):
            about = type(message).__name__, name
            if about not in NOT_KNOWN_HERE:
                assert getattr(message, name) == getattr(event, CALLED_OTHERWISE.get(about, name)), about


def test_there_is_an_event_for_every_message() -> None:
    told = [of(read(f"registration/{kind.__name__}", decider)) for decider, of in TOLD for kind in decider.events]
    assert {type(message).__name__ for message in told if message is not None} == events_of(public).keys()


@pytest.mark.parametrize(
    ("source", "copy"),
    [
        (HomeRegistered, Home),
        (HomeChanged, Home),
        (EntryDetailed, Also),
        (TakeOverRatings, RatingsTakenOver),
        (RatingListPublished, TakeOverRatings),
        (Qualified, NoteOrder),
        (QualificationPublished, NoteQualification),
    ],
)
def test_a_copy_finds_all_its_fields(source: type[Value], copy: type[Value]) -> None:
    assert set(copy.__struct_fields__) <= set(source.__struct_fields__)


def test_what_a_home_or_an_entry_says_is_written_down_whole() -> None:
    assert {*Home.__struct_fields__, "home", "federation"} == set(HomeRegistered.__struct_fields__)
    assert {*Home.__struct_fields__, "home", "federation"} == set(HomeChanged.__struct_fields__)
    assert {*Also.__struct_fields__, "entrant", "tournament", "beside"} == set(EntryDetailed.__struct_fields__)
