"""What a federation decides about a season, and the ratings that tournaments seed by."""

import pytest
from msgspec.structs import replace

from services.registration.domain.ratings import RATINGS, Ratings, RatingsTakenOver, TakeOverRatings, mean_rating
from services.standings.domain.season import (
    SEASON,
    AnnounceField,
    Book,
    ChampionNamed,
    CloseSeason,
    Command,
    ContestElsewhere,
    DepartureJudged,
    FirstRating,
    ImportRatings,
    JudgeDeparture,
    LotStands,
    NameChampion,
    NobodyLeft,
    NobodyQualifies,
    NoSuchTie,
    PlaceElsewhere,
    PublishQualification,
    PublishRatings,
    RatingList,
    RatingListPublished,
    RatingsImported,
    RecordContests,
    SeasonNotOver,
    SeasonTablePublished,
    SettleCut,
)
from shared.contracts.parts import CupPlace, QualificationPlace, RatedPerson

ANN = FirstRating(person="ann", rating="3401/2", games=12)
SCRELO = RatingList(list="screlo", ratings=(RatedPerson(person="ann", rating=1701),))
PUBLISH = PublishRatings(season="s", federation="f", on="2026-10-01", lists=(SCRELO,))
CLOSE = CloseSeason(
    season="s",
    federation="f",
    on="2027-08-31",
    cup=(CupPlace(place=1, person="ann", points=40),),
    qualification=(),
    lists=(SCRELO,),
    obstacles=(),
)


def after(state: Book, *commands: Command) -> Book:
    for command in commands:
        state = SEASON.fold(SEASON.decide(state, command), state)
    return state


def test_only_ratings_that_differ_are_imported() -> None:
    order = ImportRatings(season="s", ratings=(ANN, FirstRating(person="bob")))
    state = after(Book(), order)
    assert SEASON.decide(state, order) == []
    other = replace(ANN, rating=1800)
    assert SEASON.decide(state, replace(order, ratings=(other, FirstRating(person="bob")))) == [
        RatingsImported(season="s", ratings=(other,))
    ]


def test_a_contest_that_is_recorded_once_more_is_replaced() -> None:
    contest = ContestElsewhere(
        contest="ps", kind="written", on="2026-10-01", places=(PlaceElsewhere(person="ann", place=1),)
    )
    order = RecordContests(season="s", contests=(contest,))
    state = SEASON.fold(SEASON.decide(Book(), order), Book())
    assert SEASON.decide(state, order) == []
    mended = replace(contest, organisers=("bob",))
    then = SEASON.fold(SEASON.decide(state, replace(order, contests=(mended,))), state)
    assert then.contests == {"ps": mended}


def test_a_champion_is_named_once_and_may_be_another_one() -> None:
    named = ChampionNamed(season="s", person="ann")
    assert SEASON.decide(Book(), NameChampion(season="s", person="ann")) == [named]
    state = SEASON.evolve(Book(), named)
    assert SEASON.decide(state, NameChampion(season="s", person="ann")) == []
    assert SEASON.decide(state, NameChampion(season="s", person=None)) == [ChampionNamed(season="s", person=None)]


@pytest.mark.rule("SK.RES-7")
def test_only_who_has_left_early_can_have_had_a_serious_reason() -> None:
    order = JudgeDeparture(season="s", tournament="t", person="ann", is_serious=True, has_left=True)
    with pytest.raises(NobodyLeft):
        SEASON.decide(Book(), replace(order, has_left=False))
    judged = DepartureJudged(season="s", tournament="t", person="ann", is_serious=True)
    assert SEASON.decide(Book(), order) == [judged]
    state = SEASON.evolve(Book(), judged)
    assert SEASON.decide(state, order) == []
    back = SEASON.decide(state, replace(order, is_serious=False, has_left=False))
    assert SEASON.fold(back, state) == Book()


def test_a_list_is_published_once_a_day_unless_it_has_changed() -> None:
    published = RatingListPublished(season="s", federation="f", list="screlo", on="2026-10-01", ratings=SCRELO.ratings)
    assert SEASON.decide(Book(), PUBLISH) == [published]
    state = after(Book(), PUBLISH)
    assert SEASON.decide(state, PUBLISH) == []
    assert SEASON.decide(state, replace(PUBLISH, on="2026-11-01")) == [
        RatingListPublished(season="s", federation="f", list="screlo", on="2026-11-01", ratings=SCRELO.ratings)
    ]


