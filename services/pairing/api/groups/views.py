"""How the groups of a stage are answered, and what a draw by hand would change."""

from collections.abc import Iterator, Mapping, Sequence

from services.pairing.api.bodies import Foreseen, Player
from services.pairing.api.groups.bodies import Group, Groups, SchoolTogether
from services.pairing.api.permissions import allowed_on_groups
from services.pairing.api.players import players
from services.pairing.api.rounds.views import NOTHING_FORESEEN, foreseen_spoken
from services.pairing.domain.stage import DrawGroups, DrawnGroups, Event, State
from services.pairing.engines import group_draw
from services.pairing.tournaments import KnownTournament
from shared.access.asker import Asker
from shared.lots.explaining import how_to_draw_again
from shared.lots.formula import LotKey
from shared.rulesets.settings import group_count
from shared.tournament.groups import LETTERS, conflicts, fewest, members_of, schools_of, sizes, together


def groups_view(state: State, known: KnownTournament, stage: str, asker: Asker, key: LotKey | None = None) -> Groups:
    facts = known.facts
    members, schools = members_of(facts, stage), schools_of(facts.entrants.values())
    count = group_count(facts.ruleset, stage, size=len(members))
    groups = () if state.drawn is None else state.drawn.groups
    return Groups(
        tournament=known.id,
        stage=stage,
        groups=[
            Group(group=letter, entrants=players(several, known))
            for letter, several in zip(LETTERS, groups, strict=False)
        ],
        by_hand=state.drawn is not None and state.drawn.by_hand,
        together=[
            SchoolTogether(
                group=letter,
                entrants=players([one for one in several if schools.get(one) == school], known),
            )
            for letter, school, several in together(groups, schools)
        ],
        pairs_of_one_school=conflicts(groups, schools),
        fewest_possible=None if count is None else fewest(members, count, schools),
        explanation=[*how_drawn(state.drawn, known, stage, key)] if state.drawn else [],
        sizes=[] if count is None else sizes(len(members), count),
        allowed_actions=allowed_on_groups(known, stage, count, asker),
    )


def how_drawn(drawn: DrawnGroups, known: KnownTournament, stage: str, key: LotKey | None) -> Iterator[str]:
    yield from group_draw.how_drawn(known.facts, drawn.groups, by_hand=drawn.by_hand)
    if not drawn.by_hand:
        yield from how_to_draw_again(known.lots, "pairing", [group_draw.purpose(stage)], key)


def players_of(answered: Groups) -> Iterator[Player]:
    """Everybody in an answer."""
    for group in (*answered.groups, *answered.together):
        yield from group.entrants


def draw_foreseen(before: State, order: DrawGroups, events: Sequence[Event], names: Mapping[str, str]) -> Foreseen:
    if not events:
        return NOTHING_FORESEEN
    lines = zip(LETTERS, order.groups, strict=False)
    foreseen = Foreseen(
        changes=[f"Group {letter} will be {', '.join(members)}." for letter, members in lines],
        lost=["The groups as they are now."] if before.drawn is not None else [],
        doubts=[doubt.detail for doubt in order.doubts],
        remarks=[],
    )
    return foreseen_spoken(foreseen, names)
