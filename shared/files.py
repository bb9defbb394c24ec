"""Files that are either the old ones or the new ones, whenever the machine stops."""

import os
from pathlib import Path


def write(path: Path, content: str | bytes) -> None:
    """Readable by the owner alone: some of what is written here is secret."""
    unfinished = path.with_name(path.name + ".new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    rename(unfinished, path)


def rename(unfinished: Path, path: Path) -> None:
    unfinished.rename(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
