"""How an entrant is shown: from the state, without names."""

from typing import Literal, TypedDict

from services.registration.api.entrants.bodies import (
    Absence,
    Attendance,
    ClosePair,
    ClosePairs,
    Departure,
    Entrant,
    EntrantInFull,
    EntrantStatus,
)
from services.registration.api.permissions import entrant_actions
from services.registration.api.persons.bodies import PersonListed
from services.registration.domain.tournament.entrants import (
    CheckedIn,
    Entered,
    EntrantState,
    LeftEntrant,
    Participant,
    PlayingEntrant,
    StruckOff,
    WaitingEntrant,
    Withdrawn,
)
from services.registration.domain.tournament.payments import is_confirmed
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.states import AnnouncedTournament, Cancelled, State, known
from shared.access.asker import Asker
from shared.numbers import exact, shown


def attendance_view(state: State) -> Attendance:
    coming = known(state).roster.coming
    awaited = [entrant.entrant for entrant in coming if isinstance(entrant, Entered)]
    return Attendance(checked_in=len(coming) - len(awaited), awaited=awaited)


def close_pairs_view(state: State) -> ClosePairs:
    return ClosePairs(pairs=[ClosePair(persons=pair) for pair in sorted(known(state).roster.close)])


class PartInField(TypedDict):
    """What depends on whether the tournament runs."""

    status: EntrantStatus
    number: int | None
    from_round: int
    absences: list[Absence]
    left: Departure | None


def entrant_view(state: State, identity: str) -> Entrant:
    return listed_entrant_view(known(state), entrant_of_id(known(state).roster, identity))


def full_entrant_view(state: State, identity: str, asker: Asker) -> EntrantInFull:
    plain = entrant_view(state, identity)
    return EntrantInFull(**dict(plain), allowed_actions=entrant_actions(identity, known(state), asker))


def listed_entrant_view(state: AnnouncedTournament, found: EntrantState) -> Entrant:
    also = state.roster.details_of(found.entrant).also
    return Entrant(
        id=found.entrant,
        tournament=state.plan.tournament,
        name=None,
        persons=[PersonListed(id=person, name=None) for person in found.said.persons],
        substitutes=[PersonListed(id=person, name=None) for person in also.substitutes],
        captain=also.captain,
        school=also.school,
        rating=found.said.rating,
        rating_from="entry" if found.said.rating is not None and found.said.rated_by is None else found.said.rated_by,
        lists=list(found.said.lists),
        payment=payment_shown(state, found),
        **part_in_field(found),
    )


def payment_shown(state: AnnouncedTournament, found: EntrantState) -> Literal["confirmed", "open"] | None:
    if isinstance(state, Cancelled):
        return None
    confirmed = is_confirmed(state.plan.ruleset.entry, found, state.roster.details_of(found.entrant))
    return None if confirmed is None else "confirmed" if confirmed else "open"


def part_in_field(found: EntrantState) -> PartInField:
    match found:
        case Entered():
            return before_start("entered")
        case CheckedIn():
            return before_start("checked-in")
        case WaitingEntrant():
            return before_start("waiting")
        case Withdrawn():
            return before_start("withdrawn")
        case StruckOff():
            return before_start("struck-off")
        case PlayingEntrant():
            return from_start_on("playing", found, None)
        case LeftEntrant():
            left = Departure(stage=found.stage, after_round=found.after_round, why=found.why)
            return from_start_on("left", found, left)


def before_start(status: EntrantStatus) -> PartInField:
    return PartInField(status=status, number=None, from_round=1, absences=[], left=None)


def from_start_on(status: EntrantStatus, found: Participant, left: Departure | None) -> PartInField:
    absences = [
        Absence(stage=stage, round=number, points=None if points is None else shown(exact(points)))
        for (stage, number), points in sorted(found.absences.items())
    ]
    return PartInField(status=status, number=found.number, from_round=found.from_round, absences=absences, left=left)
