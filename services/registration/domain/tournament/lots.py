"""What the lots of a tournament are mixed with: named when it is announced, written down once the field is fixed."""

from collections.abc import Mapping, Sequence

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.states import (
    BEFORE,
    AnnouncedTournament,
    CheckingIn,
    Draft,
    Phases,
    Registering,
    Running,
    require_phase,
)
from shared.commands.decider import Order
from shared.lots import source as sources
from shared.lots.source import Beacon, Dice, LotSource
from shared.refusals import Conflict

# Orders


class MoveLotSource(Order):
    source: str
    now: int  # seconds since 1970


class OpenLots(Order):
    value: str
    now: int
    commitments: Mapping[str, str]  # of the services that were heard, to the source as it is


type LotsOrder = MoveLotSource | OpenLots

PHASES: Phases = {
    MoveLotSource: (Draft, *BEFORE, Running),
    OpenLots: (CheckingIn, Running),
}

MOST_YEARS, YEAR = 10, 365 * 86_400  # until the value of a beacon is known; seconds
DRAWING = ("pairing", "registration", "results", "standings")  # the services that may draw

# What changes between whom lots are drawn at the start.
OF_FIELD = (
    facts.PlanChanged,
    facts.RegistrationOpened,
    facts.EntrantEntered,
    facts.EntrantQualified,
    facts.EntryCorrected,
    facts.EntryDetailed,
    facts.EntryWithdrawn,
    facts.EntrantStruckOff,
    facts.EntrantCheckedIn,
    facts.CheckInUndone,
    facts.EntrantWaits,
    facts.ReserveCalled,
    facts.ReservePassedOver,
)

# Refusals


class NoLotSource(Conflict):
    """The tournament was announced without anything that its lots follow from."""


class TooEarlyForLots(Conflict):
    """The value cannot be known yet, or the field may still change."""


class TooLateForLots(Conflict):
    """Nobody who plays would live to see the value."""


class SourceStands(Conflict):
    """Its value can be known already: whoever chose another one now would choose between lots."""


class SecretsNotHeard(Conflict):
    """Lots are opened when every service is known to have fixed its secret before."""


class LotsAlreadyOpened(Conflict):
    """The value that was written down first stands."""


class FieldIsFixed(Conflict):
    """The value of the source is known: another field now would be a choice between lots."""


def require_to_come(source: LotSource, now: int) -> None:
    """Soon enough as well: a source is moved to a later one only, so that a digit too many would be there for ever."""
    if source.known_from is None:
        return
    if source.known_from <= now:
        raise TooEarlyForLots(f"{source.text} is known already: name a round that is still to come.")
    if source.known_from > now + MOST_YEARS * YEAR:
        raise TooLateForLots(
            f"{source.text} is not known for {MOST_YEARS} years, and until then nothing could be drawn: look whether its "
            "number has a digit too many."
        )


def decide(state: AnnouncedTournament, order: LotsOrder) -> list[facts.Event]:
    match order:
        case MoveLotSource():
            return move(state, order)
        case OpenLots():
            return open_lots(state, order)


def named(state: AnnouncedTournament) -> LotSource:
    if state.plan.lot_source is None:
        raise NoLotSource(
            "This tournament was announced without a source for its lots, so they follow from secrets alone: a source is "
            "named in the announcement, as lot_source."
        )
    return sources.parse(state.plan.lot_source)


def not_now(state: AnnouncedTournament) -> Conflict | None:
    """Why nothing can be done about the lots, whatever is asked."""
    try:
        named(state)
    except NoLotSource as refusal:
        return refusal
    return None if state.plan.lot_value is None else opened(state.plan.lot_value)


def opened(value: str) -> LotsAlreadyOpened:
    return LotsAlreadyOpened(f"The lots are opened with {value}, and that stands.")


def move(state: AnnouncedTournament, order: MoveLotSource) -> list[facts.Event]:
    before, now = named(state), sources.parse(order.source)
    if now == before:
        return []
    require_phase(state, order, PHASES)
    if state.plan.lot_value is not None:
        raise opened(state.plan.lot_value)
    match before:
        case Beacon() if before.known_from <= order.now:
            raise SourceStands(f"{before.text} is known already: open the lots with it.")
        case Dice() if not isinstance(state, Draft | Registering):
            raise SourceStands(
                "Since check-in has begun the dice may have been thrown: open the lots with what they show."
            )
        case Beacon() | Dice():
            pass
    require_to_come(now, order.now)
    match now:
        case Dice() if not isinstance(state, Draft | Registering):
            raise SourceStands("Dice are named before check-in begins: name a later round of the beacon.")
        case Beacon() if isinstance(before, Beacon) and now.known_from <= before.known_from:
            raise SourceStands(f"{now.text} is known before {before.text}: a source is moved to a later one only.")
        case Beacon() if not isinstance(state, Running) and sources.is_known_before(now, state.plan.entries_close):
            raise TooEarlyForLots(
                f"{now.text} is known before entries close, and then a field could be chosen for it: name a later round."
            )
        case Beacon() | Dice():
            pass
    return [facts.LotSourceMoved(tournament=state.plan.tournament, source=now.text)]


def open_lots(state: AnnouncedTournament, order: OpenLots) -> list[facts.Event]:
    source = named(state)
    value = source.value(order.value)
    if state.plan.lot_value is not None:
        if state.plan.lot_value == value:
            return []
        raise opened(state.plan.lot_value)
    require_phase(state, order, PHASES)
    if source.known_from is not None and order.now < source.known_from:
        raise TooEarlyForLots(
            f"{source.text} is known in {source.known_from - order.now} seconds: open the lots then, or move the source."
        )
    if isinstance(state, CheckingIn) and (waited_for := state.roster.expected):
        who = "1 entrant has" if len(waited_for) == 1 else f"{len(waited_for)} entrants have"
        raise TooEarlyForLots(
            f"{who} not checked in, so the field is not fixed: check them in, withdraw them or strike them off."
        )
    if missing := [service for service in DRAWING if service not in order.commitments]:
        raise SecretsNotHeard(
            f"Nothing was heard yet of the secret that {' and '.join(missing)} has fixed for {source.text}: ask again in a "
            "moment, and look whether these services are running."
        )
    return [
        facts.LotsOpened(
            tournament=state.plan.tournament, source=source.text, value=value, commitments=dict(order.commitments)
        )
    ]


def require_field_open(state: AnnouncedTournament, happens: Sequence[facts.Event]) -> None:
    """Between the opening and the start nobody comes or goes, and nobody is seeded otherwise."""
    if (
        isinstance(state, CheckingIn)
        and state.plan.lot_value is not None
        and any(isinstance(event, OF_FIELD) for event in happens)
    ):
        raise FieldIsFixed(
            "The lots of this field are opened, so it stays as it is until the start: start the tournament, and then note "
            "who leaves, comes late or is corrected."
        )
