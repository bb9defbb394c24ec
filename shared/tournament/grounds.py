"""Why somebody goes on, in words for people."""

from collections.abc import Mapping

from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Best, Complement, Everybody, GroupPlaces, Players, Windows
from shared.tournament.facts import Facts
from shared.tournament.podium import play_offs
from shared.tournament.progression import group_places, pairs_of
from shared.tournament.ranking import rank
from shared.tournament.stages import field_of


def grounds(facts: Facts, stage: str) -> Mapping[str, str]:
    """Of everybody who may be in a stage."""
    field = stage_of(facts.ruleset, stage).field
    match field:
        case Everybody():
            return dict.fromkeys(field_of(facts, stage), "plays from the beginning")
        case Best():
            return by_place(facts, field.stage, field.among) | by_play_off(facts, stage)
        case Complement():
            return by_place(facts, field.stage, None) | dict.fromkeys(sorted(facts.direct), "qualified beforehand")
        case GroupPlaces():
            return {entrant: f"is {place} of the groups" for place, entrant in group_places(facts, field).items()}
        case Windows():
            return {
                entrant: f"has equal points about the edge: plays for place {match}"
                for match, pair in pairs_of(facts).items()
                for entrant in pair
            }
        case Players():
            return dict.fromkeys(
                field_of(facts, field.stage), f"played the {stage_of(facts.ruleset, field.stage).title}"
            )


def by_place(facts: Facts, stage: str, among: str | None) -> dict[str, str]:
    title = stage_of(facts.ruleset, stage).title
    of_list = f" among {among}" if among is not None else ""
    return {
        row.entrant: f"has {'a shared ' if row.shared else ''}place {row.place}{of_list} in the {title}"
        for row in rank(facts, stage, among=among).rows
    }


def by_play_off(facts: Facts, stage: str) -> dict[str, str]:
    podium = facts.ruleset.final.podium
    if podium is None or stage != podium.semifinals:
        return {}
    return {
        one.winner: f"won the play-off {one.match}"
        for one in play_offs(facts, podium, rank(facts, podium.stage).rows)
        if one.winner is not None
    }
