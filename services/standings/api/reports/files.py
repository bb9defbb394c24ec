"""A stage as files that other programs of the field read: FIDE's Tournament Report File and the division file of TSH."""

from typing import Literal

from services.standings.api.reports.fide import tournament_report
from services.standings.api.reports.stage_report import FormatDoesNotFit, reported, why_not
from services.standings.api.reports.tsh import division
from services.standings.tournaments import EntrantNames, KnownTournament
from shared.tournament.facts import Facts

type ReportFormat = Literal["trf16", "trf26", "tsh"]

LINE_END = "\r\n"


def fitting(facts: Facts, stage: str) -> list[ReportFormat]:
    """The files that what is played in a stage goes into."""
    if why_not(facts, stage) is not None:
        return []
    return ["trf16", "trf26", "tsh"] if facts.ruleset.game == "scrabble" else ["trf16", "trf26"]


def report_file(
    known: KnownTournament, stage: str, names: EntrantNames, through: int | None, among: str | None, of: ReportFormat
) -> bytes:
    if among is not None:
        raise FormatDoesNotFit("The file has everybody who was met: leave `list` out.")
    if of == "tsh" and known.facts.ruleset.game != "scrabble":
        raise FormatDoesNotFit("A division file of TSH is for Scrabble: ask for `trf26` or `csv`.")
    report = reported(known, stage, names, through)
    lines = division(report) if of == "tsh" else tournament_report(report, of)
    return "".join(f"{line}{LINE_END}" for line in lines).encode()
