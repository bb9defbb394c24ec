"""Commands about backups of a local run."""

from datetime import UTC, datetime
from pathlib import Path

import click

from deploy.commands.folder import data_option, plain_errors

backups_argument = click.argument("backups", type=click.Path(path_type=Path, resolve_path=True, file_okay=False))


@click.command()
@data_option
@backups_argument
def backup(data: Path, backups: Path) -> None:
    """Keep backups of all databases in the folder BACKUPS, until Ctrl-C.

    A base backup a day, of which seven are kept, and what is written in between, as it is written: `restore` brings
    back any second since the oldest. BACKUP_EVERY (seconds) and BACKUPS_KEPT in the environment change that.
    """
    from deploy.local.backups import keep
    from deploy.local.folder import Folder

    with plain_errors():
        keep(Folder(path=data), backups)


@click.command()
@data_option
@backups_argument
@click.option(
    "--at", "moment", type=click.DateTime(["%Y-%m-%dT%H:%M:%SZ"]), help="In UTC; without it, the last second."
)
@click.option("--note", required=True, help="Why, in words. They lie beside the logs and can be erased.")
def restore(data: Path, backups: Path, moment: datetime | None, note: str) -> None:
    """Bring back all databases as they were at a moment, from the folder BACKUPS.

    What is there now is moved aside. The logs go on as other logs, say so, and their services go on hearing one
    another: all are of the same moment.
    """
    from deploy.local.backups import restore
    from deploy.local.folder import Folder

    with plain_errors():
        restore(Folder(path=data), backups, moment and moment.replace(tzinfo=UTC), note=note, say=click.echo)
