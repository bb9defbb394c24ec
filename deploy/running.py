"""What runs on a folder, and behind which ports."""

from deploy.local import state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.state import RunState


class NothingRuns(CannotRun):
    """No launcher is there that could be asked for anything."""


def running(folder: Folder) -> tuple[RunState, int]:
    """With its first port."""
    found = state.read(folder.state)
    if found is None or found.base_port is None or state.find(found.launcher) is None:
        raise NothingRuns(f"Nothing runs on {folder.path}: start it with `roundlog up`.")
    return found, found.base_port
