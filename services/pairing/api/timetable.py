"""When a round begins by the timetable of the rules, on the days and in the time zone of the tournament."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.pairing.api.situation import Situation
from shared.contracts.registration import TournamentAnnounced, TournamentReplanned, TournamentStarted
from shared.rulesets.settings import stage_of
from shared.tournament.stages import settings_of


def planned_start(situation: Situation, stage: str, number: int) -> datetime | None:
    """None where the rules name no time, or name times for another number of rounds."""
    timetable = stage_of(situation.facts.ruleset, stage).timetable
    plans = situation.history.of(TournamentAnnounced, TournamentReplanned)
    if not plans or len(timetable) != settings_of(situation.facts, stage).rounds:
        return None
    planned = timetable[number - 1]
    if planned.time is None:
        return None
    day = date.fromisoformat(plans[-1].starts_on) + timedelta(days=planned.day - 1)
    zone = ZoneInfo(situation.history.of(TournamentStarted)[-1].time_zone)
    return datetime.combine(day, time.fromisoformat(planned.time), zone)
