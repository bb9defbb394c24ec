"""The awards as a sheet, for who hands them over."""

from services.standings.api.awards.bodies import Awards
from shared.csv_lines import written

COLUMNS = ("what", "title", "among", "place", "entrant", "name", "amount", "currency", "choice")


def awards_file(found: Awards) -> bytes:
    return written(COLUMNS, (one.model_dump(include=set(COLUMNS)) for one in found.awards))
