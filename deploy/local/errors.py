class CannotRun(Exception):
    """One clear sentence for the user, with what to do."""


class NoSuchTournament(CannotRun):
    """Nobody knows it, or it has not come as far as what was asked for."""


class DiedAtStart(CannotRun):
    """A server ended before it was ready; `log` is what it wrote since then."""

    def __init__(self, sentence: str, *, log: str) -> None:
        super().__init__(sentence)
        self.log = log
