"""Commands about what proves the logs: their keys, and what a restored log is called."""

from pathlib import Path

import click

from deploy import SERVICES
from deploy.commands.folder import data_option, plain_errors
from deploy.commands.operations import service_argument


@click.command("keys")
@data_option
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option(
    "--policy", is_flag=True, help="As a policy for `roundlog verify --trust`, which asks for no witness yet."
)
def show_keys(data: Path, *, as_json: bool, policy: bool) -> None:
    """Show the public keys that sign the logs, one a line, for verifiers and witnesses."""
    import msgspec

    from deploy.signing import vkeys

    with plain_errors():
        found = vkeys(data)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return
    for vkey in (vkey for service in SERVICES for vkey in found[service]):
        click.echo(f"log {vkey}" if policy else vkey)
    if policy:
        click.echo("quorum none")


@click.command("rotate-key")
@data_option
@service_argument
@click.option("--at-once", is_flag=True, help="The old key signs no more, as after it has leaked.")
def rotate_key(data: Path, service: str, *, at_once: bool) -> None:
    """Let a new key sign the log of SERVICE, and the old one beside it for 30 days.

    The log names both acts. Tell verifiers and witnesses the key that is printed.
    """
    from deploy.signing import rotate

    with plain_errors():
        click.echo(rotate(data, service, at_once=at_once))


@click.command()
@data_option
@service_argument
@click.option("--note", required=True, help="Why, in words. They lie beside the log and can be erased.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def restored(data: Path, service: str, note: str, *, yes: bool) -> None:
    """Say that the log of SERVICE was brought back from a backup: it goes on as another log.

    Shows first what of it is there. It signs again as soon as it has written down what of the former log it has. Its
    neighbours have to `accept` it.
    """
    from deploy.local import operations
    from deploy.local.folder import Folder

    folder = Folder(path=data)
    with plain_errors():
        found = operations.examine_log(folder, service)
        operations.show_log(found, click.echo)
        if not yes:
            click.confirm(f"Let the log of {service} go on as another one?", abort=True)
        click.echo(operations.rename_log(folder, found, note=note))


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, resolve_path=True))
@click.option("--name", help="How the witness is called, such as club.example/witness; for the first start.")
@click.option("--log", "logs", multiple=True, metavar="KEY", help="A log to sign for, as `roundlog keys` prints it.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(1, 65535), default=8090, show_default=True)
def witness(folder: Path, name: str | None, logs: tuple[str, ...], host: str, port: int) -> None:
    """Run a witness in FOLDER: it signs that a log continues what it has signed of it before, and nothing else.

    Prints its own key, for those who trust it and for the services that are to ask it. It needs nothing of a platform.
    """
    from deploy.witness import WitnessFolder, run

    with plain_errors():
        kept = WitnessFolder(folder)
        signer = kept.open_up(name, logs)
        click.echo(f"witness {signer.key.name} {signer.key.vkey} http://{host}:{port}")
        run(kept, signer, host=host, port=port)
