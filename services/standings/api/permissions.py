"""Who may do what, and what a caller may do now."""

from services.standings.tournaments import EntrantNames, KnownStage, KnownTournament
from shared.access.asker import Asker
from shared.access.policy import ANYBODY, roles
from shared.access.roles import OFFICES, Role
from shared.http.responses import Actions, action
from shared.personal.sentences import spoken
from shared.tournament.awards import offered

LOOK = ANYBODY
SUPPOSE = roles(*OFFICES, scope="tournament_id", operators=True)
RULE = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
DECIDE = roles(Role.DIRECTOR, Role.COUNCIL, scope="season_id")

STAGE_ACTIONS = ("settleTie", "drawLot", "shortenStage", "closeStage")
AWARD_ACTIONS = ("choosePrize",)
SEASON_ACTIONS = (
    "importFirstRatings",
    "importContests",
    "importGames",
    "importRatingList",
    "nameChampion",
    "judgeDeparture",
    "announceField",
    "drawLotAtCut",
    "decideCut",
    "publishQualification",
    "publishRatings",
    "closeSeason",
)

NO_MORE_LOTS = (
    "The secret of the season's lots was shown when it was closed, so that everybody could compute one: decide between "
    "them."
)


def allowed_on_stage(known: KnownStage, asker: Asker) -> Actions:
    """What keeps it from being done is first who asks, and then what has happened."""
    to_play = " ".join(known.unfinished) or None
    waits = {tie.needs for tie in known.ties}
    can_be_mended = any((one.stage, one.kind) == (known.stage, "duel") for one in known.facts.settled)
    reasons = {
        "settleTie": None if can_be_mended else to_play or (None if "duel" in waits else "Nobody waits for a duel."),
        "drawLot": to_play or (None if "lot" in waits else "Nobody waits for a lot."),
        "shortenStage": why_not_shorter(known),
        "closeStage": " ".join(known.obstacles) or None,
    }
    return {name: action(asker.why_not(RULE, known.tournament) or reasons[name]) for name in STAGE_ACTIONS}


def allowed_on_awards(known: KnownTournament, names: EntrantNames, asker: Asker) -> Actions:
    order = known.choose("", None)
    nobody = None if offered(known.facts) else "Nobody has prizes in cash that do not add up."
    reason = nobody or spoken(" ".join(order.undecided), names) or None
    return {operation: action(asker.why_not(RULE, known.tournament) or reason) for operation in AWARD_ACTIONS}


def why_not_shorter(known: KnownStage) -> str | None:
    if known.planned is None:
        return "The rules fix no number of rounds for this stage."
    return "All its rounds are published." if (known.stage, known.planned) in known.facts.rounds else None


def allowed_in_season(season: str, asker: Asker, *, is_secret_shown: bool) -> Actions:
    reasons = {"drawLotAtCut": NO_MORE_LOTS if is_secret_shown else None}
    return {name: action(asker.why_not(DECIDE, season) or reasons.get(name)) for name in SEASON_ACTIONS}
