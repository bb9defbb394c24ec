"""What is too large to be computed with is refused at once, by a fault that names the number; what is allowed is read."""

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from click.testing import CliRunner

from deploy.cli import main
from services.pairing.calculate import paired
from services.pairing.engines import NoPairing
from services.results.calculate import adjudicate
from services.standings.calculate import ranked
from services.standings.seasons.calculate import summed
from shared.bounds import LARGEST_FILE, MOST_STAGES
from shared.faults import MOST_FAULTS, Faulty
from shared.http.problems import document_of
from shared.rulesets import faults
from tests.hostile.calculators import adjusted, field_of, staged
from tests.tournaments import SCRABBLE, tournament

ROBIN = {"options": {"pairing.system": "round-robin"}}
AT_ONCE = 5.0  # seconds of a core; what is looked at further takes minutes


def refused(content: dict[str, Any]) -> list[str]:
    began = process_time()
    with pytest.raises(Faulty) as caught:
        ranked(json.dumps(content).encode())
    assert process_time() - began < AT_ONCE
    return [f"{fault.pointer} {fault.detail}" for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (field_of(10_000), "/entrants there are 10000: at most 5000 are computed with"),
        (staged(30_000), "/ruleset/stages there are 30000: at most 30 are computed with"),
        (adjusted(18_000), "/adjustments there are 18000: at most 5000 are computed with"),
        (
            field_of(3_000, **ROBIN),
            "/rounds of everybody against everybody would have 4498500 games: at most 100000 are computed with",
        ),
        (tournament("AB", rounds=[{}] * 1_001), "/rounds there are 1001: at most 1000 are computed with"),
        (
            tournament("AB", rounds=[{"games": [{}] * 60_000}, {"byes": ["A"] * 50_000}]),
            " has 110000 games, byes and rounds that somebody missed: at most 100000 are computed with",
        ),
    ],
)
def test_what_is_too_large_is_refused_first_and_by_its_number(content: dict[str, Any], said: str) -> None:
    assert refused(content) == [said]


def test_rules_with_too_much_in_them_are_refused_before_they_are_read() -> None:
    rules = {"id": 1, "decisions": {str(number): "" for number in range(20_000)}}
    with pytest.raises(Faulty) as caught:
        faults.read(rules)
    assert [fault.detail for fault in caught.value.faults] == [
        "has more than 20000 values in it, which is the most that rules may have"
    ]
    with pytest.raises(Faulty) as caught:
        summed({"season": rules, "players": [], "tournaments": []})
    assert [fault.pointer for fault in caught.value.faults] == ["/season"]


@pytest.mark.parametrize("points", ["1/1009", "1/99999999999", 1e-300, 0.1234567890123])
def test_odd_numbers_below_the_line_are_refused(points: str | float) -> None:
    (said,) = refused(tournament("AB", adjustments=[{"entrant": "A", "round": 1, "points": points}]))
    assert said == "/adjustments/0/points should have at most 12 decimals, or at most 999 below the line"


@pytest.mark.parametrize("points", [10**12 + 1, -(10**400), 1e300, "9" * 13, "1/" + "9" * 13])
def test_numbers_with_too_many_digits_are_refused_by_how_many_there_may_be(points: str | float) -> None:
    (said,) = refused(tournament("AB", adjustments=[{"entrant": "A", "round": 1, "points": points}]))
    assert (
        said == "/adjustments/0/points should have at most 12 digits before its decimals, or on each side of the line"
    )


def test_a_ruleset_has_no_odd_numbers_either() -> None:
    rules = staged(2)["ruleset"]
    rules["scoring"]["win"] = "1000000007/1000000009"
    rules["stages"][1]["changes"] = {"scoring.draw": "1/1009"}
    with pytest.raises(Faulty) as caught:
        faults.read(rules)
    assert [fault.pointer for fault in caught.value.faults] == ["/scoring/win", "/stages/1/changes/scoring.draw"]


def test_as_many_stages_as_may_be_are_read_at_once() -> None:
    began = process_time()
    assert ranked(json.dumps(staged(MOST_STAGES)).encode()).standings
    assert process_time() - began < AT_ONCE


def test_a_chain_of_stages_that_are_left_out_is_looked_at_once() -> None:
    content = staged(MOST_STAGES)
    bracket: dict[str, Any] = {"at_least": 2, "matches": []}
    for number, stage in enumerate(content["ruleset"]["stages"][1:], start=1):
        stage["brackets"] = [bracket]
        if number > 1:
            stage["field"] = {"rule": "players", "stage": f"s{number - 1}"}
    content["stages"] = [{"id": "s0"}, {"id": f"s{MOST_STAGES - 1}"}]
    began = process_time()
    with pytest.raises(NoPairing, match="Who goes on is not decided"):
        paired(json.dumps(content).encode())
    assert process_time() - began < AT_ONCE


def test_a_list_of_what_may_also_be_one_number_is_looked_through_once() -> None:
    by: list[dict[str, int]] = [{}] * 50_000
    table = {"ruleset": SCRABBLE, "game": {"end": "resigned", "by": by, "scores": [210, 347]}}
    began = process_time()
    with pytest.raises(Faulty):
        adjudicate(json.dumps(table).encode())
    assert process_time() - began < AT_ONCE


def test_of_very_many_faults_so_many_are_named_as_somebody_reads() -> None:
    with pytest.raises(Faulty) as caught:
        ranked(tournament("AB") | {f"unknown {number}": 1 for number in range(5_000)})
    told = document_of(caught.value)
    assert told.detail.endswith("There are more than these 100.")
    assert len(told.errors) == MOST_FAULTS


@pytest.mark.parametrize("path", ["/dev/zero", "a file"])
def test_no_more_of_a_file_is_read_than_can_be_computed_with(path: str, tmp_path: Path) -> None:
    file = Path(path)
    if not file.is_absolute():
        file = tmp_path / path
        file.write_bytes(b" " * (LARGEST_FILE + 1))
    said = CliRunner().invoke(main, ["rank", str(file)])
    assert said.exit_code == 2
    assert json.loads(said.output)["errors"] == [
        {"pointer": "", "detail": f"{file} is larger than {LARGEST_FILE} bytes"}
    ]


def test_a_field_of_two_thousand_is_no_trouble() -> None:
    names = [str(number) for number in range(2_000)]
    games = ", ".join(f"{one}-{other} 300:200" for one, other in zip(names[::2], names[1::2], strict=True))
    assert len(ranked(tournament(names, games)).standings) == 2_000
