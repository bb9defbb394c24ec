"""Commands that compute from a file, without a server; and those that give such a file."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

FORM = """
\b
FILE is a tournament in JSON (`roundlog.tournament/1`), as far as it has been played:
\b
  {
    "format": "roundlog.tournament/1",
    "ruleset": "scrabble-sk-2022-qt",
    "entrants": [
      {"id": "A", "name": "Ada", "rating": 1712},
      {"id": "B", "name": "Boris", "rating": 1650},
      {"id": "C", "name": "Cyril"}],
    "rounds": [
      {"number": 1,
       "games": [{"seats": ["B", "A"], "first": "B", "scores": [380, 350]}],
       "byes": ["C"]}]
  }
\b
`roundlog example RULESET` prints a larger one of each ruleset, `roundlog
export TOURNAMENT --file` that of a tournament on the running platform.
docs/tournament-file.md says what else may stand in it.
"""

TABLE = """
\b
FILE is what happened at one table, in JSON, in the form of the ruleset's game:
\b
  {"ruleset": "scrabble-sk-2022-qt",
   "game": {"end": "resigned", "by": 0, "scores": [210, 347]}}
\b
  {"ruleset": "gomoku-cfp",
   "options": {"contest.opening": "pro"},
   "game": {"moves": [[7, 7], [7, 8], [4, 7], {"resign": 1}]}}
\b
Seats are counted from 0. `POST /v1/adjudicate` of results shows the forms of all
games at its `/docs`, and docs/openapi/results.json.
"""

SEASON = """
\b
FILE is a season in JSON, its tournaments in order of time:
\b
  {
    "season": "scrabble-sk-2022",
    "players": [
      {"id": "N", "rating": 1720, "games": 49},
      {"id": "M", "rating": 1655, "games": 120}],
    "tournaments": [
      {"id": "T1", "kind": "live",
       "places": [{"player": "N", "place": 1}, {"player": "M", "place": 2}],
       "games": [{"players": ["N", "M"], "points": [1, 0]}]}]
  }
\b
The schema `SeasonFile` of docs/openapi/standings.json says what else may stand in it.
"""

file_argument = click.argument("file", type=click.Path(allow_dash=True, path_type=Path))


@contextmanager
def importing() -> Generator[None]:
    """What a command imports stays until it ends: the collector would look through it again and again, and find nothing."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@click.command(epilog=FORM)
@file_argument
@click.option("--list", "list_id", help="Only the table of this list.")
@click.option("--stage", help="The table of this stage.  [default: the last one in the file]")
@click.option("--final", is_flag=True, help="The ranking of the whole event.")
@click.option("--explain", is_flag=True, help="With the addends of every value, and why each stands above the next.")
@click.option("--crosstable", is_flag=True, help="With everybody's rounds: who met whom.")
@click.option("--csv", "as_sheet", is_flag=True, help="A sheet instead of JSON, with the names in the file.")
def rank(
    file: Path, list_id: str | None, stage: str | None, *, final: bool, explain: bool, crosstable: bool, as_sheet: bool
) -> None:
    """Rank the tournament in FILE (- reads standard input).

    Prints JSON. The exit code is 2 when the file is refused; a problem document then says why.
    """
    with importing():
        from deploy.calculate import print_calculated
        from services.standings.calculate import RankingOptions, ranked, ranked_sheet

    wanted: RankingOptions = {
        "list_id": list_id,
        "stage": stage,
        "final_order": final,
        "explanations": explain,
        "crosstable": crosstable,
    }
    calculate = ranked_sheet if as_sheet else ranked
    print_calculated(file, lambda content: calculate(content, **wanted))


@click.command(epilog=FORM)
@file_argument
@click.option("--alternative", is_flag=True, help="Also the next best pairing, and what it would cost.")
@click.option(
    "--entrant",
    "entrants",
    multiple=True,
    metavar="ID",
    help="Also the best in which this one meets somebody else; given twice, in which two meet, or do not where they do.",
)
def pair(file: Path, *, alternative: bool, entrants: tuple[str, ...]) -> None:
    """Pair the next round of the tournament in FILE (- reads standard input).

    Prints JSON. The exit code is 2 when the file is refused, or no pairing is possible; a problem document then says why.
    """
    with importing():
        from deploy.calculate import print_calculated
        from services.pairing.calculate import paired

    if len(entrants) > 2:  # noqa: PLR2004 - a pair
        raise click.UsageError("Name one entrant or two.")
    wanted = entrants if alternative or entrants else None
    print_calculated(file, lambda content: paired(content, wanted))


@click.command(epilog=TABLE)
@file_argument
def adjudicate(file: Path) -> None:
    """Turn what happened at one table, in FILE (- reads standard input), into scores and points.

    Prints JSON. The exit code is 2 when it is refused; a problem document then says why.
    """
    with importing():
        from deploy.calculate import print_calculated
        from services.results.calculate import adjudicate as adjudicated

    print_calculated(file, adjudicated, nulls=True)


@click.command(epilog=SEASON)
@file_argument
def season(file: Path) -> None:
    """Add up the season in FILE (- reads standard input): cup, qualification, ratings.

    Prints JSON. The exit code is 2 when the file is refused; a problem document then says why.
    """
    with importing():
        from deploy.calculate import print_calculated
        from services.standings.seasons.calculate import summed

    print_calculated(file, summed)


@click.command()
@click.argument("ruleset_id", metavar="RULESET")
def example(ruleset_id: str) -> None:
    """Print a small whole tournament file by RULESET, to begin one's own from.

    `roundlog rulesets` lists them. What is printed can be ranked and paired: `roundlog example gomoku-cfp | roundlog pair -`.
    """
    with importing():
        from deploy.calculate import print_answer
        from deploy.example import in_json

    print_answer(lambda: in_json(ruleset_id))


@click.command()
@click.argument("ruleset_id", required=False)
def rulesets(ruleset_id: str | None) -> None:
    """List the catalogue of rulesets, or print one of them whole."""
    with importing():
        from deploy.calculate import print_answer
        from services.registration.rulesets import listed
        from shared.rulesets import catalogue

    print_answer(listed if ruleset_id is None else lambda: catalogue.load(ruleset_id))
