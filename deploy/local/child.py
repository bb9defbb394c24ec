"""Becomes a server that cannot outlive the launcher: run as `python -I -S child.py … -- command`, it execs the command.

It is a program of its own, and not a function called between fork and exec, because Python is not safe to run there.
"""

import argparse
import ctypes
import os
import select
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
NOT_PERMITTED = 77  # EX_NOPERM: the launcher tells it from an exit of the server itself
PARENT_GONE = 75


def enter_user_namespace(user: int) -> None:
    """Be an ordinary user to this process and root to nobody, keeping the rights on root's own files."""
    real_user, real_group = os.getuid(), os.getgid()
    try:
        os.unshare(os.CLONE_NEWUSER)
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{user} {real_user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{user} {real_group} 1", encoding="ascii")
    except (AttributeError, OSError) as refused:
        sys.stderr.write(f"a user namespace is not permitted here: {refused}\n")
        raise SystemExit(NOT_PERMITTED) from refused


def die_with_parent(death: signal.Signals) -> None:
    """Linux sends the signal. It forgets the wish when credentials change, so this comes after the namespace."""
    _wish(PR_SET_PDEATHSIG, int(death))


def take_in_orphans(*, wanted: bool) -> None:
    """Whether who is left behind by a process below this one becomes a child of this one."""
    _wish(PR_SET_CHILD_SUBREAPER, int(wanted))


def _wish(what: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(what, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def guard(lifeline: int, death: signal.Signals, held: list[int]) -> None:
    """Elsewhere a forked guardian waits for the end of a pipe that only the launcher holds open."""
    server = os.getpid()
    if os.fork() != 0:
        return
    for descriptor in held:
        os.close(descriptor)
    while os.getppid() == server:
        if select.select([lifeline], [], [], 1.0)[0]:
            os.kill(server, death)
            break
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--death-signal", required=True)
    parser.add_argument("--as-user", type=int)
    parser.add_argument("--lifeline", type=int)
    parser.add_argument("--held", type=int, action="append", default=[])
    parser.add_argument("command", nargs="+")
    wanted = parser.parse_args()
    death = signal.Signals[f"SIG{wanted.death_signal}"]
    for ignored in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_DFL)  # a shell's `&` or nohup must not make the server deaf
    if wanted.as_user is not None:
        enter_user_namespace(wanted.as_user)
    if wanted.lifeline is None:
        die_with_parent(death)
    else:
        guard(wanted.lifeline, death, wanted.held)
    if os.getppid() != wanted.parent:
        raise SystemExit(PARENT_GONE)
    os.execv(wanted.command[0], wanted.command)  # noqa: S606 - the launcher composed this command, no shell is wanted


if __name__ == "__main__":
    main()
