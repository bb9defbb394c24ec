"""Looking for traces of somebody: in every row of a database, whatever its tables are, and in every byte of a folder."""

from pathlib import Path

from deploy.databases import connection

TABLES = """
  select format('%I.%I', table_schema, table_name) as name from information_schema.tables
  where table_schema in ('names', 'personal', 'beside', 'views', 'log', 'inbox')
"""


async def rows_with(database: str, *words: str) -> list[str]:
    """As text, and as the bytes that columns of events and answers have."""
    forms = {form for word in words for form in (word, word.encode().hex())}
    async with connection(database) as reader:
        tables = [row["name"] for row in await reader.fetch(TABLES)]
        found = [(name, await reader.fetch(f"select t::text as row from {name} t")) for name in tables]
    return [
        f"{name}: {row['row']}" for name, rows in found for row in rows if any(form in row["row"] for form in forms)
    ]


def files_with(folder: Path, *words: str) -> list[str]:
    """Read at once, however large: tests have small folders. What goes away meanwhile is not there."""
    found: list[str] = []
    for file in sorted(folder.rglob("*")):
        try:
            content = file.read_bytes() if file.is_file() else b""
        except FileNotFoundError:
            continue
        found += [f"{file.relative_to(folder)}: {word}" for word in words if word.encode() in content]
    return found
