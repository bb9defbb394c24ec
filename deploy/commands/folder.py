"""What commands on a data folder share."""

import errno
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)

DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / ".roundlog"

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, resolve_path=True),
    envvar="ROUNDLOG_DATA",
    default=DEFAULT_FOLDER,
    show_default=True,
    show_envvar=True,
    help="The folder that keeps everything of a local run.",
)


class NotToBeHad(click.ClickException):
    """What was asked for is not there: a script can tell that from a platform that does not run."""

    exit_code = 2


@contextmanager
def plain_errors() -> Generator[None]:
    from deploy.local.errors import CannotRun, NoSuchTournament

    try:
        yield
    except NoSuchTournament as sentence:
        raise NotToBeHad(str(sentence)) from sentence
    except CannotRun as sentence:
        raise click.ClickException(str(sentence)) from sentence
    except PermissionError as refused:
        if refused.filename is None:
            raise
        sentence = f"{refused.filename} is closed to you: run this as the user whom the folder belongs to."
        raise click.ClickException(sentence) from refused
    except OSError as refused:
        if refused.errno not in UNWRITABLE:
            raise
        raise click.ClickException(
            f"Something could not be written ({refused.strerror}): see that there is room, and run this again."
        ) from refused
