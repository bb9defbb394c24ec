"""Another copy of a service, beside the one that `roundlog up` keeps."""

import os
import sys
from typing import NoReturn

from deploy.local import ports
from deploy.local.folder import Folder
from deploy.local.instance import own_keys, told
from deploy.local.operations import find_addresses
from deploy.local.options import ROOT


def run(folder: Folder, service: str, port: int) -> NoReturn:
    """In the place of this process. It listens only here, like the first one, which it outlives."""
    found = find_addresses(folder)
    environment = told(found.databases[service], found.nats[service], own_keys(folder.path, service, found.base_port))
    listening = ports.listen(port)
    listening.set_inheritable(True)
    os.chdir(ROOT)  # found first by `python -m`
    command = [sys.executable, "-m", "deploy.serve", service, f"--fd={listening.fileno()}"]
    os.execve(command[0], command, environment)  # noqa: S606 - our own command
