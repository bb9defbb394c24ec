"""A tournament written down as a file is ranked and paired as it was."""

from fractions import Fraction
from functools import partial

import msgspec
import pytest
from msgspec.structs import replace

from services.pairing import engines
from services.pairing.calculate import paired
from services.standings.calculate import ranked
from shared.lots import formula
from shared.rulesets.schema import Changes
from shared.tournament.facts import Absence, Facts, Penalty, Settlement
from shared.tournament.file.reading import read
from shared.tournament.file.writing import written
from shared.tournament.ranking import rank
from tests import median
from tests.simulated import STAGE, ban, by_chance, facts, left, played

KEY = formula.commitment(b"a tournament of tests")
LOTS = partial(formula.draw, bytes.fromhex(KEY))


def held(known: Facts, rounds: int) -> list[tuple[Facts, engines.PairedRound]]:
    """Each round as it was paired, with what was known before it."""
    found: list[tuple[Facts, engines.PairedRound]] = []
    chance = by_chance(7)
    for _ in range(rounds):
        pairing = engines.pair(known, STAGE, lots=LOTS)
        found.append((known, pairing))
        known = played(known, pairing, chance.of(pairing))
    return [*found, (known, engines.pair(known, STAGE, lots=LOTS))]


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ("scrabble-sk-2022-qt", {}),
        ("scrabble-sk-2022-online", {"pairing.rounds": 6}),
    ],
)
def test_the_file_of_a_running_tournament_repeats_its_table_and_its_next_round(ruleset: str, options: Changes) -> None:
    for known, pairing in held(facts(13, ruleset=ruleset, options=options), 4):
        file = msgspec.json.encode(written(known, names={"E1": "Ada"}, key=KEY))
        assert [(one.table, tuple(one.seats), one.first) for one in paired(file).pairs] == [
            (one.table, one.seats, one.first) for one in pairing.pairs
        ]
        assert paired(file).byes == list(pairing.byes)
        table = rank(known, STAGE)
        assert [(row.place, row.entrant) for row in ranked(file).standings] == [
            (row.place, row.entrant) for row in table.rows
        ]


@pytest.mark.rule("PQ.PAI-10")
def test_a_match_that_nobody_began_counts_for_no_start_in_the_file_either() -> None:
    known = median.facts(12)
    for _ in range(5):
        pairing = engines.pair(known, STAGE, lots=LOTS)
        file = written(known, names={}, key=KEY)
        assert [(tuple(one.seats), one.first) for one in paired(file).pairs] == [
            (one.seats, one.first) for one in pairing.pairs
        ]
        known = median.played(
            known,
            pairing,
            {one.table: median.forfeited(1) if one.table < 3 else median.result(3, 1) for one in pairing.pairs},
        )


def test_what_was_decided_and_who_will_be_away_stands_in_the_file() -> None:
    known = left(facts(8, bans=[ban("E1", "E2", last_rounds=2)]), "E8", 2)
    known, _ = held(known, 3)[-1]
    known = replace(
        known,
        penalties={"one": Penalty(entrant="E3", stage=STAGE, round=2, points=Fraction(-1, 2))},
        absences={Absence(entrant="E4", stage=STAGE, round=4): None},
        settled=(Settlement(stage=STAGE, kind="lot", order=(("E5",), ("E6", "E7"))),),
    )
    again = read(written(known, names={}, key=None)).accepted()
    assert (again.left, again.bans, again.settled) == (known.left, known.bans, known.settled)
    assert (again.absences, list(again.penalties.values())) == (known.absences, list(known.penalties.values()))


def test_a_draft_that_the_rules_forbid_is_read_with_a_word_of_why() -> None:
    known, pairing = held(facts(6), 1)[0]
    known = replace(played(known, pairing, by_chance(3).of(pairing)), bans=(ban(*pairing.pairs[0].seats),))
    assert read(written(known, names={}, key=None)).faults == ()
