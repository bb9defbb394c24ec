"""Commands that compute from a file, without a server."""

from pathlib import Path

import click

file_argument = click.argument("file", type=click.Path(allow_dash=True, path_type=Path))


@click.command()
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


@click.command()
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
    from deploy.calculate import print_calculated
    from services.pairing.calculate import paired

    if len(entrants) > 2:  # noqa: PLR2004 - a pair
        raise click.UsageError("Name one entrant or two.")
    wanted = entrants if alternative or entrants else None
    print_calculated(file, lambda content: paired(content, wanted))


@click.command()
@file_argument
def adjudicate(file: Path) -> None:
    """Turn what happened at one table, in FILE (- reads standard input), into scores and points.

    Prints JSON. The exit code is 2 when it is refused; a problem document then says why.
    """
    from deploy.calculate import print_calculated
    from services.results.calculate import adjudicate as adjudicated

    print_calculated(file, adjudicated, nulls=True)


@click.command()
@file_argument
def season(file: Path) -> None:
    """Add up the season in FILE (- reads standard input): cup, qualification, ratings.

    Prints JSON. The exit code is 2 when the file is refused; a problem document then says why.
    """
    from deploy.calculate import print_calculated
    from services.standings.seasons.calculate import summed

    print_calculated(file, summed)


@click.command()
@click.argument("ruleset_id", required=False)
def rulesets(ruleset_id: str | None) -> None:
    """List the catalogue of rulesets, or print one of them whole."""
    from deploy.calculate import print_answer
    from services.registration.rulesets import listed
    from shared.rulesets import catalogue

    print_answer(listed if ruleset_id is None else lambda: catalogue.load(ruleset_id))
