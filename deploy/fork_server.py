"""A process that has loaded the code of all services, and forks each that it is asked for, within a moment.

It is asked over a socket, by three descriptors: a log, a listening socket, and a pipe. What the service is told, only the
fork reads from the pipe, so that none ever has in its memory what another was told.

A fork is not its child for long: it is forked twice, and the process between ends at once. Whoever asks takes such orphans
in, becomes the parent of the service by that, and hears of its end whatever happens to this process.
"""

import argparse
import gc
import os
import signal
import socket
import time
from importlib import import_module
from pathlib import Path

import msgspec

from deploy import SERVICES
from deploy.local import child
from deploy.serve import keep_what_was_inherited, listening, prepare_imports, serve, show_as
from shared.values import Value

ASKED = b"?"
PID_SIZE = 8


class Instructions(Value):
    service: str
    environment: dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m deploy.fork_server")
    parser.add_argument("--orders", type=int, required=True, help="number of the inherited socket")
    orders = socket.socket(fileno=parser.parse_args().orders)
    show_as("rl-fork-server")
    keep_what_was_inherited()
    prepare_imports()
    import_module("deploy.web_server")
    for service in SERVICES:
        import_module(f"services.{service}.app")
    gc.freeze()
    parent = os.getppid()
    while given := socket.recv_fds(orders, len(ASKED), 3)[1]:
        if is_fork():
            return become_service(orders, *given, parent=parent)
        for descriptor in given:
            os.close(descriptor)
    return None


def is_fork() -> bool:
    """True in the fork, once it is an orphan."""
    server = os.getpid()
    if between := os.fork():
        os.waitpid(between, 0)
        return False
    between = os.getpid()
    if os.fork():
        os._exit(0)
    while os.getppid() in {server, between}:
        time.sleep(0.001)
    return True


def become_service(orders: socket.socket, log: int, listened: int, pipe: int, *, parent: int) -> None:
    """As if it had been started by itself: in a session of its own, with nothing but what is its own."""
    os.setsid()
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    orders.send(os.getpid().to_bytes(PID_SIZE))
    orders.close()
    keep_what_was_inherited()  # what came over a socket would go on to processes that it starts
    with Path(f"/dev/fd/{pipe}").open("rb") as reading:
        os.close(pipe)
        said = reading.read()
    child.die_with_parent(signal.SIGKILL)
    if not said or os.getppid() != parent:
        raise SystemExit(child.PARENT_GONE)
    told = msgspec.json.decode(said, type=Instructions)
    show_as(f"rl-{told.service}")
    os.environ.clear()
    os.environ.update(told.environment)
    serve(told.service, listening(None, listened))


if __name__ == "__main__":
    main()
