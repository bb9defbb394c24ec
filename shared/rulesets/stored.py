"""A ruleset as a log or a message has it: what was wrong with it was said before it was written."""

from pydantic import ValidationError

from shared.rulesets.schema import Ruleset

NOT_KNOWN_HERE = {"extra_forbidden", "literal_error", "enum", "union_tag_invalid"}


class NewerRuleset(Exception):
    """It says something that this version does not know: a newer one has written it."""


def read(text: bytes) -> Ruleset:
    """Nothing in it is passed over, since what is paired and ranked by the rest may be wrong."""
    try:
        return Ruleset.model_validate_json(text)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        if any(fault["type"] not in NOT_KNOWN_HERE for fault in faults):
            raise
        named = ", ".join(".".join(map(str, fault["loc"])) for fault in faults[:3])
        raise NewerRuleset(f"this version does not know what the ruleset says of {named}, run a newer one") from error
