"""What a process that lives long spends on looking for garbage."""

import gc

NEW_OBJECTS = 50_000  # so many more before they are looked through


def collect_seldom() -> None:
    """Called when all is imported: what is there at the start stays, and of what is made later hardly anything is left over
    in cycles."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 50)
    gc.enable()
