"""What somebody can be to a federation, a tournament or an entrant."""

from enum import StrEnum


class Role(StrEnum):
    DIRECTOR = "director"  # is responsible, and appoints the others
    ARBITER = "arbiter"  # decides about games
    SCORER = "scorer"  # writes results down
    CAPTAIN = "captain"  # opens nothing: who speaks for one entrant has a token that names it
    COUNCIL = "council"  # the federation's own body
    COORDINATOR = "coordinator"  # prepares tournaments and their fields
    AUDITOR = "auditor"  # reads everything, changes nothing


OFFICES = tuple(role for role in Role if role is not Role.CAPTAIN)  # whoever holds one may look into everything there
