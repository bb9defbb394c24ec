"""Start numbers by places of an earlier tournament, and by lot."""

import pytest

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.start import FieldChanged, StartTournament, lots_to_draw
from services.registration.domain.tournament.states import known
from shared.rulesets.entry import Seeding
from tests.rosters import entry, rules, state, when
from tests.schools import at_the_desk


def numbered(started: list[facts.Event]) -> str:
    return "".join(one.entrant for one in started if isinstance(one, facts.EntrantAdmitted))


@pytest.mark.rule("PQ.PAI-6", "PQ.D51")
def test_whoever_had_a_better_place_is_numbered_before_and_a_lot_orders_equal_places() -> None:
    """All winners of regional tournaments before all runners-up."""
    ruleset = rules(seeding=Seeding(by="tiers"))
    given = at_the_desk(
        ruleset, *(entry(name, key=place) for name, place in zip("ABCDE", (2, 1, 2, 1, 3), strict=True))
    )
    field = known(state(given)).roster
    assert lots_to_draw(field, ruleset) == {
        "start numbers of place 2": ("A", "C"),
        "start numbers of place 1": ("B", "D"),
    }
    with pytest.raises(FieldChanged, match="start once more"):
        when(given, StartTournament(drawn=("A", "C", "B")))
    started = when(given, StartTournament(drawn=("C", "A", "D", "B")))
    assert numbered(started) == "DBCAE"


@pytest.mark.rule("PQ.D26")
def test_where_nobody_has_a_place_in_a_draw_a_lot_numbers_all() -> None:
    ruleset = rules(seeding=Seeding(by="lot"))
    given = at_the_desk(ruleset, entry("A"), entry("B"), entry("C"))
    assert lots_to_draw(known(state(given)).roster, ruleset) == {"start numbers": ("A", "B", "C")}
    started = when(given, StartTournament(drawn=("C", "A", "B")))
    assert numbered(started) == "CAB"
