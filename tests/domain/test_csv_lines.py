"""Files of lines: what a spreadsheet would compute goes out as text, and comes back as it was."""

import csv
from io import StringIO

import pytest

from shared.csv_lines import MARK, MOST_LINES, SAVED, read, written
from shared.faults import MOST_FAULTS, Faulty

COMPUTED = (
    "=1+1",
    "@SUM(A1)",
    "+1+1",
    "-1+1",
    "\uff1d1+1",
    "\uff0b1+1",
    "\uff0d1+1",
    "\uff20SUM(A1)",
    " =1+1",
    "\u3000=1+1",
    "'=1+1",
    "''=1+1",
    "-5\n=1",
    "\u2212=1",
)
# Where a semicolon ends a cell, as in Slovak and Czech spreadsheets.
BEYOND = {"Jan;=HYPERLINK(1)": "Jan;'=HYPERLINK(1)", "x; '+A1": "x;' '+A1", "=1;@B|-A": "'=1;'@B|'-A"}
PLAIN = ("Ada", "+421 900 123 456", "-5", "O'Neill", "'quoted'", "5 - 3", "a=b", "a;b", "x;-5", "\uff21da")


def gone_out(cell: str) -> str:
    content = written(["name"], [{"name": cell}])
    return list(csv.reader(StringIO(content.removeprefix(MARK).decode(), newline="")))[1][0]


@pytest.mark.parametrize("cell", [*COMPUTED, "\t=1", "\r=1", "\n=1", "\tx"])
def test_no_cell_goes_out_that_a_spreadsheet_would_compute(cell: str) -> None:
    assert gone_out(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", BEYOND)
def test_no_part_of_a_cell_is_computed_that_another_spreadsheet_takes_for_a_cell(cell: str) -> None:
    assert gone_out(cell) == BEYOND[cell]
    assert read(written(["name"], [{"name": cell}]), ["name"], needed=[])[0].cells["name"] == cell


@pytest.mark.parametrize("cell", PLAIN)
def test_other_cells_go_out_as_they_are(cell: str) -> None:
    assert gone_out(cell) == cell


@pytest.mark.parametrize("cell", [*COMPUTED, *PLAIN])
def test_what_went_out_comes_back(cell: str) -> None:
    (line,) = read(written(["name"], [{"name": cell}]), ["name"], needed=["name"])
    assert line.cells["name"].strip() == cell.strip()


@pytest.mark.parametrize(
    "content", [b"name," * 10_000, ",".join(map(str, range(100_000))).encode(), b"name,of\n" + b"Ada\n" * 9_000]
)
def test_no_more_faults_are_looked_for_than_are_named(content: bytes) -> None:
    with pytest.raises(Faulty) as refused:
        read(content, ["name", "of"], needed=["name"])
    assert len(refused.value.faults) <= MOST_FAULTS + 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_told_from_what_is_no_text(encoding: str) -> None:
    with pytest.raises(Faulty) as refused:
        read("name\r\nŽofia\r\n".encode(encoding), ["name"], needed=["name"])
    (fault,) = refused.value.faults
    assert fault.detail == f"Line 1: is UTF-16 and not UTF-8: {SAVED}."


def test_letters_of_another_table_are_never_guessed() -> None:
    """Both Excel's CSV and older files have one byte for each letter, and the same byte for other letters."""
    for encoding in ("cp1250", "latin2"):
        with pytest.raises(Faulty) as refused:
            read("name;of\r\nAda;SK\r\nŽofia;SK\r\n".encode(encoding), ["name", "of"], needed=["name"])
        (fault,) = refused.value.faults
        assert fault.detail == f"Line 3: is not UTF-8 from byte 17 of the file on: {SAVED}."


def test_no_more_lines_are_read_than_may_come() -> None:
    with pytest.raises(Faulty) as refused:
        read(b"name\n" + b"Ada\n" * (MOST_LINES * 2), ["name"], needed=["name"])
    (fault,) = refused.value.faults
    assert fault.detail == "There are more than 10000 lines: send at most so many at once."


@pytest.mark.parametrize("content", [b"", b"\nname,of\nAda,SK\n", b" ;\nname;of\nAda;SK\n"])
def test_a_file_whose_first_line_is_empty_is_told_to_begin_with_its_columns(content: bytes) -> None:
    with pytest.raises(Faulty) as refused:
        read(content, ["name", "of"], needed=[])
    (fault,) = refused.value.faults
    assert (fault.pointer, fault.detail) == (
        "/lines/1",
        "Line 1: is empty: the first line of a file names columns of name, of.",
    )


@pytest.mark.parametrize("head", ["", "sep=,\r\n", "sep=;\r\n", '"sep=;"\n', "SEP=\t\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_cells_are_told_apart_by_what_is_between_the_columns_or_by_what_a_line_above_them_names(
    head: str, delimiter: str
) -> None:
    delimiter = head[head.find("=") + 1] if head else delimiter
    lines = f'name{delimiter}of\r\n"Ada, A; B\tC"{delimiter}SK\r\n'
    (line,) = read(f"{head}{lines}".encode(), ["name", "of"], needed=["name"])
    assert (line.number, line.cells) == (3 if head else 2, {"name": "Ada, A; B\tC", "of": "SK"})


def test_a_tab_too_many_is_called_so() -> None:
    with pytest.raises(Faulty) as refused:
        read(b"name\tof\nAda\tSK\t1\n", ["name", "of"], needed=[])
    (fault,) = refused.value.faults
    assert fault.detail == "Line 2: has 3 cells and the first line 2: put what holds a tab in quotes."
