"""Files of lines as spreadsheets write and read them: RFC 4180, UTF-8 with or without a mark, and commas,
semicolons or tabs between the cells.

The first line names the columns, in any order. A fault says in which line it is, in which column, and what to do.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from io import StringIO
from itertools import islice
from typing import Any

from shared.faults import MOST_FAULTS, Faulty, InputFault, at, enough
from shared.values import Value

CSV = "text/csv"
MARK = b"\xef\xbb\xbf"
# By its mark, or by two letters of ours at its beginning, each of which has an empty byte beside it.
UTF_16 = re.compile(rb"\xff\xfe|\xfe\xff|(?:[^\0]\0){2}|(?:\0[^\0]){2}")
OFFICE_FILE = re.compile(rb"PK\x03\x04|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")  # a packed one, or one of long ago
SAVED = "save a spreadsheet as “CSV UTF-8” in Excel, or as “Text CSV” with the character set UTF-8 in LibreOffice"
DELIMITERS = {",": ",", ";": ";", "\t": "tab"}  # and what a sentence calls them
NAMED_DELIMITER = re.compile(rf'\A"?sep=([{"".join(DELIMITERS)}])"?[\r\n]', re.IGNORECASE)  # a line above, for Excel
FORM = "UTF-8, with commas, semicolons or tabs; the first line names the columns."
MOST_LINES = 10_000
LONGEST_FORM_HEAD = 1000  # characters in which a form says that it is one
# What a spreadsheet would compute, also behind spaces, or behind apostrophes, one of which it may take away; and also in
# the middle of a cell, where a spreadsheet of another country sees the end of one.
SIGN = r"[\s']*(?:[=@＝＠＋－−]|[+-](?![0-9 ]+\Z))"
TO_KEEP_BACK = re.compile(rf"\A(?=[\t\r\n]|{SIGN})|(?<=[;|])(?={SIGN})")
KEPT_BACK = re.compile(rf"\A'(?=[\t\r\n]|{SIGN})|(?<=[;|])'(?={SIGN})")
SENTENCE = "Nothing was imported: mend the lines that errors name, and send the whole file again."
YES = {True: "yes", False: ""}


def as_csv(example: str) -> dict[int | str, dict[str, Any]]:
    """How such an answer is described."""
    content = {CSV: {"schema": {"type": "string"}, "example": example}}
    return {HTTPStatus.OK.value: {"content": content, "description": "The file."}}


class Line(Value):
    number: int  # in the file, where 1 is the line of the columns
    cells: Mapping[str, str]  # those that are not empty

    def fault(self, detail: str, column: str | None = None) -> InputFault:
        where = f"Line {self.number}, column {column}" if column else f"Line {self.number}"
        return InputFault(at("lines", self.number, *([column] if column else [])), f"{where}: {detail}")

    def listed(self, column: str) -> list[str]:
        """Several in one cell, with spaces between them."""
        return self.cells.get(column, "").split()


def read(content: bytes, columns: Sequence[str], *, needed: Iterable[str]) -> list[Line]:
    """The lines below the columns; blank ones are passed over."""
    text = decoded(content)
    if other := of_another_kind(text):
        detail = f"Line 1: {other}: the first line of a file names columns of {', '.join(columns)}."
        raise Faulty(SENTENCE, [InputFault(at("lines", 1), detail)])
    named = NAMED_DELIMITER.match(text)
    delimiter = named[1] if named else delimiter_of(text)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    faults: list[InputFault] = []
    rows = islice(numbered(reader, faults), 1 if named else 0, None)
    names = [name.strip().lower() for _, row in islice(rows, 1) for name in row]
    faults += enough(header_faults(names, columns, needed)) if any(names) else [nameless(columns)]
    if faults:
        raise Faulty(SENTENCE, faults)
    lines: list[Line] = []
    for number, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        line = Line(number=number, cells=cells(names, row))
        lines.append(line)
        if len(lines) > MOST_LINES:
            break
        if len(row) != len(names) and len(faults) <= MOST_FAULTS:
            faults.append(
                line.fault(
                    f"has {len(row)} cells and the first line {len(names)}: put what holds a {DELIMITERS[delimiter]} in quotes."
                )
            )
    if len(lines) > MOST_LINES:
        faults = [InputFault("/lines", f"There are more than {MOST_LINES} lines: send at most so many at once.")]
    if not lines and not faults:
        faults = [InputFault("/lines", "There is no line below the columns: send at least one.")]
    if faults:
        raise Faulty(SENTENCE, faults)
    return lines


def decoded(content: bytes) -> str:
    if other := not_text(content):
        raise Faulty(SENTENCE, [InputFault(at("lines", 1), f"Line 1: {other}.")])
    try:
        return content.removeprefix(MARK).decode()
    except UnicodeDecodeError as wrong:
        number = content.count(b"\n", 0, wrong.start) + 1
        detail = f"Line {number}: is not UTF-8 from byte {wrong.start} of the file on: {SAVED}."
        raise Faulty(SENTENCE, [InputFault(at("lines", number), detail)]) from None


def not_text(content: bytes) -> str | None:
    """What spreadsheets are saved as besides CSV, which begins unlike any text."""
    if OFFICE_FILE.match(content):
        return f"is a file of its own kind, such as .xlsx, .ods or .xls: {SAVED}"
    if UTF_16.match(content):
        return f"is UTF-16 and not UTF-8: {SAVED}"
    return None


def of_another_kind(text: str) -> str | None:
    """What was sent in place of a file, where that is plain to see."""
    if re.match(r"\s*[\[{]", text):
        return "is JSON: send CSV"
    if text.startswith("--") and "content-disposition:" in text[:LONGEST_FORM_HEAD].lower():
        return "is a form with a file in it: send the file alone, as it is"
    return None


def nameless(columns: Sequence[str]) -> InputFault:
    return InputFault(
        at("lines", 1), f"Line 1: is empty: the first line of a file names columns of {', '.join(columns)}."
    )


def delimiter_of(text: str) -> str:
    """Whichever separates the columns."""
    return max(DELIMITERS, key=text.partition("\n")[0].count)


def numbered(rows: Iterable[list[str]], faults: list[InputFault]) -> Iterator[tuple[int, list[str]]]:
    """Each with the line on which it begins: what stands in quotes may go over several."""
    reader = iter(rows)
    number = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as wrong:
            detail = (
                f"Line {number}: cannot be read from here on, {wrong}: put cells in quotes, and double quotes in them."
            )
            faults.append(InputFault(at("lines", number), detail))
            return
        yield number, row
        number = getattr(reader, "line_num", number) + 1


def header_faults(names: Sequence[str], columns: Sequence[str], needed: Iterable[str]) -> Iterator[InputFault]:
    first = Line(number=1, cells={})
    for name, times in Counter(names).items():
        if name not in columns:
            yield first.fault(f"{name or 'a column without a name'} is not known: there are {', '.join(columns)}.")
        elif times > 1:
            yield first.fault("stands there twice: leave one out.", name)
    for name in needed:
        if name not in names:
            yield first.fault("is missing: add it.", name)


def cells(names: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    return {name: KEPT_BACK.sub("", cell.strip()) for name, cell in zip(names, row, strict=False) if cell.strip()}


def written(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """With a mark, by which spreadsheets know UTF-8. What they would compute has an apostrophe in front."""
    text = StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: kept_back(str(cell)) for name, cell in row.items() if cell is not None} for row in rows)
    return MARK + text.getvalue().encode()


def kept_back(cell: str) -> str:
    return TO_KEEP_BACK.sub("'", cell)
