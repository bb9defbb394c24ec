"""What neighbours are told of our events, decided when they are appended: the same fields, as far as they have them."""

from msgspec import convert

from services.standings.domain import differences, qualifying, ranking, season
from shared.contracts import standings as public


def of_ranking(
    event: ranking.Event,
) -> public.TieSettled | public.StageShortened | public.StageClosed | public.PrizeChosen:
    match event:
        case ranking.TieSettled():
            return convert(event, public.TieSettled, from_attributes=True)
        case ranking.StageShortened():
            return convert(event, public.StageShortened, from_attributes=True)
        case ranking.StageClosed():
            return convert(event, public.StageClosed, from_attributes=True)
        case ranking.PrizeChosen():
            return convert(event, public.PrizeChosen, from_attributes=True)


def of_qualifying(event: qualifying.Qualified) -> public.Qualified:
    return convert(event, public.Qualified, from_attributes=True)


def of_season(
    event: season.Event,
) -> public.RatingListPublished | public.QualificationPublished | public.SeasonTablePublished | None:
    """What a federation has imported, and decided on the way, shows in what is published."""
    match event:
        case season.RatingListPublished():
            return convert(event, public.RatingListPublished, from_attributes=True)
        case season.QualificationPublished():
            return convert(event, public.QualificationPublished, from_attributes=True)
        case season.SeasonTablePublished():
            return convert(event, public.SeasonTablePublished, from_attributes=True)
        case (
            season.RatingsImported()
            | season.ContestRecorded()
            | season.GamesRecorded()
            | season.ChampionNamed()
            | season.DepartureJudged()
            | season.FieldAnnounced()
            | season.CutSettled()
        ):
            return None


def of_changes(event: differences.Event) -> public.TableChanged:
    return convert(event, public.TableChanged, from_attributes=True)
