"""`roundlog reset`: delete a data folder, but never a folder that is something else or in use."""

import os
import shutil

from deploy.local import folder as folders
from deploy.local import lock
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder


def require_deletable(folder: Folder) -> None:
    if not folder.path.exists():
        raise CannotRun(f"There is nothing at {folder.path}.")
    if not folders.is_ours(folder):
        raise CannotRun(f"{folder.path} is not a data folder of Roundlog: it is left alone.")
    if not lock.is_free(folder):
        raise CannotRun(f"{folder.path} is in use: stop it first with `roundlog down`.")


def delete(folder: Folder) -> None:
    """Renamed first, so that an interrupted deletion leaves no half of a data folder under its name."""
    require_deletable(folder)
    if lock.attempt(folder.launcher) is None or lock.attempt(folder.lock) is None:
        raise CannotRun(f"{folder.path} is in use: stop it first with `roundlog down`.")
    deleted = folder.path.with_name(f"{folder.path.name}.deleted-{os.getpid()}")
    try:
        folder.path.rename(deleted)
        shutil.rmtree(deleted)
    except OSError as refused:
        raise CannotRun(f"{folder.path} cannot be deleted: {refused}.") from refused
