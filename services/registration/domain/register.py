"""The register of a federation: the files by which persons came into it. One stream a federation.

A file says who is new by what it says of them, which stands beside the log. So each is held against everybody who is
known, and is appended only over the version that it was held against: of two files at once the second one is read anew,
and finds those whom the first has made known (`docs/adr/0018-…`).
"""

from shared.commands.decider import Decider
from shared.values import Value


class ImportPersons(Value):
    federation: str
    persons: tuple[str, ...]  # who is new


class PersonsImported(Value):
    federation: str
    persons: tuple[str, ...]


class Register(Value):
    """How often is what its version says; nothing else is to be known."""


def decide(_: Register, command: ImportPersons) -> list[PersonsImported]:
    return [PersonsImported(federation=command.federation, persons=command.persons)] if command.persons else []


def evolve(state: Register, _: PersonsImported) -> Register:
    return state


REGISTER: Decider[Register, ImportPersons, PersonsImported] = Decider(
    kind="register", initial=Register(), decide=decide, evolve=evolve, events=(PersonsImported,)
)
