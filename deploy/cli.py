"""The command `roundlog`. Each command imports what it needs when it runs, so that --help is instant."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

from deploy import SERVICES
from deploy.demo.cast import RULESET

DEFAULT_FOLDER = Path(__file__).resolve().parents[1] / ".roundlog"

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, resolve_path=True),
    envvar="ROUNDLOG_DATA",
    default=DEFAULT_FOLDER,
    show_default=True,
    show_envvar=True,
    help="The folder that keeps everything of a local run.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Run tournaments of mind sports."""


@main.command()
@data_option
@click.option(
    "--base-port",
    type=click.IntRange(0, 65528),
    envvar="ROUNDLOG_BASE_PORT",
    show_envvar=True,
    help="The services listen on this +1 to +4, PostgreSQL on +5, NATS on +6 and +7.  [default: 8000, or the next free]",
)
@click.option("--detach", is_flag=True, help="Go on in the background; returns when everything is ready.")
@click.option(
    "--demo",
    is_flag=False,
    flag_value=RULESET,
    metavar="[RULESET]",
    help="Then play a tournament, at a speed to watch it: of Slovak Scrabble, or by another ruleset of the catalogue.",
)
@click.option("--demo-pace", type=click.FloatRange(0), default=20.0, hidden=True, help="Seconds that a round takes.")
@click.option("--in-background", is_flag=True, hidden=True)
def up(
    data: Path, base_port: int | None, *, detach: bool, demo: str | None, demo_pace: float, in_background: bool
) -> None:
    """Start PostgreSQL, NATS and the four services, and keep them running until Ctrl-C.

    With ROUNDLOG_DATABASE_URL (as administrator) or ROUNDLOG_NATS_URL set, those running servers are used instead.
    """
    parent = os.getppid()
    from deploy.local.options import Options

    if demo is not None:
        require_ruleset(demo)
    options = Options(
        folder=data,
        base_port=base_port,
        database_url=os.environ.get("ROUNDLOG_DATABASE_URL") or None,
        nats_url=os.environ.get("ROUNDLOG_NATS_URL") or None,
        in_background=in_background,
        demo=demo,
        demo_pace=demo_pace,
    )
    with plain_errors():
        if detach:
            from deploy.local.detach import detach as start_in_background

            start_in_background(options)
        else:
            from deploy.local.launch import launch

            launch(options, parent)


@main.command()
@data_option
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def status(data: Path, *, as_json: bool) -> None:
    """Show each process, where it is, and whether it is ready.

    The exit code is 0 when everything is ready, 3 when nothing runs, 1 otherwise.
    """
    from deploy.local.folder import Folder
    from deploy.local.status import show

    with plain_errors():
        raise SystemExit(show(Folder(path=data), as_json=as_json))


@main.command()
@data_option
def down(data: Path) -> None:
    """Stop everything that runs on the data folder."""
    from deploy.local.down import stop
    from deploy.local.folder import Folder

    with plain_errors():
        stop(Folder(path=data), click.echo)


@main.command()
@data_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def reset(data: Path, *, yes: bool) -> None:
    """Delete the data folder with everything in it."""
    from deploy.local.folder import Folder
    from deploy.local.reset import delete, require_deletable

    folder = Folder(path=data)
    with plain_errors():
        require_deletable(folder)
        if not yes:
            click.confirm(f"Delete {data} with all tournaments in it?", abort=True)
        delete(folder)
    click.echo(f"{data} is deleted.")


@main.command()
@data_option
@click.argument("subject")
@click.option("--hours", type=click.FloatRange(0, min_open=True), default=12.0, show_default=True, help="Good for.")
def token(data: Path, subject: str, *, hours: float) -> None:
    """Print a token that says who SUBJECT is to the services of this data folder."""
    from deploy.tokens import signed

    with plain_errors():
        click.echo(signed(data / "keys", subject, hours=hours))


@main.command("parked")
@data_option
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show_parked(data: Path, *, as_json: bool) -> None:
    """Show what waits for an operator, and why.

    These are tournaments whose next event could not be handled, and sources of which nothing more is received.
    """
    from deploy.local import operate
    from deploy.local.folder import Folder

    with plain_errors():
        operate.show_waiting(Folder(path=data), click.echo, as_json=as_json)


service_argument = click.argument("service", type=click.Choice(SERVICES))
reason_option = click.option("--reason", required=True, help="Why; it is kept.")


@main.command()
@data_option
@service_argument
@click.argument("scope")
@reason_option
def retry(data: Path, service: str, scope: str, reason: str) -> None:
    """Let a parked tournament try its next event again, for instance with a mended version."""
    from deploy.local import operate
    from deploy.local.folder import Folder

    with plain_errors():
        click.echo(operate.decide(Folder(path=data), service, scope, act="retry", reason=reason))


