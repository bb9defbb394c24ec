"""Another copy of a service, beside the one that `roundlog up` keeps."""

import os
import sys
from typing import NoReturn

from deploy.local import ports, state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.instance import own_keys, told
from deploy.local.operations import find_addresses
from deploy.local.options import ROOT
from deploy.local.ports import PortTaken
from deploy.local.state import Copy


def run(folder: Folder, service: str, port: int) -> NoReturn:
    """In the place of this process. It listens only here, like the first one, which it outlives."""
    found = find_addresses(folder)
    environment = told(found.databases[service], found.nats[service], own_keys(folder.path, service, found.base_port))
    try:
        listening = ports.listen(port)
    except PortTaken as taken:
        raise CannotRun(f"Port {port} is in use by {taken.held_by}: end that, or choose another one.") from taken
    listening.set_inheritable(True)
    state.add_copy(folder.copies, Copy(service=service, port=port, process=state.myself(service)))
    os.chdir(ROOT)  # found first by `python -m`
    command = [sys.executable, "-m", "deploy.serve", service, f"--fd={listening.fileno()}"]
    os.execve(command[0], command, environment)  # noqa: S606 - our own command
