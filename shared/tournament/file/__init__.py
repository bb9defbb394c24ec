"""The tournament file, `roundlog.tournament/1`: the facts of a tournament, or everything that is wrong with it."""

from shared.tournament.file.reading import FileContent, read

__all__ = ["Reading", "read"]
