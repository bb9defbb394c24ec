"""The start: what still stands in its way, the start numbers, and who must not meet whom."""

from dataclasses import dataclass

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.refusals import NotReady
from services.registration.domain.tournament.roster import CheckedIn, Coming, Entered, Pair, Participant
from services.registration.domain.tournament.states import Event, Known, stored
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, settings

FEWEST = 2  # whatever the rules say
SEEDED_BY = ("rating", "order")  # what start numbers can be made from


@dataclass(frozen=True, kw_only=True, slots=True)
class Blocker:
    """What has to be settled before the start."""

    kind: str
    sentence: str
    entrants: tuple[str, ...] = ()


def blockers(state: Known) -> tuple[Blocker, ...]:
    """What the field still lacks; whether it is time to start at all is another question."""
    found: list[Blocker] = []
    waited_for = tuple(entrant.entrant for entrant in state.roster.coming if isinstance(entrant, Entered))
    if waited_for:
        who = "1 entrant has" if len(waited_for) == 1 else f"{len(waited_for)} entrants have"
        sentence = f"{who} not checked in: check them in, withdraw them or strike them off."
        found.append(Blocker(kind="not-checked-in", sentence=sentence, entrants=waited_for))
    there = sum(isinstance(entrant, CheckedIn) for entrant in state.roster.coming)
    size, seeding = state.plan.ruleset.entry.size, state.plan.ruleset.entry.seeding
    least = max(FEWEST, size.least)
    if there < least:
        who = {0: "Nobody has", 1: "Only 1 entrant has"}.get(there, f"Only {there} entrants have")
        found.append(Blocker(kind="too-few-entrants", sentence=f"{who} checked in: this tournament takes {least}."))
    if size.most is not None and there > size.most:
        sentence = f"{there} entrants have checked in: this tournament takes {size.most} at most."
        found.append(Blocker(kind="too-many-entrants", sentence=sentence))
    if seeding.by not in SEEDED_BY:
        sentence = f"The rules seed by {seeding.by}, which cannot be done yet: change the ruleset."
        found.append(Blocker(kind="no-seeding", sentence=sentence))
    return tuple(found)


def start(state: Known) -> list[Event]:
    if open_yet := blockers(state):
        raise NotReady(" ".join(blocker.sentence for blocker in open_yet))
    plan, ruleset = state.plan, state.plan.ruleset
    field = numbered(state.roster.coming, ruleset)
    return [
        facts.TournamentStarted(
            tournament=plan.tournament, federation=plan.federation, ruleset=stored(ruleset), time_zone=plan.time_zone
        ),
        *(admitted(plan.tournament, entrant, number, ruleset) for number, entrant in enumerate(field, start=1)),
        *forbidden(state, sorted(state.roster.close), field),
    ]


def numbered(entrants: list[Coming], ruleset: Ruleset) -> list[Coming]:
    """By rating, highest first; equal ones by the key; those who are still equal in the order of their entry."""

    def seed(entrant: Coming) -> tuple[bool, int, bool, int]:
        rating, key = rated(entrant.said.rating, ruleset), entrant.said.key
        return rating is None, -(rating or 0), key is None, key or 0

    return list(entrants) if ruleset.entry.seeding.by == "order" else sorted(entrants, key=seed)


def rated(rating: int | None, ruleset: Ruleset) -> int | None:
    """Whoever has no rating gets the one that the rules give to who is new."""
    return ruleset.entry.seeding.unrated if rating is None else rating


def admitted(tournament: str, entrant: Coming, number: int, ruleset: Ruleset) -> facts.EntrantAdmitted:
    return facts.EntrantAdmitted(
        entrant=entrant.entrant,
        tournament=tournament,
        persons=entrant.said.persons,
        number=number,
        rating=rated(entrant.said.rating, ruleset),
        key=entrant.said.key,
        lists=entrant.said.lists,
        from_round=1,
        decision=None,
    )


def forbidden(state: Known, pairs: list[Pair], field: list[Coming] | list[Participant]) -> list[facts.MeetingForbidden]:
    """For each pair of close persons who both take part, the rounds at the end in which they must not meet."""
    rules = first_stage(state.plan.ruleset, size=len(field)).pairing
    entrant_of = {person: entrant.entrant for entrant in field for person in entrant.said.persons}
    met = [(entrant_of[one], entrant_of[other]) for one, other in pairs if one in entrant_of and other in entrant_of]
    return [
        facts.MeetingForbidden(tournament=state.plan.tournament, entrants=both, last_rounds=rules.bans_in_last_rounds)
        for both in met
        if rules.bans_in_last_rounds is not None and both[0] != both[1]
    ]


def first_stage(ruleset: Ruleset, *, size: int) -> Settings:
    return settings(ruleset, ruleset.stages[0].id, size=size)