def test_a_season_is_closed_when_nothing_stands_in_the_way_and_told_anew_when_it_has_changed() -> None:
    with pytest.raises(SeasonNotOver, match="is under way"):
        SEASON.decide(Book(), replace(CLOSE, obstacles=("Košice Cup is under way.",)))
    assert [type(event) for event in SEASON.decide(Book(), CLOSE)] == [SeasonTablePublished, RatingListPublished]
    state = after(Book(), CLOSE)
    assert state.is_closed
    assert SEASON.decide(state, replace(CLOSE, on="2027-09-01")) == []
    moved = replace(SCRELO, ratings=(RatedPerson(person="ann", rating=1702),))
    assert len(SEASON.decide(state, replace(CLOSE, lists=(moved,)))) == 2
    assert len(SEASON.decide(state, replace(CLOSE, cup=()))) == 1


def test_who_is_equal_at_the_cut_is_put_in_order_by_a_lot_or_by_the_federation() -> None:
    """A decision may be mended by another one, a lot stands."""
    decide = SettleCut(
        season="s", by="decision", order=("ann", "bob"), waiting=("bob", "ann"), obstacles=(), reason="agreement"
    )
    for wrong in (("ann", "cid"), ("ann", "bob", "cid"), ("ann", "bob", "bob")):
        with pytest.raises(NoSuchTie, match="Just these are: bob, ann"):
            SEASON.decide(Book(), replace(decide, order=wrong))
    with pytest.raises(SeasonNotOver, match="is under way"):
        SEASON.decide(Book(), replace(decide, obstacles=("Košice Cup is under way.",)))
    state = after(Book(), decide)
    nobody_waits = replace(decide, waiting=())
    assert SEASON.decide(state, nobody_waits) == []
    state = after(state, replace(nobody_waits, order=("bob", "ann")))
    assert [one.order for one in state.cut.values()] == [("bob", "ann")]
    drawn = after(Book(), replace(decide, by="lot", reason=None))
    with pytest.raises(LotStands):
        SEASON.decide(drawn, nobody_waits)


@pytest.mark.rule("SK.STA-5", "SK.REG-11")
def test_more_may_be_let_in_and_who_has_qualified_is_told_while_the_season_goes_on() -> None:
    announce = AnnounceField(season="s", field=34, qualifies=True)
    state = after(Book(), announce)
    assert (state.places, SEASON.decide(state, announce)) == (34, [])
    with pytest.raises(NobodyQualifies):
        SEASON.decide(Book(), replace(announce, qualifies=False))
    row = QualificationPlace(place=1, person="ann", points=40, qualified=True)
    tell = PublishQualification(season="s", federation="f", on="2026-11-01", qualification=(row,), obstacles=())
    with pytest.raises(SeasonNotOver, match="draw a lot"):
        SEASON.decide(state, replace(tell, obstacles=("ann, bob are equal at the cut: draw a lot.",)))
    state = after(state, tell)
    assert not state.is_closed
    assert SEASON.decide(state, replace(tell, on="2026-11-02")) == []
    assert len(SEASON.decide(state, replace(tell, qualification=()))) == 1


def test_an_older_list_does_not_take_the_place_of_a_newer_one() -> None:
    rows = (RatedPerson(person="ann", rating=1700),)
    order = TakeOverRatings(federation="f", list="screlo", season="s", on="2026-10-01", ratings=rows)
    taken = RatingsTakenOver(federation="f", list="screlo", season="s", on="2026-10-01", ratings=rows)
    assert RATINGS.decide(Ratings(), order) == [taken]
    state = RATINGS.evolve(Ratings(), taken)
    assert RATINGS.decide(state, order) == []
    assert RATINGS.decide(state, replace(order, on="2026-09-01", ratings=())) == []


@pytest.mark.parametrize(
    ("found", "unrated", "rating"),
    [
        ((1700,), 1600, 1700),
        ((None,), 1600, None),
        ((1700, 1801), 1600, 1751),
        ((1700, None), 1600, 1650),
        ((1700, None), None, 1700),
        ((None, None), 1600, None),
        ((), 1600, None),
    ],
)
def test_a_pair_has_the_mean_of_both(found: tuple[int | None, ...], unrated: int | None, rating: int | None) -> None:
    assert mean_rating(found, unrated) == rating
