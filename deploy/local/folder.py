"""The data folder: everything that a local run keeps, in one place."""

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from deploy import SERVICES
from deploy.local.errors import CannotRun
from shared import files
from shared.values import UNREADABLE, Value

FORMAT = 1
NEEDED_SPACE = 200 * 2**20
WITH_PASSWORD = ("postgres", *SERVICES, *(f"nats-{service}" for service in SERVICES))
OWNER_ONLY = 0o700
OF_A_FIRST_START = {"lock", "launcher.lock", "state.json", "state.json.new", "format.new"}


class Folder(Value):
    path: Path

    @property
    def format(self) -> Path:
        return self.path / "format"

    @property
    def lock(self) -> Path:
        return self.path / "lock"

    @property
    def launcher(self) -> Path:
        """The launcher's own lock, which no server inherits."""
        return self.path / "launcher.lock"

    @property
    def state(self) -> Path:
        return self.path / "state.json"

    @property
    def secrets(self) -> Path:
        return self.path / "secrets.json"

    @property
    def copies(self) -> Path:
        """What further copies of services run, a file for each."""
        return self.path / "copies"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"


def prepare(folder: Folder) -> bool:
    """Make the folder, unless something else is there; says whether it was made now. What is inside is left alone until
    the lock is held."""
    path = folder.path
    try:
        is_made_now = not path.exists()
        require_own(folder)
        path.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
        path.chmod(OWNER_ONLY)
        folder.lock.touch(mode=0o600)
    except OSError as refused:
        raise CannotRun(
            f"{path} is not writable ({refused.strerror}): change its rights, or choose another with --data."
        ) from refused
    return is_made_now


def require_own(folder: Folder) -> None:
    """Nothing is there yet, or a data folder of this user."""
    path = folder.path
    if not path.exists():
        return
    if not path.is_dir():
        raise CannotRun(f"{path} is not a folder: choose another with --data.")
    if (owner := path.stat().st_uid) != os.geteuid():
        raise CannotRun(f"{path} belongs to user {owner}: run as that user, or choose another folder with --data.")
    if not is_ours(folder) and not is_new(folder):
        raise CannotRun(f"{path} holds something else than Roundlog's data: choose another folder with --data.")


def remove(folder: Folder) -> None:
    """Renamed first, so that an interrupted deletion leaves no half of a data folder under its name."""
    removed = folder.path.with_name(f"{folder.path.name}.deleted-{os.getpid()}")
    folder.path.rename(removed)
    shutil.rmtree(removed)


def open_up(folder: Folder) -> dict[str, str]:
    """With the lock held: check that this version may use it, and answer the passwords."""
    if is_ours(folder):
        require_format(folder)
    free = shutil.disk_usage(folder.path).free
    if free < NEEDED_SPACE:
        raise CannotRun(
            f"Only {free // 2**20} MB are free where {folder.path} is, {NEEDED_SPACE // 2**20} MB are needed: "
            "free some space, or choose another folder with --data."
        )
    if not is_ours(folder):
        files.write(folder.format, f"{FORMAT}\n")
    known = require_passwords(folder)
    missing = {name: secrets.token_urlsafe(24) for name in WITH_PASSWORD if name not in known}
    if missing:
        files.write(folder.secrets, msgspec.json.format(msgspec.json.encode(known | missing)).decode() + "\n")
    return known | missing


def is_ours(folder: Folder) -> bool:
    return folder.format.is_file()


def is_new(folder: Folder) -> bool:
    """Nothing is there but what an interrupted first start leaves."""
    return {entry.name for entry in folder.path.iterdir()} <= OF_A_FIRST_START


def require_format(folder: Folder) -> None:
    found = folder.format.read_text(encoding="utf-8").strip()
    if found != str(FORMAT):
        raise CannotRun(
            f"{folder.path} was written by another version of Roundlog (format {found or 'unknown'}, this one reads "
            f"{FORMAT}): run that version, or choose another folder with --data."
        )


def require_kept_together(folder: Folder) -> None:
    """Databases and what signs their logs: the one without the other would begin another history, of which nothing is proved."""
    has_databases, signing = (folder.path / "postgres").exists(), folder.path / "signing"
    if not has_databases and any(signing.glob("*/signed")):
        raise CannotRun(
            f"{folder.path} has what signs the logs, and no databases: bring them back with `roundlog restore BACKUPS --note …`, "
            "or start anew in another folder with --data."
        )
    if has_databases and not signing.exists():
        raise CannotRun(
            f"{signing} is missing, and the databases are there: bring it back, since it signs their logs. Where it is lost for good, "
            "make an empty folder there: the logs go on under another name, and what was signed before proves nothing of them."
        )


def passwords(folder: Folder) -> dict[str, str]:
    path = folder.secrets
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except UNREADABLE as damaged:
        raise CannotRun(f"{path} is damaged ({damaged}): restore it, the databases do not open without.") from damaged


def of_broker(passwords: Mapping[str, str]) -> dict[str, str]:
    """Those that the services have at the broker."""
    return {service: passwords.get(f"nats-{service}", "") for service in SERVICES}


def require_passwords(folder: Folder) -> dict[str, str]:
    """They are made before the first database, so a missing file beside a database was taken away."""
    known = passwords(folder)
    if "postgres" not in known and (folder.path / "postgres").exists():
        raise CannotRun(f"{folder.secrets} is missing: restore it, the databases do not open without.")
    return known
