"""Incidents as they are shown."""

from collections.abc import Mapping

from services.results.api.incidents.bodies import Incident, IncidentsShown, What
from services.results.domain.incidents import (
    ClockStopped,
    Event,
    IncidentsState,
    PositionReconstructed,
)


def notes(state: IncidentsState) -> set[str]:
    return {one.words for one in state.noted if one.words is not None}


def incidents_shown(state: IncidentsState, words: Mapping[str, str]) -> IncidentsShown:
    return IncidentsShown(incidents=[incident(one, words.get(one.words or "")) for one in state.noted])


def incident(one: Event, words: str | None) -> Incident:
    if isinstance(one, ClockStopped):
        return Incident(what="clock-stopped", seat=None, why=one.why, minutes=one.minutes, words=words)
    what: What = "position-reconstructed" if isinstance(one, PositionReconstructed) else one.kind
    return Incident(what=what, seat=one.seat, why=None, minutes=None, words=words)
