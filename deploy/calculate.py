"""The calculators of the command line: a file in, JSON out, and a problem document where it is refused."""

import sys
from collections.abc import Callable
from pathlib import Path

import click
from pydantic import BaseModel

from shared.bounds import LARGEST_FILE
from shared.faults import Faulty, InputFault
from shared.refusals import Refusal

REFUSED = 2


def print_calculated(file: Path, calculate: Callable[[bytes], BaseModel | bytes], *, nulls: bool = False) -> None:
    """What is calculated from a file, or from standard input."""
    print_answer(lambda: calculate(content_of(file)), nulls=nulls)


def print_answer(answer: Callable[[], BaseModel | bytes], *, nulls: bool = False) -> None:
    """As JSON, or a sheet as it is; what is refused ends with 2. With nulls what was set to null is printed as well."""
    try:
        found = answer()
    except Refusal as refusal:
        from shared.http.problems import document_of  # noqa: PLC0415 - it brings the whole web framework along

        click.echo(document_of(refusal).model_dump_json(indent=2, exclude_defaults=True, by_alias=True))
        raise SystemExit(REFUSED) from None
    if isinstance(found, bytes):
        click.echo(found, nl=False)
    else:
        click.echo(found.model_dump_json(indent=2, exclude_unset=nulls, exclude_none=not nulls))


def content_of(file: Path) -> bytes:
    """No more of it than can be computed with: a device may never end."""
    try:
        if str(file) == "-":
            content = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with file.open("rb") as opened:
                content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise Faulty(
            f"The file cannot be read: {error.strerror}.", [InputFault("", f"{file} cannot be read")]
        ) from None
    if len(content) > LARGEST_FILE:
        raise Faulty(
            "The file is too large: leave out what need not be computed with.",
            [InputFault("", f"{file} is larger than {LARGEST_FILE} bytes")],
        )
    return content
