"""One service as a process, on a listening socket that it inherits: `python -m deploy.serve registration --fd 5`.

The socket outlives the process, so callers of a service that restarts wait in its queue instead of being refused.
"""

import argparse
import socket
import sys
from importlib import import_module
from pathlib import Path

from deploy import SERVICES

DRAIN_SECONDS = 10


def show_as(name: str) -> None:
    """The name in `ps -e` and `top`, which is otherwise `python` for all of them."""
    if sys.platform == "linux":
        Path("/proc/self/comm").write_text(name, encoding="ascii")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m deploy.serve")
    parser.add_argument("service", choices=SERVICES)
    parser.add_argument("--fd", type=int, required=True, help="number of the inherited listening socket")
    wanted = parser.parse_args()
    show_as(f"rl-{wanted.service}")
    import uvicorn  # noqa: PLC0415 - the launcher imports the names above, and has no use for a web server

    configuration = uvicorn.Config(
        import_module(f"services.{wanted.service}.app").create_app,
        factory=True,
        loop="uvloop",
        http="httptools",
        access_log=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    server = uvicorn.Server(configuration)
    server.run(sockets=[socket.socket(fileno=wanted.fd)])
    if not server.started:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
