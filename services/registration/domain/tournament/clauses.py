"""How a refusal names the rule that it comes from."""


def by(rule_id: str | None) -> str:
    """For the end of a sentence, before its full stop or colon."""
    return f" ({rule_id})" if rule_id else ""
