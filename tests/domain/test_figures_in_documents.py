"""Figures that a command writes into a document: in the place of those before, and nowhere else."""

from pathlib import Path

import pytest

from benchmarks.document import NoPlace, put, table

DOCUMENT = "before\n<!-- load: written by the command -->\nold\n<!-- end of load -->\nafter\n"


def test_figures_take_the_place_of_those_before(tmp_path: Path) -> None:
    document = tmp_path / "proof.md"
    document.write_text(DOCUMENT)
    put("load", table(("act", "ms"), [("report", "3")]), document)
    put("load", table(("act", "ms"), [("report", "4")]), document)
    assert document.read_text() == (
        "before\n<!-- load: written by the command -->\n\n"
        "| act | ms |\n| --- | ---: |\n| report | 4 |\n\n<!-- end of load -->\nafter\n"
    )


def test_a_document_without_the_marks_stays_as_it_is(tmp_path: Path) -> None:
    document = tmp_path / "proof.md"
    document.write_text(DOCUMENT)
    with pytest.raises(NoPlace, match="growth"):
        put("growth", "1", document)
    assert document.read_text() == DOCUMENT


def test_every_command_has_its_place_in_the_document_of_proof() -> None:
    text = Path("docs/proof.md").read_text(encoding="utf-8")
    for name in ("load", "growth", "copies"):
        assert 0 < text.find(f"<!-- {name}: written by the command -->") < text.find(f"<!-- end of {name} -->")
