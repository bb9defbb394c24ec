"""Who may do what in results, and what may be done with a score sheet when."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from services.results.domain.sheet.reporting import out_of_place
from services.results.domain.sheet.rulings import drawn_throughout
from services.results.domain.sheet.states import (
    Disputed,
    KnownSheet,
    Reported,
    Speaker,
    complaints_of,
    ends_of,
    reports_of,
)
from services.results.tournaments import KnownTournament, boards
from shared.access.asker import Asker
from shared.access.captain_tokens import Captaincy
from shared.access.grants import Grant
from shared.access.policy import OnlyTheDirector, Policy, roles
from shared.access.roles import OFFICES, Role
from shared.http.authorization import Act
from shared.http.responses import action
from shared.refusals import Conflict, Forbidden
from shared.rulesets.play import AWARDED, Results
from shared.values import Value

OFFICIALS = (Role.ARBITER, Role.DIRECTOR)

# The score sheet of a game

TELL = roles(Role.SCORER, *OFFICIALS, scope="game_id", captains="game_id")
RULE = roles(*OFFICIALS, scope="game_id")
PUNISH = roles(Role.DIRECTOR, scope="game_id")
NOTE = roles(Role.SCORER, *OFFICIALS, scope="game_id")
LOOK = roles(*OFFICES, scope="game_id", captains="game_id")

# A whole tournament

REPORT_MANY = roles(Role.SCORER, *OFFICIALS, scope="tournament_id")
IMPOSE = roles(*OFFICIALS, scope="tournament_id")
PROTEST = roles(Role.SCORER, *OFFICIALS, scope="tournament_id", captains="entrant")
JUDGE = roles(*OFFICIALS, scope="tournament_id")
LOOK_INTO = roles(*OFFICES, scope="tournament_id")
BIND_WORD_LISTS = roles(*OFFICIALS, scope="tournament_id")
TAKE_WORD_LISTS = roles(Role.COUNCIL, Role.DIRECTOR, scope="federation_id")

IMPOSE_ALONE = roles(Role.DIRECTOR, scope="tournament_id")  # where the rules leave penalties to the director
PENALTY_ACTIONS: Mapping[str, str | None] = {  # and which penalty of the rules each is; none: taking one back
    "warnEntrant": "warning",
    "imposePenalty": "points",
    "liftPenalty": None,
    "disqualifyEntrant": "expel",
    "expelPerson": "expel",
    "returnPerson": None,
    "removeFromHall": "removal",
    "letBackIntoHall": None,
}
PROTEST_ACTIONS = {"fileProtest": PROTEST, "decideProtest": JUDGE, "recordPublicVote": JUDGE}

# The words for what a sheet is: in which an act makes sense, and which games a list shows

OPEN = frozenset({"pending", "started", "postponed", "reported", "disputed"})
UNREPORTED = frozenset({"pending", "started", "postponed"})
SPOKEN = frozenset({"reported", "disputed"})
UNBEGUN = frozenset({"pending", "postponed"})


class GameAction(Value):
    policy: Policy
    when: frozenset[str]  # of these status words
    otherwise: str


ACTIONS_OF_GAMES: Mapping[str, GameAction] = {
    "startGame": GameAction(
        policy=TELL, when=frozenset({"pending", "started"}), otherwise="It is not waiting to be started."
    ),
    "reportResult": GameAction(
        policy=TELL, when=OPEN, otherwise="It takes no reports: an official corrects it or orders a replay."
    ),
    "withdrawReport": GameAction(policy=TELL, when=SPOKEN, otherwise="There is no report that could be withdrawn."),
    "confirmResult": GameAction(
        policy=TELL, when=SPOKEN, otherwise="There is no report that waits for a confirmation."
    ),
    "disputeResult": GameAction(policy=TELL, when=SPOKEN, otherwise="There is no report to object to."),
    "decideResult": GameAction(policy=RULE, when=OPEN, otherwise="It is decided: correct it, or order a replay."),
    "correctResult": GameAction(policy=RULE, when=frozenset({"final"}), otherwise="It has no final result: decide it."),
    "drawWinner": GameAction(
        policy=RULE, when=frozenset({"reported"}), otherwise="There is no drawn match of which a lot could decide."
    ),
    "complainAboutResult": GameAction(
        policy=TELL, when=frozenset({"final"}), otherwise="It has no final result: object to the report."
    ),
    "answerComplaint": GameAction(policy=RULE, when=frozenset({"final"}), otherwise="There is no complaint to answer."),
    "makeChoice": GameAction(policy=TELL, when=UNBEGUN, otherwise="It has begun: nothing is chosen any more."),
    "giveLineUp": GameAction(policy=TELL, when=UNBEGUN, otherwise="It has begun: line-ups stand."),
    "askFor": GameAction(policy=TELL, when=OPEN, otherwise="It is over."),
    "drawBoards": GameAction(policy=RULE, when=UNBEGUN, otherwise="It has begun: who meets whom stands."),
    "drawSeats": GameAction(policy=RULE, when=UNBEGUN, otherwise="It has begun: who sits where stands."),
    "changeClock": GameAction(policy=RULE, when=OPEN, otherwise="It is over."),
    "resetClocks": GameAction(policy=RULE, when=OPEN, otherwise="It is over."),
    "postponeGame": GameAction(policy=RULE, when=UNREPORTED, otherwise="It was reported already, or is over."),
    "resumeGame": GameAction(policy=RULE, when=frozenset({"postponed"}), otherwise="It is not postponed."),
    "voidGame": GameAction(
        policy=RULE, when=OPEN | {"final", "voided"}, otherwise="Its round was recalled: there is nothing to void."
    ),
}


@lru_cache(maxsize=256)
def allowed_actions(
    word: str, why_not_tell: str | None, why_not_rule: str | None, without: frozenset[tuple[str, str]]
) -> msgspec.Raw:
    """There are not many ways in which they can look."""
    why_not = {TELL: why_not_tell, RULE: why_not_rule}
    why_pointless = dict(without)

    def reason(name: str, one: GameAction) -> str | None:
        if why := why_not[one.policy]:
            return why
        return one.otherwise if word not in one.when else why_pointless.get(name)

    return msgspec.Raw(
        msgspec.json.encode({name: action(reason(name, one)).model_dump() for name, one in ACTIONS_OF_GAMES.items()})
    )


OF_DEFAULTS = ("decideResult", "correctResult", "voidGame")
WHY_POINTLESS: Mapping[str, str] = {
    "confirmResult": "Each side confirms for itself: enter the sheet with both signatures, or let an official decide.",
    "drawWinner": "There is no drawn match of which a lot could decide.",
    "complainAboutResult": "These rules know no complaints: ask an official.",
    "answerComplaint": "There is no complaint to answer.",
    "makeChoice": "Nobody has a choice in this game.",
    "giveLineUp": "This is no match of teams.",
    "drawBoards": "Nobody has asked for it, or somebody has not said yet who plays.",
    "drawSeats": "Nobody has asked for it.",
    "resetClocks": "These rules have no new time: change the clock of each side.",
    **dict.fromkeys(OF_DEFAULTS, "Only the director of the tournament decides about such an ending: ask him."),
}


def pointless(state: KnownSheet, known: KnownTournament, asker: Asker) -> frozenset[tuple[str, str]]:
    """What does not go with this game, or with what was said of it, for whoever asks; and why."""
    game, holds = state.sheet, None if known.facts is None else known.settings(state.sheet.stage)
    wishes = {wish for _, wish in game.prepared.wishes}
    sensible = {
        "confirmResult": captain_of(asker) is not None or holds is None or holds.results.confirmed_by != "each-side",
        "drawWinner": bool([said for said in reports_of(state) if drawn_throughout(said.result)]),
        "complainAboutResult": holds is not None and holds.results.complaint != "none",
        "answerComplaint": bool([complaint for complaint in complaints_of(state) if complaint.upheld is None]),
        "makeChoice": game.option is not None,
        "giveLineUp": holds is not None and boards(holds.contest) > 0,
        "drawBoards": "board-draw" in wishes and game.prepared.line_ups.keys() >= set(game.seats),
        "drawSeats": "seat-draw" in wishes,
        "resetClocks": holds is not None and holds.results.new_time is not None,
        **dict.fromkeys(
            OF_DEFAULTS,
            directs(asker, game.tournament) or holds is None or not is_for_director(state, known),
        ),
    }
    why = {name: WHY_POINTLESS[name] for name, makes_sense in sensible.items() if not makes_sense}
    if asker.caller is not None and isinstance(state, Reported | Disputed):
        why = out_of_place(state, speaker_of(asker, asker.caller.subject)) | why
    return frozenset(why.items())


def is_for_director(state: KnownSheet, known: KnownTournament) -> bool:
    """Whether what stands, or is reported, is for the director alone."""
    return not ends_of(state).isdisjoint(known.terms(state.sheet.stage, state.sheet.match).for_director)


class OnlyAnOfficial(Forbidden):
    """Such an ending is an official's decision."""


