"""Which entrants something is about that a service has told: for whoever speaks for one of them and wants to hear no more."""

from collections.abc import Iterator

import msgspec

from shared.contracts import pairing, registration, results, standings

NOBODY = frozenset[str]()

type Concerned = frozenset[str] | None  # none: everybody who takes part


def entrants_of(event: msgspec.Struct | None) -> Concerned:
    match event:
        case (
            registration.NoticePosted()
            | registration.NoticeRecalled()
            | registration.TournamentStarted()
            | registration.TournamentCompleted()
            | registration.TournamentCancelled()
            | pairing.RoomsNamed()
            | pairing.RoundRecalled()
        ):
            return None
        case (
            registration.EntrantAdmitted()
            | registration.EntrantChanged()
            | registration.EntrantLeft()
            | registration.EntrantReturned()
            | registration.EntrantAbsent()
            | registration.EntrantPresent()
            | results.PenaltyImposed()
        ):
            return frozenset({event.entrant})
        case results.ResultFinal() | results.ResultCorrected():
            return frozenset(event.seats)
        case pairing.RoundPublished() | pairing.TablesRepaired():
            return frozenset(in_round(event))
        case standings.TableChanged():
            return frozenset(moved.entrant for moved in event.moved)
        case standings.TieSettled():
            return frozenset(entrant for equal in event.order for entrant in equal)
        case _:
            return NOBODY


def in_round(event: pairing.RoundPublished | pairing.TablesRepaired) -> Iterator[str]:
    for game in event.games:
        yield from game.seats
    yield from event.byes
    yield from event.missing or ()
    if isinstance(event, pairing.RoundPublished):
        yield from event.requested_byes
