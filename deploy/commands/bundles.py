"""Commands for whoever distrusts an operator: what proves a tournament is exported, and checked without a server."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from deploy.commands.folder import data_option, plain_errors

UNREADABLE = 2
TIMES = ["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"]

existing = click.Path(exists=True, path_type=Path)


@click.command()
@click.argument("bundle", type=existing)
@click.option(
    "--trust",
    "policy",
    type=existing,
    required=True,
    metavar="POLICY",
    help="The keys that you believe, from elsewhere.",
)
@click.option(
    "--receipt",
    "receipts",
    type=existing,
    multiple=True,
    metavar="RECEIPT",
    help="One that you have kept, to be held against BUNDLE; several times for several.",
)
@click.option("--quiet", is_flag=True, help="Only the last lines.")
def verify(bundle: Path, policy: Path, receipts: tuple[Path, ...], *, quiet: bool) -> None:
    """Check BUNDLE, a zip or a folder that `roundlog export` has written, offline.

    Everything that can be computed is computed again: signatures, proofs, that nothing is left out, messages, lots, pairings,
    tables. Each finding says its verdict, a clause of docs/bundle-format.md, and where it stands.

    The exit code is 0 when all that POLICY asks holds, 3 when something is refuted, 4 when nothing is, but a signature, seal,
    secret, table or the tournament itself is missing, 2 when BUNDLE, POLICY or a RECEIPT cannot be read. The last lines say
    which tournament it was.
    """
    from deploy.bundles.verification import verified
    from shared.proof.findings import Malformed

    def say(what: str) -> None:
        if sys.stderr.isatty() and not quiet:
            click.echo(what, err=True)

    try:
        found = verified(bundle, policy, say, receipts)
    except Malformed as malformed:
        click.echo(f"unreadable: {malformed}")
        raise SystemExit(UNREADABLE) from None
    for finding in () if quiet else found.report.findings:
        click.echo(str(finding))
    for line in found.last_lines():
        click.echo(line)
    raise SystemExit(found.report.exit_status)


@click.command()
@data_option
@click.argument("tournament")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path, resolve_path=True),
    help="Where the bundle is written.  [default: TOURNAMENT.zip]",
)
@click.option(
    "--names",
    type=click.Path(dir_okay=False, path_type=Path, resolve_path=True),
    help="Also who is who, in a file of its own: a bundle has no names.",
)
@click.option(
    "--opened", is_flag=True, help="Also what lies beside the logs about persons: it shows more than the logs do."
)
@click.option("--file", "as_file", is_flag=True, help="Print its tournament file instead.")
@click.option(
    "--stage", help="With which that file ends, also before its first round.  [default: the last that has begun]"
)
def export(
    data: Path,
    tournament: str,
    output: Path | None,
    names: Path | None,
    stage: str | None,
    *,
    opened: bool,
    as_file: bool,
) -> None:
    """Write what proves TOURNAMENT, which runs on this platform, into one file: `roundlog verify` checks it.

    With --file print its tournament file: `roundlog rank` and `pair` repeat from it what was done. That has the key of the lots of
    the pairings in it, from which follows who will meet in rounds to come: show it to nobody before the tournament is over.

    A bundle can be had as soon as the tournament is announced, and proves what is signed so far: what was decided last is waited
    for, and any other act, such as an entry or a report, is signed within a minute. --names and --file can be had once it has
    started.

    The exit code is 2 when there is no such tournament, or it has not started and --names or --file asks for more.
    """
    from deploy.bundles.export import exported
    from deploy.local.folder import Folder
    from deploy.tournament_file import tournament_file

    folder = Folder(path=data)
    if as_file:
        with plain_errors():
            found = tournament_file(folder, tournament, stage)
        click.echo(found.content)
        raise SystemExit(found.exit_status)
    written = output or Path.cwd() / f"{tournament}.zip"

    def say(what: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{what}", err=True, nl=False)

    if names == written:
        raise click.UsageError("--names has to be another file than --output: a bundle has no names.")
    with plain_errors():
        exported(folder, tournament, written, say, names=names, is_opened=opened)
    if sys.stderr.isatty():
        click.echo("", err=True)
    click.echo(written)


@click.command()
@data_option
@click.argument("tournament")
@click.option("--about", metavar="ID", help="Only what this account did, or names this entrant, person, game or stage.")
@click.option("--kind", help="Only such: game, round, captain …, correction, override, repair, or marked.")
@click.option("--round", "number", type=int, help="Only of this round.")
@click.option("--since", type=click.DateTime(TIMES), help="Only from then on, in UTC.")
@click.option("--until", type=click.DateTime(TIMES), help="Only up to then, in UTC.")
def story(
    data: Path,
    tournament: str,
    since: datetime | None,
    until: datetime | None,
    number: int | None,
    **names: str | None,
) -> None:
    """Print what happened to TOURNAMENT: who did what, in which office, when, why, and what was so before.

    TOURNAMENT runs on this platform, or is a bundle that `roundlog export` has written: that has neither names nor words.

    The exit code is 2 when there is no such tournament.
    """
    import msgspec

    from deploy.local.folder import Folder
    from deploy.story import story_in, story_of, written
    from shared.story import StoryFilter

    times = {name: at and at.replace(tzinfo=UTC) for name, at in (("since", since), ("until", until))}
    wanted = msgspec.convert({**names, **times, "round": number}, StoryFilter)
    path = Path(tournament)
    with plain_errors():
        for line in story_in(path, wanted) if path.exists() else story_of(Folder(path=data), tournament, wanted):
            for text in written(line):
                click.echo(text)
