"""Adds up the season in a file: for `roundlog season` and for its operation."""

from collections.abc import Iterable
from fractions import Fraction

from pydantic import BaseModel, Field

from services.standings.seasons.cup import CupSum, FilledSlot, cup, earnings
from services.standings.seasons.file import SeasonFile, read
from services.standings.seasons.qualification import Qualification, QualificationSum, qualification
from services.standings.seasons.ratings import Rated, ratings
from shared.numbers import shown
from shared.rulesets.season import Season

type Number = int | float

NOBODY = Qualification(rows=())


class SlotShown(BaseModel):
    """A result that counts."""

    tournament: str = Field(examples=["T1"])
    points: Number = Field(description="Before the coefficient.", examples=[32])
    coefficient: Number = Field(examples=[1])
    bonus: bool | None = Field(default=None, description="True: for organising it.", examples=[None])


class CupStanding(BaseModel):
    place: int = Field(description="Equal sums share it.", examples=[1])
    player: str = Field(examples=["N"])
    points: Number = Field(examples=[304])
    slots: list[SlotShown]


class QualificationStanding(BaseModel):
    place: int = Field(examples=[1])
    player: str = Field(examples=["N"])
    points: Number = Field(examples=[252])
    qualified: bool = Field(examples=[True])
    champion: bool | None = Field(default=None, description="True: is in as champion.", examples=[None])


class NewRating(BaseModel):
    player: str = Field(examples=["N"])
    list: str = Field(examples=["live"])
    before: Number = Field(examples=[1720])
    after: Number = Field(examples=[1695.4])
    games: int = Field(description="Ever played for this list.", examples=[56])


class Undecided(BaseModel):
    """Equal at the cut, where the season does not let all of them advance."""

    players: list[str] = Field(examples=[["C", "D"]])
    places: int = Field(description="How many of them can go on.", examples=[1])
    needs: str = Field(examples=["lot"])


class SeasonStandings(BaseModel):
    cup: list[CupStanding]
    qualification: list[QualificationStanding]
    reserves: list[str] = Field(description="Who has not qualified, in order.", examples=[["O"]])
    ratings: list[NewRating]
    unresolved: list[Undecided]
    decided: list[list[str]] = Field(
        description="Between whom a lot or a decision counts, best first: just these are equal without it.",
        examples=[[["E", "F"]]],
    )


def summed(content: object) -> SeasonStandings:
    """The sums of a file, from its bytes or from the object in it."""
    season, file = read(content)
    return added_up(season, file, ratings(season, file))


def summed_in_json(content: object) -> bytes:
    return summed(content).model_dump_json(exclude_none=True).encode()


def added_up(season: Season, file: SeasonFile, rated: Iterable[Rated]) -> SeasonStandings:
    earned = earnings(season, file)
    table = cup(season, earned)
    qualified = NOBODY if season.cut is None else qualification(season.cut, file, earned, table)
    return SeasonStandings(
        cup=[cup_standing(row) for row in table],
        qualification=[qualification_standing(row) for row in qualified.rows],
        reserves=list(qualified.reserves),
        ratings=[new_rating(row) for row in rated],
        unresolved=[Undecided(players=list(qualified.unresolved), places=qualified.places_left, needs="lot")]
        if qualified.unresolved
        else [],
        decided=[list(order) for order in qualified.decided],
    )


def cup_standing(row: CupSum) -> CupStanding:
    return CupStanding(
        place=row.place, player=row.player, points=shown(row.points), slots=[slot(filled) for filled in row.slots]
    )


def slot(filled: FilledSlot) -> SlotShown:
    return SlotShown(
        tournament=filled.earned.tournament.id,
        points=shown(filled.earned.points),
        coefficient=shown(filled.coefficient),
        bonus=filled.earned.bonus or None,
    )


def qualification_standing(row: QualificationSum) -> QualificationStanding:
    return QualificationStanding(
        place=row.place,
        player=row.player,
        points=shown(row.points),
        qualified=row.qualified,
        champion=row.champion or None,
    )


def new_rating(row: Rated) -> NewRating:
    return NewRating(
        player=row.player,
        list=row.list,
        before=shown(Fraction(row.before)),
        after=shown(Fraction(row.after)),
        games=row.games,
    )
