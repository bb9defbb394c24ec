"""The rulesets that come with Roundlog: one file each, named by its id."""

from functools import cache
from pathlib import Path

from pydantic_core import from_json

from shared.refusals import NotFound
from shared.rulesets import faults
from shared.rulesets.schema import Ruleset

FOLDER = Path(__file__).parent


class RulesetUnknown(NotFound):
    """The catalogue has no ruleset of that id."""


@cache
def ids() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def load(ruleset_id: str) -> Ruleset:
    if ruleset_id not in ids():
        raise RulesetUnknown(f"There is no ruleset {ruleset_id!r}. There are: {', '.join(ids())}.")
    return faults.read(from_json((FOLDER / f"{ruleset_id}.json").read_bytes()))
