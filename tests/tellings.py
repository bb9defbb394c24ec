"""What the four services tell of a tournament that is written in a file, each in its own order."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from shared.contracts import pairing, registration, results, standings
from shared.numbers import stored
from shared.tournament.facts import Facts, Game
from shared.tournament.fold import Fold

type Told = Mapping[str, list[msgspec.Struct]]

TOURNAMENT = "t"


def told(facts: Facts) -> Told:
    """As if it had been played: its rounds one by one, with results between them."""
    return {
        "registration": by_registration(facts),
        "pairing": [
            *(
                pairing.StageOpened(tournament=TOURNAMENT, stage=stage, entrants=entrants)
                for stage, entrants in facts.fields.items()
            ),
            *(published(facts, stage, number) for stage, number in sorted(facts.rounds)),
        ],
        "results": [
            *(
                final(facts, game, stage, number)
                for stage, number in sorted(facts.rounds)
                for game in facts.rounds[stage, number].games
            ),
            *(
                results.PenaltyImposed(
                    penalty=name,
                    tournament=TOURNAMENT,
                    entrant=one.entrant,
                    stage=one.stage,
                    round=one.round,
                    points=stored(one.points),
                )
                for name, one in facts.penalties.items()
            ),
            *(
                results.RoundCompleted(tournament=TOURNAMENT, stage=stage, round=number)
                for stage, number in sorted(facts.completed)
            ),
        ],
        "standings": [
            standings.TieSettled(tournament=TOURNAMENT, stage=one.stage, kind=one.kind, order=one.order)
            for one in facts.settled
        ],
    }


def by_registration(facts: Facts) -> list[msgspec.Struct]:
    started = registration.TournamentStarted(
        tournament=TOURNAMENT,
        federation="f",
        ruleset=msgspec.Raw(facts.ruleset.model_dump_json().encode()),
        time_zone="Europe/Bratislava",
        advance=facts.advance,
    )
    admitted = [
        registration.EntrantAdmitted(
            entrant=one.id,
            tournament=TOURNAMENT,
            persons=(f"person of {one.id}",),
            number=one.number,
            rating=one.rating,
            lists=tuple(sorted(one.lists)),
            group=one.group,
            carried=stored(one.carried),
            direct=one.id in facts.direct,
            from_round=one.from_round,
        )
        for one in facts.entrants.values()
    ]
    left = [
        registration.EntrantLeft(
            entrant=one, tournament=TOURNAMENT, stage=left.stage, after_round=left.after_round, why=left.why
        )
        for one, left in facts.left.items()
    ]
    absent = [
        registration.EntrantAbsent(
            entrant=one.entrant,
            tournament=TOURNAMENT,
            stage=one.stage,
            round=one.round,
            points=None if points is None else stored(points),
        )
        for one, points in facts.absences.items()
    ]
    forbidden = [
        registration.MeetingForbidden(
            tournament=TOURNAMENT, entrants=tuple(sorted(one.entrants)), last_rounds=one.last_rounds
        )
        for one in facts.bans
    ]
    return [started, *admitted, *left, *absent, *forbidden]


def published(facts: Facts, stage: str, number: int) -> pairing.RoundPublished:
    one = facts.rounds[stage, number]
    return pairing.RoundPublished(
        tournament=TOURNAMENT,
        stage=stage,
        round=number,
        games=tuple(
            pairing.PlannedGame(
                game=game.id,
                table=game.table,
                seats=game.seats,
                first=game.first,
                group=game.group,
                match=game.match,
                number=game.number,
            )
            for game in one.games
        ),
        byes=one.byes,
        requested_byes={name: stored(points) for name, points in one.requested_byes.items()},
        missing=tuple(sorted(one.missing)),
    )


def final(facts: Facts, game: Game, stage: str, number: int, *, corrected: bool = False) -> msgspec.Struct:
    if game.id in facts.voided:
        return results.GameVoided(game=game.id, tournament=TOURNAMENT, stage=stage, round=number)
    result = facts.results[game.id]
    said: dict[str, Any] = {
        "game": game.id,
        "tournament": TOURNAMENT,
        "stage": stage,
        "round": number,
        "seats": game.seats,
        "scores": tuple(stored(score) for score in result.scores),
        "points": tuple(stored(points) for points in result.points),
        "end": result.end,
        "by": tuple(sorted(result.by)),
        "first": result.first,
        "winner": result.winner,
        "decided_by": result.decided_by,
        "draw_wins": result.draw_wins,
    }
    return results.ResultCorrected(**said) if corrected else results.ResultFinal(**said)


def folded(events: list[tuple[str, msgspec.Struct]]) -> Facts:
    fold = Fold()
    for source, event in events:
        fold.take(source, event)
    return cast("Facts", fold.facts())
