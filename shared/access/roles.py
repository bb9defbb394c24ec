"""What somebody can be to a federation, a tournament or an entrant.

The regulations have words of their own: an organiser there is a director here, and a referee an arbiter.

A new role is one more `Role`. What it opens is said where each service says who may do what: in the `permissions.py` of its
`api`. Who appoints it stands in `api/officials` of registration, and how people call it in `clients/web/src/texts`.
"""

from enum import StrEnum


class Role(StrEnum):
    # Highest first: whoever holds several acts by the first of them.
    DIRECTOR = "director"  # is responsible, and appoints the others
    ARBITER = "arbiter"  # decides about games
    SCORER = "scorer"  # writes results down
    CAPTAIN = "captain"  # opens nothing: who speaks for one entrant has a token that names it
    COUNCIL = "council"  # the federation's own body
    COORDINATOR = "coordinator"  # prepares tournaments and their fields
    AUDITOR = "auditor"  # reads everything, changes nothing


HIGHEST_FIRST = tuple(Role)
OFFICES = tuple(role for role in Role if role is not Role.CAPTAIN)  # whoever holds one may look into everything there