@main.command()
@data_option
@service_argument
@click.argument("scope")
@reason_option
def skip(data: Path, service: str, scope: str, reason: str) -> None:
    """Let a parked tournament go on without the event that it cannot get past."""
    from deploy.local import operate
    from deploy.local.folder import Folder

    with plain_errors():
        click.echo(operate.decide(Folder(path=data), service, scope, act="skip", reason=reason))


@main.command()
@data_option
@service_argument
@click.argument("source", type=click.Choice(SERVICES))
@reason_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def accept(data: Path, service: str, source: str, reason: str, *, yes: bool) -> None:
    """Let SERVICE go on with SOURCE as it is now, after SOURCE was restored from a backup.

    Shows first what SERVICE has received and SOURCE has lost. What of it has taken effect stays as it is.
    """
    from deploy.local import operate
    from deploy.local.folder import Folder

    folder = Folder(path=data)
    with plain_errors():
        found = operate.compare(folder, service, source)
        operate.show_difference(service, found, click.echo)
        if not yes:
            click.confirm(f"Let {service} go on with {source} as it is now?", abort=True)
        click.echo(operate.accept(folder, service, found, reason=reason))


@main.command()
@data_option
@service_argument
def republish(data: Path, service: str) -> None:
    """Fill the JetStream stream of a service anew from its log; nobody hears anything twice."""
    from deploy.local import operate
    from deploy.local.folder import Folder

    with plain_errors():
        sent = operate.republish(Folder(path=data), service)
    click.echo(f"The stream of {service} has {sent} messages again.")


@main.command()
@data_option
def scrub(data: Path) -> None:
    """Take the last bytes of erased persons from the data folder, while everything runs.

    Tables that can be erased are written anew, the stream of names is filled anew, and all files of PostgreSQL's
    write-ahead log that there are now are removed. Backups, archives and disks below them are yours to clean.
    """
    from deploy.local import operate
    from deploy.local.folder import Folder

    with plain_errors():
        operate.scrub(Folder(path=data), click.echo)
    click.echo("What was erased is gone from the data folder.")


@main.command()
@data_option
@click.argument("tournaments", nargs=-1)
@click.option(
    "--processes", type=click.IntRange(1, 64), help="How many compute.  [default: as many as there are cores]"
)
def rebuild(data: Path, tournaments: tuple[str, ...], processes: int | None) -> None:
    """Make tables of standings anew from what was heard, and compare them with those that are shown.

    Those of TOURNAMENTS, by their ids, or all. Everything goes on meanwhile. The exit code is 1 when a table came out
    differently from the same facts, or something that was said is lost.
    """
    from deploy.local import operate
    from deploy.local.folder import Folder

    with plain_errors():
        is_same = operate.rebuild(
            Folder(path=data), tournaments, processes=processes or os.cpu_count() or 1, say=click.echo
        )
    raise SystemExit(0 if is_same else 1)


@main.command()
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
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
    from services.standings.calculate import Wanted, ranked, ranked_sheet

    wanted: Wanted = {
        "list_id": list_id,
        "stage": stage,
        "final_order": final,
        "explanations": explain,
        "crosstable": crosstable,
    }
    calculate = ranked_sheet if as_sheet else ranked
    print_calculated(file, lambda content: calculate(content, **wanted))


@main.command()
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
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


@main.command()
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
def adjudicate(file: Path) -> None:
    """Turn what happened at one table, in FILE (- reads standard input), into scores and points.

    Prints JSON. The exit code is 2 when it is refused; a problem document then says why.
    """
    from deploy.calculate import print_calculated
    from services.results.calculate import adjudicate as adjudicated

    print_calculated(file, adjudicated, nulls=True)


@main.command()
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
def season(file: Path) -> None:
    """Add up the season in FILE (- reads standard input): cup, qualification, ratings.

    Prints JSON. The exit code is 2 when the file is refused; a problem document then says why.
    """
    from deploy.calculate import print_calculated
    from services.standings.seasons.calculate import summed

    print_calculated(file, summed)


@main.command()
@click.argument("ruleset_id", required=False)
def rulesets(ruleset_id: str | None) -> None:
    """List the catalogue of rulesets, or print one of them whole."""
    from deploy.calculate import print_answer
    from services.registration.rulesets import listed
    from shared.rulesets import catalogue

    print_answer(listed if ruleset_id is None else lambda: catalogue.load(ruleset_id))


def require_ruleset(ruleset_id: str) -> None:
    from shared.rulesets import catalogue

    try:
        catalogue.load(ruleset_id)
    except catalogue.RulesetUnknown as unknown:
        raise click.BadParameter(str(unknown), param_hint="--demo") from None


@contextmanager
def plain_errors() -> Generator[None]:
    from deploy.local.errors import CannotRun

    try:
        yield
    except CannotRun as sentence:
        raise click.ClickException(str(sentence)) from sentence


if __name__ == "__main__":
    main(prog_name="roundlog")
