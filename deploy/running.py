"""Whether something runs on a folder, and behind which ports."""

from deploy.local import state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder


def base_port_of(folder: Folder) -> int:
    running = state.read(folder.state)
    if running is None or running.base_port is None or state.find(running.launcher) is None:
        raise CannotRun(f"Nothing runs on {folder.path}: start it with `roundlog up`.")
    return running.base_port
