"""Where everything is, for people."""

from deploy import SERVICES
from deploy.local import ports
from deploy.local.folder import Folder
from deploy.local.ports import LOOPBACK
from deploy.local.state import State


def url(service: str, base: int) -> str:
    return f"http://{LOOPBACK}:{ports.of(service, base)}"


def span(base: int | None) -> str:
    return "starting" if base is None else f"{url(SERVICES[0], base)} to {ports.of(SERVICES[-1], base)}"


def places(running: State, folder: Folder, how_to_stop: str) -> str:
    base = running.base_port or 0
    return "\n".join(
        (
            "",
            f"Roundlog is ready. {how_to_stop}",
            "",
            *(f"  {name:13} {url(name, base):23} {url(name, base)}/docs" for name in SERVICES),
            f"  {'postgres':13} {server('postgres', running):23} passwords: {folder.secrets}",
            f"  {'nats':13} {server('nats', running)}",
            f"  {'data':13} {folder.path}",
            f"  {'logs':13} {folder.path / 'logs'}",
            "",
        )
    ).replace("  \n", "\n")


def place(name: str, running: State) -> str:
    if name in SERVICES:
        return url(name, running.base_port or 0)
    return running.elsewhere.get(name) or f"{LOOPBACK}:{ports.of(name, running.base_port or 0)}"


def server(name: str, running: State) -> str:
    return place(name, running) + (" (not started here)" if name in running.elsewhere else "")
