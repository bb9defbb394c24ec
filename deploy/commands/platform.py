"""Commands that start and stop the platform, and look at it."""

import os
from pathlib import Path

import click

from deploy import SERVICES
from deploy.commands.folder import data_option, plain_errors
from deploy.demo.cast import RULESET
from deploy.environment import passed_over, read_by_nothing


@click.command()
@data_option
@click.option(
    "--base-port",
    type=click.IntRange(1, 65529),
    envvar="ROUNDLOG_BASE_PORT",
    show_envvar=True,
    help="Everything is at this port; the services alone on +1 to +4, PostgreSQL on +5, NATS on +6.  [default: 8000, or the next free]",
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
    """Start PostgreSQL, NATS, the four services and a proxy that makes them one origin, and keep them running until Ctrl-C.

    With ROUNDLOG_DATABASE_URL (as administrator) or ROUNDLOG_NATS_URL set, those running servers are used instead.
    """
    parent = os.getppid()
    from deploy.local.options import Options

    if demo is not None:
        require_ruleset(demo)
    if not in_background:  # whoever started it has said it
        for without_effect in (*read_by_nothing(os.environ), *passed_over(os.environ)):
            click.echo(without_effect, err=True)
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
            from deploy.local.control import detach as start_in_background

            start_in_background(options)
        else:
            from deploy.local.launcher import launch

            launch(options, parent)


@click.command()
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


@click.command()
@data_option
@click.option(
    "--url", "urls", multiple=True, help="Of a service somewhere else, once for each; instead of the data folder."
)
@click.option(
    "--backups",
    type=click.Path(path_type=Path, resolve_path=True),
    help="The folder that `roundlog backup` keeps; looks how old the last base backup is.",
)
@click.option(
    "--base-port",
    type=click.IntRange(1, 65529),
    envvar="ROUNDLOG_BASE_PORT",
    show_envvar=True,
    help="Where a start would listen.  [default: 8000]",
)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def doctor(data: Path, urls: tuple[str, ...], backups: Path | None, base_port: int | None, *, as_json: bool) -> None:
    """Look at a running platform and say what is wrong, and what to do. It changes nothing.

    Where nothing runs, it says what a start would meet. The exit code is 0 when nothing is wrong, 3 when nothing runs,
    1 otherwise.
    """
    from deploy.local.doctor import show
    from deploy.local.folder import Folder

    with plain_errors():
        raise SystemExit(show(Folder(path=data), urls, backups, base_port, as_json=as_json))


@click.command()
@data_option
def down(data: Path) -> None:
    """Stop everything that runs on the data folder, further copies included."""
    from deploy.local.control import stop
    from deploy.local.folder import Folder

    with plain_errors():
        stop(Folder(path=data), click.echo)


@click.command()
@data_option
@click.argument("service", type=click.Choice(SERVICES))
@click.option("--port", type=click.IntRange(1, 65535), required=True, help="Where it listens.")
def copy(data: Path, service: str, port: int) -> None:
    """Run another copy of SERVICE beside the platform that runs on the data folder, until Ctrl-C.

    The proxy sends callers there when it is named to `roundlog up`, for instance by
    ROUNDLOG_RESULTS="127.0.0.1:8003 127.0.0.1:8103".
    """
    from deploy.local.copies import run
    from deploy.local.folder import Folder

    with plain_errors():
        run(Folder(path=data), service, port)


@click.command()
@data_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def reset(data: Path, *, yes: bool) -> None:
    """Delete the data folder with everything in it."""
    from deploy.local.control import delete, require_deletable
    from deploy.local.folder import Folder

    folder = Folder(path=data)
    with plain_errors():
        require_deletable(folder)
        if not yes:
            click.confirm(f"Delete {data} with all tournaments in it?", abort=True)
        delete(folder)
    click.echo(f"{data} is deleted.")


@click.command()
@data_option
@click.argument("subject")
@click.option(
    "--hours", type=click.FloatRange(0, 87600, min_open=True), default=12.0, show_default=True, help="Good for."
)
@click.option("--link", "as_link", is_flag=True, help="As the link that opens the desk with it, while Roundlog runs.")
def token(data: Path, subject: str, *, hours: float, as_link: bool) -> None:
    """Print a token that says who SUBJECT is to the services of this data folder."""
    from deploy.tokens import link, signed

    with plain_errors():
        made = signed(data / "keys", subject, hours=hours)
        click.echo(link(origin_of(data), made) if as_link else made)


def origin_of(data: Path) -> str:
    from deploy.local import state
    from deploy.local.errors import CannotRun
    from deploy.local.folder import Folder

    running = state.read(Folder(path=data).state)
    if running is None or running.base_port is None:
        raise CannotRun(f"Nothing runs on {data}, so there is no address for a link: start it with `roundlog up`.")
    return state.origin(running.base_port)


def require_ruleset(ruleset_id: str) -> None:
    from shared.rulesets import catalogue

    try:
        catalogue.load(ruleset_id)
    except catalogue.RulesetUnknown as unknown:
        raise click.BadParameter(str(unknown), param_hint="--demo") from None
