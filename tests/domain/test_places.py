"""Places, quotas, regions, and what the day asks for."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.registration.domain import officials
from services.registration.domain.series import (
    CLAIMS,
    ClaimedByAnother,
    MakeClaims,
    PlaceLimit,
    ReleaseClaim,
    SeriesQuotaReached,
    TeamClaim,
    TeamFrozen,
    TeamPlaysElsewhere,
)
from services.registration.domain.tournament import check_in, facts
from services.registration.domain.tournament.admission import (
    EntriesClosed,
    HistoryUnsourced,
    NotQualified,
    QuotaReached,
    RegionNotApproved,
    RegionReason,
)
from services.registration.domain.tournament.check_in import ArriveLate, NotLate
from services.registration.domain.tournament.entrants import Also, EntrySaid, Lateness, ProposedEntry
from services.registration.domain.tournament.entries import (
    CorrectEntry,
    Decision,
    DetailEntry,
    Enter,
    StrikeOff,
    WithdrawEntry,
)
from services.registration.domain.tournament.places_and_reserves import (
    CallReserve,
    ConfirmPlace,
    NobodyWaits,
    NoPlaceLeft,
    NothingToConfirm,
    ReleaseUnconfirmed,
)
from services.registration.domain.tournament.plan import OutsideWindow
from services.registration.domain.tournament.presence import AdmitLate
from services.registration.domain.tournament.roster import NotEntered
from services.registration.domain.tournament.start import FieldChanged, NotReady, StartTournament
from services.registration.domain.tournament.states import TooLate
from shared.access.roles import Role
from shared.rulesets.entry import CheckIn, Deadline, Seeding, Size, Window
from tests.rosters import CHECK_IN, OPENED, TOURNAMENT, announce, announced, entered, entry, refuses, rules, there, when
from tests.schools import QUOTA, admitted, at_the_desk, enter, opened, schools, team

TWO = rules(size=Size(most=2, rule_id="OT.REG-3"))


def waits(entrant: str) -> facts.EntrantWaits:
    return facts.EntrantWaits(entrant=entrant, tournament=TOURNAMENT)


def called(entrant: str) -> facts.ReserveCalled:
    return facts.ReserveCalled(entrant=entrant, tournament=TOURNAMENT)


# Places


def test_who_finds_no_place_waits_in_the_order_of_entry() -> None:
    happened = when(opened(TWO), enter(*map(entry, "ABCD")))
    assert happened == [*map(entered, "ABC"), waits("C"), entered("D"), waits("D")]


@pytest.mark.rule("SK.REG-11")
def test_when_somebody_goes_the_reserve_who_waited_longest_is_called_at_once() -> None:
    given = opened(TWO, *map(entry, "ABCD"))
    withdrawn = facts.EntryWithdrawn(entrant="A", tournament=TOURNAMENT)
    assert when(given, WithdrawEntry(entrant="A")) == [withdrawn, called("C")]
    gone = facts.EntryWithdrawn(entrant="C", tournament=TOURNAMENT)
    assert when(given, WithdrawEntry(entrant="C")) == [gone]  # who waits frees no place
    struck_off = when([*given, CHECK_IN], StrikeOff(entrant="B"))
    assert struck_off[1:] == [called("C")]
    assert when([*given, withdrawn, called("C")], WithdrawEntry(entrant="C"))[1:] == [called("D")]


def test_who_waits_neither_checks_in_nor_stands_in_the_way_of_the_start() -> None:
    given = [*opened(TWO, *map(entry, "ABC")), CHECK_IN]
    refuses(NotEntered, given, check_in.CheckIn(entrants=("C",)), "C waits for a place")
    given += when(given, check_in.CheckIn(entrants=None))
    assert [one.entrant for one in admitted(given)] == ["A", "B"]


@pytest.mark.rule("OT.REG-3")
def test_nobody_is_added_where_no_place_is_left() -> None:
    strict = rules(size=Size(most=2, waiting=False, rule_id="OT.REG-3"))
    refuses(NoPlaceLeft, opened(strict, entry("A"), entry("B")), enter(entry("C")), "2 places are taken .OT.REG-3")
    full = at_the_desk(TWO, entry("A"), entry("B"))
    running = [*full, *when(full, StartTournament())]
    late = AdmitLate(entry=entry("C"), from_round=1, decision=Decision.OTHER)
    refuses(NoPlaceLeft, running, late, "nobody can be added")


@pytest.mark.rule("SK.REG-11")
def test_wild_cards_fill_the_field_and_no_more() -> None:
    given = [*opened(TWO, *map(entry, "AB")), CHECK_IN]
    wild = enter(entry("W"), decision=Decision.WILD_CARD)
    refuses(NoPlaceLeft, given, wild, "All 2 places are taken")
    given += when(given, StrikeOff(entrant="A"))
    assert when(given, wild) == [entered("W", decision="wild-card")]


def test_a_reserve_is_called_for_a_place_that_is_free_otherwise() -> None:
    refuses(NobodyWaits, opened(TWO, entry("A")), CallReserve(), "Nobody waits")
    refuses(NoPlaceLeft, opened(TWO, *map(entry, "ABC")), CallReserve(), "are taken")


BINDING = rules(size=Size(most=2), deadlines=(Deadline(of="confirmation", days_before=7, rule_id="SK.REG-11"),))


@pytest.mark.rule("SK.REG-11")
def test_a_place_is_confirmed_in_time_and_binds() -> None:
    given = opened(BINDING, *map(entry, "ABC"))
    confirm = ConfirmPlace(entrant="A")
    confirmed = facts.PlaceConfirmed(entrant="A", tournament=TOURNAMENT)
    assert when(given, confirm) == [confirmed]
    assert when([*given, confirmed], confirm) == []
    late = ConfirmPlace(entrant="B", passed=frozenset({"confirmation"}))
    refuses(TooLate, given, late, "in time .SK.REG-11")
    refuses(NoPlaceLeft, given, ConfirmPlace(entrant="C"), "still waits")
    refuses(NothingToConfirm, opened(TWO, entry("A")), confirm, "ask nobody")
    desk = [*given, confirmed, CHECK_IN, there("A"), there("B")]
    refuses(NotReady, desk, StartTournament(), "B .SK.REG-11.: They have not confirmed")


@pytest.mark.rule("SK.REG-11")
def test_a_wild_card_that_comes_after_the_last_day_to_confirm_plays_and_is_not_released() -> None:
    over = frozenset({"confirmation"})
    given = opened(BINDING, entry("A"))
    given += [*when(given, ConfirmPlace(entrant="A")), CHECK_IN, there("A")]
    given += when(given, enter(entry("W"), decision=Decision.WILD_CARD, passed=over))
    assert when(given, ReleaseUnconfirmed(passed=over)) == []
    given += when(given, check_in.CheckIn(entrants=("W",)))
    assert [one.entrant for one in admitted(given)] == ["A", "W"]
    waiting = [*opened(BINDING, *map(entry, "AB"))]
    waiting += when(waiting, enter(entry("C"), decision=Decision.OTHER, passed=over))
    assert not any(isinstance(event, facts.PlaceConfirmed) for event in waiting), "who waits has no place to confirm"


@pytest.mark.rule("SK.REG-11")
def test_who_enters_after_the_last_day_to_confirm_while_entries_are_open_plays_and_is_not_released() -> None:
    over = frozenset({"confirmation"})
    given = opened(BINDING, entry("A"))
    given += when(given, ConfirmPlace(entrant="A"))
    given += when(given, enter(entry("B"), passed=over))
    assert when(given, ReleaseUnconfirmed(passed=over)) == []
    desk = [*given, CHECK_IN, there("A"), there("B")]
    assert [one.entrant for one in admitted(desk)] == ["A", "B"]


# Where they come from


@pytest.mark.rule("PQ.REG-13")
@pytest.mark.parametrize(("parts", "most"), [(1, 4), (2, 8)])
def test_a_school_enters_so_many_teams_times_its_merged_parts(parts: int, most: int) -> None:
    ruleset = schools(quotas=(QUOTA,))
    several = [team(f"T{n}", f"{n}a", f"{n}b", f"{n}c", school="s-1", parts=parts) for n in range(most + 1)]
    given = opened(ruleset, *several[:most], team("other", school="s-2"))
    refuses(QuotaReached, given, enter(several[most]), rf"{most} may enter, and {most} have .PQ.REG-13")
    given += when(given, WithdrawEntry(entrant="T0"))
    assert when(given, enter(several[most])) != []
    refuses(QuotaReached, given, enter(team("X")), "Say of which school")


@pytest.mark.rule("PQ.REG-14")
def test_a_team_of_another_region_needs_the_approval_of_a_coordinator() -> None:
    placed = facts.TournamentPlaced(tournament=TOURNAMENT, series=None, region="r-1", host=None, override=None)
    ruleset = schools(home_region=True)
    given = [announced(ruleset), placed, OPENED]
    home, away = team("A", region="r-1"), team("B", region="r-2")
    assert len(when(given, enter(home))) == 2
    refuses(RegionNotApproved, given, enter(away), "another region than r-1")
    *_, approved = when(given, enter(away, approval=RegionReason.FULL_AT_HOME))
    assert approved == facts.RegionApproved(entrant="B", tournament=TOURNAMENT, region="r-2", reason="full-at-home")


# Claims in a series


def claim(
    team_: str, *persons: str, substitutes: tuple[str, ...] = (), limits: tuple[PlaceLimit, ...] = ()
) -> TeamClaim:
    return TeamClaim(team=team_, persons=persons, substitutes=substitutes, limits=limits)


def make(tournament: str, *several: TeamClaim, level: str = "ot", is_frozen: bool = True) -> MakeClaims:
    return MakeClaims(
        series="pq", tournament=tournament, level=level, claims=several, is_frozen=is_frozen, clause="PQ.REG-7"
    )


def happens(given: list[Any], order: Any) -> list[Any]:
    return list(CLAIMS.decide(CLAIMS.fold(given, CLAIMS.initial), order))


@pytest.mark.rule("PQ.REG-7", "PQ.D43")
def test_nobody_is_in_the_base_of_two_teams_of_a_series() -> None:
    given = happens([], make("ot-1", claim("A", "ann", "bob")))
    assert len(given) == 1
    with pytest.raises(ClaimedByAnother, match=r"ann is in the base of team A already .PQ.REG-7"):
        happens(given, make("ot-2", claim("B", "ann", "cyd")))
    assert happens(given, make("ot-1", claim("A2", "ann", "bob"))) == []  # the same entry once more
    with pytest.raises(ClaimedByAnother):
        happens([], make("ot-1", claim("A", "ann"), claim("B", "ann", "bob")))


@pytest.mark.rule("PQ.REG-9")
def test_a_team_stays_the_same_through_a_series() -> None:
    given = happens([], make("ot-1", claim("A", "ann", "bob", substitutes=("cyd",))))
    assert len(happens(given, make("kt-1", claim("A", "ann", "bob", substitutes=("cyd",)), level="kt"))) == 1
    with pytest.raises(TeamFrozen):
        happens(given, make("kt-1", claim("A", "ann", "dee", substitutes=("cyd",)), level="kt"))
    with pytest.raises(TeamPlaysElsewhere):
        happens(given, make("ot-2", claim("A", "ann", "bob", substitutes=("cyd",))))


@pytest.mark.rule("PQ.REG-13")
def test_a_school_has_its_places_in_all_tournaments_of_a_level_together() -> None:
    given: list[Any] = []
    for n in range(4):
        given += happens(given, make(f"ot-{n}", claim(f"T{n}", f"p{n}", limits=(PlaceLimit(place="s-1", most=4),))))
    fifth = claim("T5", "p5", limits=(PlaceLimit(place="s-1", most=4, clause="PQ.REG-13"),))
    with pytest.raises(SeriesQuotaReached, match=r"PQ\.REG-13"):
        happens(given, make("ot-9", fifth))
    assert len(happens(given, make("kt-9", fifth, level="kt"))) == 1
    released = happens(given, ReleaseClaim(tournament="ot-0", teams=("T0",)))
    assert len(happens([*given, *released], make("ot-9", fifth))) == 1
    assert happens([*given, *released], ReleaseClaim(tournament="ot-0", teams=("T0",))) == []


# Days and deadlines


@pytest.mark.rule("PQ.REG-18")
def test_a_tournament_is_held_on_a_day_that_the_rules_name_unless_it_is_overridden() -> None:
    windows = (Window(first="2025-11-03", last="2025-11-21", rule_id="PQ.REG-18"),)
    order = announce(rules(windows=windows))  # in 2026
    refuses(OutsideWindow, [], order, r"2025-11-03 to 2025-11-21 .PQ.REG-18")
    overridden = replace(order, override="strike")
    (_, placed) = when([], overridden)
    assert isinstance(placed, facts.TournamentPlaced)
    assert placed.override == "strike"
    assert len(when([], replace(order, starts_on="2025-11-21"))) == 1


@pytest.mark.rule("PQ.REG-19")
def test_another_number_than_the_rules_want_starts_only_for_a_reason() -> None:
    ruleset = schools(size=Size(least=3, most=3, overridden=True, rule_id="PQ.REG-19"))
    given = at_the_desk(ruleset, team("A"), team("B"))
    refuses(NotReady, given, StartTournament(), "takes 3")
    assert len(admitted(given, StartTournament(decision="two-stayed-away"))) == 2


IN_BOTH = (("ann", Role.COUNCIL), ("ann", Role.DIRECTOR), ("bob", Role.DIRECTOR))


def staffed(*offices: tuple[str, Role]) -> officials.Staffed:
    held = tuple(officials.Office(subject=subject, role=role) for subject, role in offices)
    return officials.Staffed(scope="cup", offices=held)


@pytest.mark.rule("SK.REG-13")
def test_online_exactly_one_of_the_council_directs() -> None:
    council = staffed(("ann", Role.COUNCIL), ("bob", Role.DIRECTOR))
    one, two = staffed(("ann", Role.DIRECTOR)), staffed(("ann", Role.DIRECTOR), ("eva", Role.DIRECTOR))
    assert officials.directed(one, council, of_council=True)
    for here in (two, staffed(("bob", Role.DIRECTOR)), officials.Vacant()):
        assert not officials.directed(here, council, of_council=True)
    both = staffed(("ann", Role.COUNCIL), ("ann", Role.DIRECTOR))
    assert officials.directed(officials.Vacant(), both, of_council=True)
    assert not officials.directed(two, both, of_council=True)
    assert not officials.directed(officials.Vacant(), staffed(*IN_BOTH), of_council=True)
    given = at_the_desk(
        rules(director=True, director_of_council=True, director_rule_id="SK.REG-13"), entry("A"), entry("B")
    )
    refuses(NotReady, given, StartTournament(has_director=False), "one of the council.*SK.REG-13")


@pytest.mark.rule("CFP.REG-2", "CFP.D19")
def test_the_directors_of_a_federation_direct_where_nobody_else_was_named() -> None:
    council, nobody = staffed(("ann", Role.COUNCIL)), officials.Vacant()
    assert officials.directed(nobody, staffed(("bob", Role.DIRECTOR)), of_council=False)
    assert officials.directed(staffed(("eva", Role.DIRECTOR)), council, of_council=False)
    assert not officials.directed(nobody, council, of_council=False)
    given = at_the_desk(rules(director=True, director_rule_id="CFP.REG-2"), entry("A"), entry("B"))
    refuses(NotReady, given, StartTournament(has_director=False), "Nobody directs.*CFP.REG-2")


@pytest.mark.rule("CFP.REG-2")
def test_without_a_director_nothing_starts() -> None:
    given = at_the_desk(rules(director=True), entry("A"), entry("B"))
    refuses(NotReady, given, StartTournament(has_director=False), "appoint a director")
    assert len(admitted(given, StartTournament(has_director=True))) == 2


ON_SITE = rules(
    deadlines=(
        Deadline(of="entry", date="2021-05-28", late="refused"),
        Deadline(of="on-site-entry", date="2021-05-29", time="09:30", rule_id="OT.REG-3"),
        Deadline(of="special-needs", date="2021-05-20", rule_id="OT.REG-7"),
    )
)


@pytest.mark.rule("OT.REG-3")
def test_entries_on_site_have_a_time_of_their_own() -> None:
    on_site = Also(declared=("on-site",))
    comer = ProposedEntry(entrant="A", said=EntrySaid(persons=("ann",)), also=on_site)
    late: dict[str, Any] = {"entries": (comer,), "at": "2099-01-01T00:00:00Z"}
    assert when(opened(ON_SITE), Enter(**late)) != []
    refuses(
        EntriesClosed,
        opened(ON_SITE),
        Enter(**late, passed=frozenset({"on-site-entry"})),
        "on site are closed .OT.REG-3",
    )
    mailed = ProposedEntry(entrant="A", said=EntrySaid(persons=("ann",)))
    refuses(EntriesClosed, opened(ON_SITE), Enter(entries=(mailed,), at="2099-01-01T00:00:00Z"), "nobody in")


@pytest.mark.rule("OT.REG-7")
def test_special_needs_are_asked_for_in_time() -> None:
    board = Also(needs=("tactile-board",))
    asks = ProposedEntry(entrant="A", said=EntrySaid(persons=("ann",)), also=board)
    given = opened(ON_SITE)
    assert when(given, enter(asks)) != []
    refuses(TooLate, given, enter(asks, passed=frozenset({"special-needs"})), "tactile-board.*OT.REG-7")
    given += when(given, enter(asks))
    later = Also(needs=("tactile-board",), declared=("member",))
    passed = frozenset({"special-needs"})
    assert when(given, DetailEntry(entrant="A", also=later, passed=passed)) != []  # what was said stays
    more = Also(needs=("tactile-board", "assistant"))
    refuses(TooLate, given, DetailEntry(entrant="A", also=more, passed=passed), "assistant")


@pytest.mark.rule("OT.X-2")
def test_who_has_played_earlier_semifinals_is_entered_with_what_says_so() -> None:
    """At once or later; and pairing is told of it."""
    given = opened(rules(history=True))
    unsourced, known = Also(history=True), Also(history=True, history_source="mp-2019")
    comer = ProposedEntry(entrant="A", said=EntrySaid(persons=("ann",)), also=unsourced)
    refuses(HistoryUnsourced, given, enter(comer), "of which")
    given += when(given, enter(replace(comer, also=known)))
    given += when(given, enter(entry("B")))
    refuses(HistoryUnsourced, given, DetailEntry(entrant="B", also=unsourced), "of which")
    only = Also(history_source="mp-2019")
    refuses(HistoryUnsourced, given, DetailEntry(entrant="B", also=only), "leave it out")
    (detailed,) = when(given, DetailEntry(entrant="B", also=replace(known, history_source="mp-2020")))
    assert isinstance(detailed, facts.EntryDetailed)
    assert (detailed.history, detailed.history_source) == (True, "mp-2020")
    given += [CHECK_IN, *when([*given, CHECK_IN], check_in.CheckIn(entrants=None))]
    assert [(one.entrant, one.history) for one in admitted(given)] == [("A", True), ("B", False)]
    assert when(opened(TWO), enter(replace(comer, also=unsourced))) != []  # where nobody asks


# Who comes late

LATE = CheckIn(opens="09:00", closes="09:45", late="next-round", rule_id="OT.REG-5")


@pytest.mark.rule("OT.REG-5")
def test_who_checks_in_late_plays_from_the_second_round_on() -> None:
    given = [*opened(rules(check_in=LATE), entry("A"), entry("B")), CHECK_IN, there("A")]
    happened = when(given, check_in.CheckIn(entrants=("B",), is_late=True))
    assert happened == [
        facts.EntrantLate(entrant="B", tournament=TOURNAMENT, effect="first-round", clause="OT.REG-5"),
        there("B"),
    ]
    assert [(one.entrant, one.from_round) for one in admitted([*given, *happened])] == [("A", 1), ("B", 2)]
    free = ArriveLate(entrant="B", effect=Lateness.NOTHING)
    refuses(NotLate, given, free, "second round on .OT.REG-5")


@pytest.mark.rule("SK.REG-4")
def test_a_check_in_that_is_undone_costs_nothing_and_says_nothing_of_who_is_there() -> None:
    """As after everybody was late, and the first round was put back for them."""
    given = [*opened(rules(check_in=LATE), entry("A"), entry("B")), CHECK_IN, there("A")]
    for order in (
        check_in.CheckIn(entrants=("B",), is_late=True),
        check_in.UndoCheckIn(entrant="B"),
        check_in.CheckIn(entrants=("B",)),
    ):
        given += when(given, order)
    assert [(one.entrant, one.from_round) for one in admitted(given)] == [("A", 1), ("B", 1)]
    teams = [*opened(schools(), team("A")), CHECK_IN]
    for order in (
        check_in.CheckIn(entrants=("A",), present=("A1", "A2")),
        check_in.UndoCheckIn(entrant="A"),
        check_in.CheckIn(entrants=("A",), present=("A1", "A2")),
    ):
        teams += when(teams, order)
    assert [type(one) for one in teams[-2:]] == [facts.MembersPresent, facts.EntrantCheckedIn]


def test_what_coming_late_costs_is_for_the_organiser_to_say() -> None:
    given = [*opened(rules(), entry("A"), entry("B")), CHECK_IN, there("A")]
    assert when(given, check_in.CheckIn(entrants=("B",), is_late=True)) == [there("B")]
    costs = ArriveLate(entrant="B", effect=Lateness.FIRST_GAME)
    late, came = when(given, costs)
    assert isinstance(late, facts.EntrantLate)
    assert (late.effect, came) == ("first-game", there("B"))
    assert when([*given, late, came], costs) == []


def test_where_the_rules_refuse_late_comers_nobody_lets_them_in() -> None:
    strict = rules(check_in=LATE.model_copy(update={"late": "refused"}))
    given = [*opened(strict, entry("B")), CHECK_IN]
    refuses(NotLate, given, check_in.CheckIn(entrants=("B",), is_late=True), "nobody in later .OT.REG-5")
    refuses(NotLate, given, ArriveLate(entrant="B", effect=Lateness.FIRST_GAME), "strike them off")


@pytest.mark.rule("PQ.REG-17")
def test_who_cannot_come_is_withdrawn_before_the_start() -> None:
    given = opened(rules(), entry("A"))
    assert when(given, WithdrawEntry(entrant="A")) == [facts.EntryWithdrawn(entrant="A", tournament=TOURNAMENT)]


# Start numbers


@pytest.mark.parametrize("by", ["lot", "tiers"])
def test_what_was_drawn_or_read_elsewhere_comes_in_by_keys(by: str) -> None:
    ruleset = rules(seeding=Seeding.model_validate({"by": by}))
    given = at_the_desk(ruleset, entry("A", key=2), entry("B", key=1), entry("C"))
    refuses(NotReady, given, StartTournament(), "1 have no place in that order")
    given += when(given, CorrectEntry(entrant="C", rating=None, key=3, lists=()))
    assert [(one.entrant, one.number) for one in admitted(given)] == [("B", 1), ("A", 2), ("C", 3)]


@pytest.mark.rule("CC.PAI-4")
def test_who_brings_most_points_along_is_first_then_the_better_placed_and_a_lot_orders_the_others() -> None:
    ruleset = rules(seeding=Seeding(by="carried"))
    field = [
        ProposedEntry(entrant=name, said=EntrySaid(persons=(name,), key=key), also=Also(carried=points))
        for name, points, key in (("A", 7, None), ("B", "15/2", None), ("C", 7, None), ("D", 7, 2), ("E", 7, 1))
    ]
    given = at_the_desk(ruleset, *field)
    refuses(FieldChanged, given, StartTournament(), "start once more")
    started = when(given, StartTournament(drawn=("C", "A")))
    assert [one.entrant for one in started if isinstance(one, facts.EntrantAdmitted)] == ["B", "E", "D", "C", "A"]


def test_nobody_brings_points_along_where_they_count_for_nothing() -> None:
    ahead = ProposedEntry(entrant="A", said=EntrySaid(persons=("A",)), also=Also(carried=3))
    refuses(NotQualified, opened(rules()), enter(ahead), "leave carried out")
