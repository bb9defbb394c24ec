"""Tables on paper: a page that needs nothing else, for the wall, the desk or the files of an association."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import Query, Response

from shared.csv_lines import CSV, as_csv
from shared.http.parameters import Absent, etag
from shared.http.responses import READ, Documented, hash_of, page_policy
from shared.values import Value

HTML = "text/html"
PAGE = {HTML: {"schema": {"type": "string"}, "example": "<!doctype html>…"}}

type FileOrPage = Annotated[
    Literal["csv", "page"] | Absent,
    Query(alias="format", description="As a file for spreadsheets, or as a page to be printed.", examples=["csv"]),
]
STYLE = """
  body { font: 11pt/1.4 system-ui, sans-serif; margin: 1.5cm; }
  h1 { font-size: 15pt; margin: 0; } h2 { font-size: 12pt; margin: 1.2em 0 .3em; } p { margin: .2em 0 1em; }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-bottom: 1px solid #999; padding: .25em .5em; text-align: left; vertical-align: top; }
  th { border-bottom: 2px solid #000; } thead { display: table-header-group; } tr { break-inside: avoid; }
  td.number { text-align: right; white-space: nowrap; }
  @page { margin: 1cm; } @media print { body { margin: 0; } }
"""


def in_each_form(example: str) -> Documented:
    """How an answer is described that is JSON, a file such as the example, or a page."""
    ok = HTTPStatus.OK.value
    return READ | {ok: {**READ[ok], "content": as_csv(example)[ok]["content"] | PAGE}}


class PrintedTable(Value):
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]  # numbers stand at the right


def on_paper(
    as_format: Literal["csv", "page"], *, file: Callable[[], bytes], page: Callable[[], Response], version: int = 0
) -> Response:
    """The same as a file or as a page, which each have an ETag of their own."""
    response = page() if as_format == "page" else Response(file(), media_type=CSV)
    response.headers["ETag"] = etag(version, bytes(response.body))
    return response


def with_root(page: str, root: str) -> str:
    """With what the log has signed of itself below it: whoever takes it home can hold the log against it."""
    return page.replace("</body>", f"<footer><p>{escape(root)}</p></footer></body>") if root else page


def printed(title: str, below: str, tables: Iterable[PrintedTable]) -> Response:
    return page_of(title, below, "\n".join(in_html(table) for table in tables), STYLE)


def page_of(title: str, below: str, inside: str, style: str) -> Response:
    """What is inside is HTML already."""
    content = "\n".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            f"<title>{escape(title)}</title><style>{style}</style></head><body>",
            f"<h1>{escape(title)}</h1><p>{escape(below)}</p>",
            inside,
            "</body></html>",
        )
    )
    return Response(content, media_type=f"{HTML}; charset=utf-8", headers=page_policy(style=hash_of(style)))


def in_html(table: PrintedTable) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    rows = "\n".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in table.rows)
    title = f"<h2>{escape(table.title)}</h2>" if table.title else ""
    return f"{title}<table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>"


def cell(content: object) -> str:
    kind = ' class="number"' if isinstance(content, int | float) else ""
    return f"<td{kind}>{'' if content is None else escape(str(content))}</td>"
