"""The field for spreadsheets, as everybody may see it. `exportEntries` has what can be brought in again."""

from collections.abc import Sequence

from services.registration.api.entrants.bodies import Entrant
from shared.csv_lines import written

COLUMNS = ("number", "entrant", "name", "persons", "school", "rating", "lists", "status", "payment", "from_round")
BETWEEN = ", "
ENTRANT_FILE = f"{','.join(COLUMNS)}\r\n1,019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833,,Zuzana Kováčová,,1942,women,checked-in,confirmed,1\r\n"


def entrant_file(entrants: Sequence[Entrant]) -> bytes:
    return written(
        COLUMNS,
        (
            one.model_dump(include={*COLUMNS})
            | {
                "entrant": one.id,
                "persons": BETWEEN.join(person.name or "" for person in one.persons),
                "lists": " ".join(one.lists),
            }
            for one in entrants
        ),
    )
