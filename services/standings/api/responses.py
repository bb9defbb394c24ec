"""Answers with an `ETag`: the inputs that they rest on, and the names that they show, which change by themselves."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from fastapi import Response

from shared.csv_lines import as_csv
from shared.http.printed import PAGE, with_root
from shared.http.responses import ETAG, JSON, Documented
from shared.values import Value


def or_content(documented: Documented, other: Mapping[str, Any]) -> Documented:
    """The same answers, which may also be of these types."""
    return {code: described | {"content": described["content"] | other} for code, described in documented.items()}


TABLE_AS_CSV = as_csv("place,entrant,name,points\r\n1,019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833,Zuzana Kováčová,5.5\r\n")
TABLE_ON_PAPER = or_content(
    as_csv(
        "place,entrant,name,home,Points\r\n"
        "1,019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833,Zuzana Kováčová,Klub pri Dunaji,5.5\r\n"
    ),
    PAGE,
)
REPORT = "text/plain"
REPORT_LINE = "001    1      Kováčová, Zuzana                  1942                             1.0    1     2 w 1\r\n"
CROSSTABLE_FILES = or_content(TABLE_ON_PAPER, {REPORT: {"schema": {"type": "string"}, "example": REPORT_LINE}})
AWARDS_AS_CSV = as_csv(
    "what,title,among,place,entrant,name,amount,currency,choice\r\n"
    "cash,,women,1,019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833,Zuzana Kováčová,500,PLN,taken\r\n"
)


def with_etag(documented: Documented) -> Documented:
    return {code: described | {"headers": ETAG} for code, described in documented.items()}


class Tagged(Value):
    """What is answered, and the inputs that it rests on."""

    inputs: str
    content: bytes
    names: str = ""  # those that it shows, in brief

    @property
    def etag(self) -> str:
        return f'"{self.inputs}-{self.names}"' if self.names else f'"{self.inputs}"'


def in_brief(names: Iterable[str | None]) -> str:
    """A hash of the names; nothing where none is shown."""
    told = [name or "" for name in names]
    return blake2b("\0".join(told).encode(), digest_size=4).hexdigest() if any(told) else ""


def respond(tagged: Tagged, media_type: str = JSON) -> Response:
    return Response(tagged.content, media_type=media_type, headers={"ETag": tagged.etag})


def respond_on_paper(tagged: Tagged, page: Response, root: str) -> Response:
    """A page has the tag of the table that it shows, and of the root below it."""
    content = with_root(bytes(page.body).decode(), root)
    tag = f'{tagged.etag[:-1]}-{in_brief([root])}"' if root else tagged.etag
    policy = {name: value for name, value in page.headers.items() if name == "content-security-policy"}
    return Response(content, media_type=page.headers["Content-Type"], headers={"ETag": tag, **policy})
