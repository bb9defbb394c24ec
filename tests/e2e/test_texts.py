"""What the pages say in each language of what stands in the catalogue of rulesets."""

import json
import subprocess

from shared.rulesets import catalogue
from shared.tournament.criteria import CRITERIA
from tests.e2e.browser import NODE, WEB
from tests.patience import PATIENCE

KEYS = """
const { words, more } = await import(`./src/texts/${process.argv[1]}.ts`);
const keys = { criteria: words.criteria, rulesets: more.director.rulesets, endings: more.desk.endings };
console.log(JSON.stringify(Object.fromEntries(Object.entries(keys).map(([name, texts]) => [name, Object.keys(texts)]))));
"""
OTHERS = ("cs", "sk", "pl")  # in English the services say what criteria and rulesets are called


def test_every_criterion_and_every_ruleset_is_called_something_in_the_other_languages() -> None:
    for language in OTHERS:
        keys = keys_of(language)
        assert keys["criteria"] == set(CRITERIA), language
        assert keys["rulesets"] == set(catalogue.ids()), language


def test_however_a_game_ends_that_was_paired_the_pages_say_it_in_each_language() -> None:
    endings = {end for one in catalogue.ids() for end in catalogue.load(one).results.endings} - {"bye"}
    for language in ("en", *OTHERS):
        assert endings <= keys_of(language)["endings"], language


def keys_of(language: str) -> dict[str, set[str]]:
    ran = subprocess.run(  # noqa: S603 - our own command
        [NODE, "--input-type=module", "--eval", KEYS, language],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return {name: set(keys) for name, keys in json.loads(ran.stdout).items()}
