"""How a refusal names the rule that it comes from."""

from typing import Literal

from shared.rulesets.entry import Team


def of_team(team: Team | None, what: Literal["least", "once", "choice", "frozen", "captain"]) -> str | None:
    return team.rule_ids.get(what, team.rule_id) if team else None


def by(rule_id: str | None) -> str:
    """For the end of a sentence, before its full stop or colon."""
    return f" ({rule_id})" if rule_id else ""