class NotInTheseRules(Conflict):
    """The ruleset does not know such a penalty."""


class NoResult(Conflict):
    """From what was said nothing counts."""


def captain_of(asker: Asker) -> Captaincy | None:
    return asker.caller and asker.caller.captain


def directs(asker: Asker, tournament: str) -> bool:
    """Whether this is who was appointed to direct the tournament itself, and no captain."""
    caller = asker.caller
    if caller is None or caller.captain is not None:
        return False
    return Grant(subject=caller.subject, role=Role.DIRECTOR, scope=tournament) in asker.grants


def speaker(act: Act) -> Speaker:
    return speaker_of(act.asker, act.origin.actor)


def speaker_of(asker: Asker, person: str) -> Speaker:
    captain = captain_of(asker)
    if captain is None:
        return Speaker(person=person, directs=directs(asker, asker.scope))
    vouched_by = None if captain.issuer.role in RULE.roles else captain.issuer.subject
    return Speaker(person=person, entrant=captain.entrant, vouched_by=vouched_by)


def require_entitled(known: KnownTournament, stage: str, end: str, act: Act) -> None:
    """Some endings only an official can report, and what counts among the penalties whoever may impose them."""
    if end == AWARDED:
        require_imposer(known.settings(stage).results, act)
    if known.is_for_officials(stage, end) and not act.asker.may(RULE, act.asker.scope):
        raise OnlyAnOfficial(f"Only an arbiter or the director can say that a game ended as `{end}`: ask one of them.")


def why_no_penalty(rules: Results | None, penalty: str | None, asker: Asker, tournament: str) -> str | None:
    """Why somebody may not impose it or take one back, as far as it can be told before the act."""
    by_director = rules is not None and rules.penalties_by == "director" and penalty != "warning"
    if why_not := asker.why_not(IMPOSE_ALONE if by_director else IMPOSE, tournament):
        return why_not
    if rules is None or penalty is None or penalty in rules.penalties:
        return None
    return f"The rules of this tournament know no such penalty: they know {', '.join(rules.penalties)}."


def require_imposer(rules: Results, act: Act) -> None:
    """Some rules leave penalties to the director alone, and to take one back as well."""
    if rules.penalties_by == "director" and not act.asker.may(PUNISH, act.asker.scope):
        refusal = OnlyTheDirector("By these rules only the director imposes penalties: ask him.")
        refusal.rule = rules.rule_ids.get("penalties")
        raise refusal
