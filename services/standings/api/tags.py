"""What an answer rests on, as its `ETag`: the inputs, and the names that it shows, which change by themselves."""

from collections.abc import Iterable
from hashlib import blake2b
from http import HTTPStatus

from fastapi import Response

from shared.http.responses import JSON
from shared.values import Value

NOT_MODIFIED = {304: {"description": "There is no other answer than the one that you have."}}


class Shown(Value):
    """What is answered, and the inputs that it rests on."""

    inputs: str
    content: bytes
    names: str = ""  # those that it shows, in brief

    @property
    def tag(self) -> str:
        return f'"{self.inputs}-{self.names}"' if self.names else f'"{self.inputs}"'


def in_brief(names: Iterable[str | None]) -> str:
    """Nothing where none is shown."""
    told = [name or "" for name in names]
    return blake2b("\0".join(told).encode(), digest_size=4).hexdigest() if any(told) else ""


def answer(shown: Shown, if_none_match: str | None, media_type: str = JSON) -> Response:
    headers = {"ETag": shown.tag}
    if if_none_match is not None and has(if_none_match, shown.tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(shown.content, media_type=media_type, headers=headers)


def has(if_none_match: str, tag: str) -> bool:
    """A proxy may have made a weak tag of ours."""
    tags = [one.strip().removeprefix("W/") for one in if_none_match.split(",")]
    return tag in tags or tags == ["*"]
