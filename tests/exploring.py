"""How many examples a property is tried with.

A gate says the same of the same code twice, so its examples are the same each time, and a third of them keeps what was
found. `make explore` tries as many as a test asks for, and others each time.
"""

import os

from hypothesis import settings

settings.register_profile("gate", derandomize=True)
settings.register_profile("explore", print_blob=True)

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "gate")
SHARE, FEWEST = 3, 5  # at the gate


def tries(wanted: int) -> int:
    return wanted if PROFILE == "explore" else min(wanted, max(wanted // SHARE, FEWEST))
