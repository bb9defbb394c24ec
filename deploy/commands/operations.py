"""Commands of whoever operates the platform: what waits for them, and what is written or made anew."""

import os
from collections.abc import Callable
from pathlib import Path

import click

from deploy import SERVICES
from deploy.commands.folder import data_option, plain_errors
from deploy.counting import counted

service_argument = click.argument("service", type=click.Choice(SERVICES))


def in_letters(_: click.Context, __: click.Parameter, words: str | None) -> str | None:
    """What a terminal with another encoding has sent is kept as far as it can be read."""
    return words and words.encode(errors="replace").decode()


note_option = click.option(
    "--note", callback=in_letters, help="Words to it. They lie beside the log and can be erased."
)
scope_argument = click.argument("scope", callback=in_letters)
as_option = click.option("--as", "named", metavar="SUBJECT", help="Which operator you are, where there are several.")


def reason_option(*codes: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Why, as a code: it stands in the log for ever."""
    return click.option("--reason", required=True, type=click.Choice(codes), help="Why; it stands in the log.")


RETRIED = reason_option("mended", "has-passed", "other")
SKIPPED = reason_option("sent-by-mistake", "cannot-be-handled", "other")
ACCEPTED = reason_option("restored-from-backup", "other")


@click.command("parked")
@data_option
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def show_parked(data: Path, *, as_json: bool) -> None:
    """Show what waits for an operator, and why.

    These are tournaments whose next event could not be handled, and sources of which nothing more is received.
    """
    from deploy.local import operations
    from deploy.local.folder import Folder

    with plain_errors():
        operations.show_waiting(Folder(path=data), click.echo, as_json=as_json)


@click.command()
@data_option
@service_argument
@scope_argument
@RETRIED
@note_option
@as_option
def retry(data: Path, service: str, scope: str, reason: str, note: str | None, named: str | None) -> None:
    """Let a parked tournament try its next event again, for instance with a mended version."""
    from deploy.local import operations
    from deploy.local.folder import Folder
    from deploy.parked_messages import Said

    with plain_errors():
        said = Said(service=service, operator=operations.operator(named), reason=reason, note=note)
        click.echo(operations.decide(Folder(path=data), scope, said, act="retry"))


@click.command()
@data_option
@service_argument
@scope_argument
@SKIPPED
@note_option
@as_option
def skip(data: Path, service: str, scope: str, reason: str, note: str | None, named: str | None) -> None:
    """Let a parked tournament go on without the event that it cannot get past."""
    from deploy.local import operations
    from deploy.local.folder import Folder
    from deploy.parked_messages import Said

    with plain_errors():
        said = Said(service=service, operator=operations.operator(named), reason=reason, note=note)
        click.echo(operations.decide(Folder(path=data), scope, said, act="skip"))


@click.command()
@data_option
@service_argument
@click.argument("source", type=click.Choice(SERVICES))
@ACCEPTED
@note_option
@as_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def accept(
    data: Path, service: str, source: str, reason: str, note: str | None, named: str | None, *, yes: bool
) -> None:
    """Let SERVICE go on with SOURCE as it is now, after SOURCE was restored from a backup.

    Shows first what SERVICE has received and SOURCE has lost. What of it has taken effect stays as it is.
    """
    from deploy.local import operations
    from deploy.local.folder import Folder
    from deploy.parked_messages import Said

    folder = Folder(path=data)
    with plain_errors():
        said = Said(service=service, operator=operations.operator(named), reason=reason, note=note)
        found = operations.compare(folder, service, source)
        operations.show_difference(service, found, click.echo)
        if not yes:
            click.confirm(f"Let {service} go on with {source} as it is now?", abort=True)
        click.echo(operations.accept(folder, found, said))


@click.command()
@data_option
@service_argument
def republish(data: Path, service: str) -> None:
    """Fill the JetStream stream of a service anew from its log; nobody hears anything twice."""
    from deploy.local import operations
    from deploy.local.folder import Folder

    with plain_errors():
        sent = operations.republish(Folder(path=data), service)
    click.echo(f"The stream of {service} has {counted(sent, 'message')} again.")


@click.command()
@data_option
def scrub(data: Path) -> None:
    """Take the last bytes of erased persons from the data folder, while everything runs.

    Tables that can be erased are written anew, the stream of names is filled anew, and all files of PostgreSQL's
    write-ahead log that there are now are removed. Backups, archives and disks below them are yours to clean.
    """
    from deploy.local import operations
    from deploy.local.folder import Folder

    with plain_errors():
        operations.scrub(Folder(path=data), click.echo)
    click.echo("What was erased is gone from the data folder.")


@click.command()
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
    from deploy.local.folder import Folder
    from deploy.local.rebuild import rebuild as made_anew

    with plain_errors():
        is_same = made_anew(Folder(path=data), tournaments, processes=processes or os.cpu_count() or 1, say=click.echo)
    raise SystemExit(0 if is_same else 1)
