"""One service as a process, on a port or on a listening socket that it inherits.

`python -m deploy.serve registration --port 8000`, or `--fd 5`. An inherited socket outlives the process, so callers of
a service that restarts wait in its queue instead of being refused.
"""

import argparse
import gc
import os
import socket
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from deploy import SERVICES
from shared.garbage import collect_seldom

DRAIN_SECONDS = 10
TURN = 0.0005  # seconds that a thread goes on computing while another one waits: who waits are those who answer callers
DEAD_AFTER = 60_000  # milliseconds in which the other side must have acknowledged what was sent


def show_as(name: str) -> None:
    """The name in `ps -e` and `top`, which is otherwise `python` for all of them."""
    if sys.platform == "linux":
        Path("/proc/self/comm").write_text(name, encoding="ascii")


def listening(port: int | None, descriptor: int | None) -> socket.socket:
    found = socket.socket(fileno=descriptor) if port is None else socket.create_server(("0.0.0.0", port))
    if sys.platform == "linux":  # what is accepted from it inherits this
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)
    return found


def keep_what_was_inherited() -> None:
    """The socket and the lock of the data folder are for the service alone: processes that it starts get neither."""
    for descriptor in [int(path.name) for path in Path("/dev/fd").iterdir()]:
        with suppress(OSError):  # by now that of the listing itself is closed
            os.set_inheritable(descriptor, descriptor <= sys.stderr.fileno())


def build_models_when_they_read() -> None:
    """Most forms of a service are not used for hours. Each is made ready when something is first read by it."""
    from pydantic import BaseModel  # noqa: PLC0415 - the launcher imports the names above, and reads nothing by models
    from pydantic.warnings import UnsupportedFieldAttributeWarning  # noqa: PLC0415 - as above

    BaseModel.model_config["defer_build"] = True  # from which all others have it, also those of FastAPI
    # FastAPI names each body by an alias, which has no effect in either order; only in this one pydantic says so.
    warnings.filterwarnings("ignore", category=UnsupportedFieldAttributeWarning)


def prepare_imports() -> None:
    """Before any code of a service is imported: all of it stays, so that looking through it for garbage, again and again,
    would find nothing."""
    gc.disable()
    build_models_when_they_read()


def serve(service: str, listening: socket.socket) -> None:
    """Returns when it was asked to stop and has done so."""
    from deploy.web_server import serving  # noqa: PLC0415 - the launcher imports the names above, and needs no web server

    app = import_module(f"services.{service}.app").create_app()
    server = serving(app, drain_seconds=DRAIN_SECONDS)
    sys.setswitchinterval(TURN)
    collect_seldom()
    with suppress(KeyboardInterrupt):  # the server has stopped in order, and only then says why
        server.run(sockets=[listening])
    if not server.started:
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m deploy.serve")
    parser.add_argument("service", choices=SERVICES)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", type=int, help="port on which to listen, at every address")
    where.add_argument("--fd", type=int, help="number of the inherited listening socket")
    wanted = parser.parse_args()
    show_as(f"rl-{wanted.service}")
    keep_what_was_inherited()
    prepare_imports()
    serve(wanted.service, listening(wanted.port, wanted.fd))


if __name__ == "__main__":
    main()
