"""What neighbours are told of our events, decided when they are appended."""

from services.standings.domain import differences, qualifying, ranking
from services.standings.seasons import book_facts
from shared.contracts import standings as public


def of_ranking(event: ranking.Event) -> public.TieSettled | public.StageShortened | public.StageClosed:
    match event:
        case ranking.TieSettled():
            return public.TieSettled(tournament=event.tournament, stage=event.stage, kind=event.kind, order=event.order)
        case ranking.StageShortened():
            return public.StageShortened(tournament=event.tournament, stage=event.stage, rounds=event.rounds)
        case ranking.StageClosed():
            return public.StageClosed(
                tournament=event.tournament,
                stage=event.stage,
                order=event.order,
                rests_on=event.rests_on,
                groups=event.groups,
            )


def of_qualifying(event: qualifying.Qualified) -> public.Qualified:
    return public.Qualified(
        tournament=event.tournament,
        order=event.order,
        advance=event.advance,
        reserves=event.reserves,
        rests_on=event.rests_on,
        points=event.points,
    )


def of_season(
    event: book_facts.Event,
) -> public.RatingListPublished | public.QualificationPublished | public.SeasonTablePublished | None:
    """What a federation has imported, and decided on the way, shows in what is published."""
    match event:
        case book_facts.RatingListPublished():
            return public.RatingListPublished(
                season=event.season, federation=event.federation, list=event.list, on=event.on, ratings=event.ratings
            )
        case book_facts.QualificationPublished():
            return public.QualificationPublished(
                season=event.season, federation=event.federation, on=event.on, qualification=event.qualification
            )
        case book_facts.SeasonTablePublished():
            return public.SeasonTablePublished(
                season=event.season,
                federation=event.federation,
                on=event.on,
                cup=event.cup,
                qualification=event.qualification,
                unresolved=event.unresolved,
            )
        case (
            book_facts.RatingsImported()
            | book_facts.ContestRecorded()
            | book_facts.GamesRecorded()
            | book_facts.ChampionNamed()
            | book_facts.DepartureJudged()
            | book_facts.FieldAnnounced()
            | book_facts.CutSettled()
        ):
            return None


def of_changes(event: differences.Event) -> public.TableChanged:
    return public.TableChanged(
        tournament=event.tournament,
        stage=event.stage,
        round=event.round,
        was_closed=event.was_closed,
        before=event.before,
        after=event.after,
        causes=event.causes,
        moved=event.moved,
    )
