"""Somebody who has entered, whatever has become of them: there, waiting, playing or gone."""

from collections.abc import Mapping
from types import MappingProxyType

from services.registration.domain.tournament.orders import Leaving
from services.registration.domain.tournament.play_facts import EntrantLeft
from services.registration.domain.tournament.saying import Said
from shared.numbers import Number
from shared.values import Value

type InRound = tuple[str, int]  # a stage and one of its rounds

# Before the start


class Entered(Value):
    entrant: str
    said: Said


class Waiting(Value):
    """For a place; in the order of entry."""

    entrant: str
    said: Said


class CheckedIn(Value):
    entrant: str
    said: Said


class Withdrawn(Value):
    entrant: str
    said: Said


class StruckOff(Value):
    entrant: str
    said: Said


# From the start on

NOWHERE: Mapping[InRound, Number | None] = MappingProxyType({})


class Playing(Value):
    entrant: str
    said: Said
    number: int
    from_round: int
    absences: Mapping[InRound, Number | None] = NOWHERE


class Left(Value):
    entrant: str
    said: Said
    number: int
    from_round: int
    absences: Mapping[InRound, Number | None]
    stage: str
    after_round: int
    why: Leaving
    clause: str | None  # of the rules, where results demand it
    had_withdrawn: bool  # before being expelled


type Coming = Entered | CheckedIn
type Participant = Playing | Left
type Entrant = Coming | Waiting | Withdrawn | StruckOff | Participant


# What becomes of them


def participant(entrant: Entrant) -> Participant:
    if isinstance(entrant, Playing | Left):
        return entrant
    raise TypeError(f"{entrant.entrant} does not play")  # the log has never said otherwise


def left(was: Participant, event: EntrantLeft) -> Left:
    return Left(
        entrant=was.entrant,
        said=was.said,
        number=was.number,
        from_round=was.from_round,
        absences=was.absences,
        stage=event.stage,
        after_round=event.after_round,
        why=Leaving(event.why),
        clause=event.clause,
        had_withdrawn=isinstance(was, Left) and was.why is Leaving.WITHDREW,
    )


def back(was: Participant) -> Playing:
    return Playing(
        entrant=was.entrant, said=was.said, number=was.number, from_round=was.from_round, absences=was.absences
    )


def without(absences: Mapping[InRound, Number | None], which: InRound) -> Mapping[InRound, Number | None]:
    return {in_round: points for in_round, points in absences.items() if in_round != which}
