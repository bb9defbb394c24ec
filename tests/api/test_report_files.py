"""Files of a stage that other programs of the field read, and what those programs find in them."""

import json
from collections.abc import AsyncGenerator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from py4swiss.trf import ParsedTrf, TrfParser

from services.standings.api.reports.tsh import in_letters
from shared.contracts.registration import EntrantLeft, TournamentAnnounced
from shared.contracts.results import PenaltyImposed, ResultFinal
from shared.rulesets import catalogue
from tests.api.asking import Client, problem, service
from tests.played import STAGE, completed, pairings, published, result, started
from tests.report_columns import ReportRecord, records, words
from tests.told import done, tell

CUP = "cup"
FIVE = ("A", "B", "C", "D", "E")
SIX = (*FIVE, "F")
# A beat B and lost to C, who drew with D. E had a bye and then nobody to play, since D did not come; B had the second bye.
TRF26 = """\
012 Košice Cup
042 2030/05/04
062 5
072 0
092 Individual: cost-swiss
132                                                                                        30/05/04  30/05/05
142 7
182 roundlog/0.1.0 standings
192 CUSTOM_SWISS
202 WIN,OTHER_MEDIAN_BUCHHOLZ,OTHER_BUCHHOLZ,OTHER_SCORE_DIFFERENCE,OTHER_LOT
212 PTS,WIN,OTHER_MEDIAN_BUCHHOLZ,OTHER_BUCHHOLZ,OTHER_SCORE_DIFFERENCE,OTHER_LOT
### OTHER_MEDIAN_BUCHHOLZ: The points of all opponents together, without the best and the weakest of them. \
A round without a game counts as an opponent with 0 points.
### OTHER_BUCHHOLZ: The points of all opponents together. A round without a game counts as an opponent with 0 points.
### OTHER_SCORE_DIFFERENCE: What was scored in all games, less what the others at the table scored.
### OTHER_LOT: The place that a lot has given to those whom all else leaves equal.
001    1      No. 1                                                              0.5    4     2 w 1     3 w 0
001    2      No. 2                                                              1.0    3     1 b 0  0000 - U
001    3      No. 3                                                              1.5    2     4 w =     1 b 1
001    4      No. 4                                                              0.5    5     3 b =     5 w -
001    5      No. 5                                                              2.0    1  0000 - U     4 b +
299          -0.5  000    1
"""
DIVISION = """\
Player A                    0 2 3; 400 400; p12 1 1
Player B                    0 1 0; 300 20; p12 2 0
Player C                    0 4 1; 350 410; p12 1 2
Player D                    0 3 5; 350 0; p12 2 1; off 0
Player E                    0 0 4; 20 100; p12 0 2
"""


@pytest.fixture
async def client(database: str) -> AsyncGenerator[Client]:
    async with service(database, name="standings") as asked:
        yield asked


async def asked_for(client: Client, of: str, tournament: str = CUP, stage: str = STAGE, **query: Any) -> Any:
    path = f"/v1/tournaments/{tournament}/stages/{stage}/crosstable"
    return await client.get(path, params={"format": of, **query})


async def text(client: Client, of: str, **query: Any) -> str:
    answer = await asked_for(client, of, **query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode()
    assert lines.count("\r\n") == lines.count("\n"), "every line ends as FIDE wants it"
    return lines.replace("\r\n", "\n")


async def two_rounds(database: str) -> None:
    announced = TournamentAnnounced(
        tournament=CUP,
        federation="sss",
        name="Košice Cup",
        ruleset="scrabble-sk-2022-qt",
        time_zone="Europe/Bratislava",
        starts_on="2030-05-04",
    )
    await tell(database, "registration", CUP, announced, *started(CUP, FIVE))
    first = replace(published(CUP, 1, [("A", "B"), ("C", "D")], ["E"]), starts_at="2030-05-04T08:00:00+00:00")
    second = replace(published(CUP, 2, [("A", "C"), ("D", "E")], ["B"]), starts_at="2030-05-04T23:30:00+00:00")
    third = published(CUP, 3, [("A", "E"), ("B", "C")], ["D"])
    absent = replace(result(CUP, 2, 2, ("D", "E"), (0, 100)), end="no_show", by=(0,), unplayed=True)
    await tell(database, "pairing", CUP, first, second, third)
    await tell(
        database,
        "results",
        CUP,
        result(CUP, 1, 1, ("A", "B"), (400, 300)),
        result(CUP, 1, 2, ("C", "D"), (350, 350)),
        completed(CUP, 1),
        result(CUP, 2, 1, ("A", "C"), (400, 410)),
        absent,
        completed(CUP, 2),
        result(CUP, 3, 1, ("A", "E"), (300, 200)),
        PenaltyImposed(penalty="late", tournament=CUP, entrant="A", stage=STAGE, round=2, points="-1/2"),
    )
    await tell(
        database,
        "registration",
        CUP,
        EntrantLeft(entrant="D", tournament=CUP, stage=STAGE, after_round=2, why="withdrew"),
    )
    await done(database)


async def test_fide_reports_and_divisions_of_tsh_go_as_far_as_every_game_has_its_result(
    client: Client, database: str, tmp_path: Path
) -> None:
    await two_rounds(database)
    assert await text(client, "trf26") == TRF26
    older = await text(client, "trf16")
    assert ("XXR 7" in older, "142 7" in older, "299" in older) == (True, False, False)
    assert await text(client, "tsh") == DIVISION
    with_tag = await asked_for(client, "tsh")
    again = await asked_for(client, "tsh", round=1)
    assert with_tag.headers["ETag"] == again.headers["ETag"], "it rests on the same inputs"
    assert "3 w 0" not in again.text

    # Another program reads them, and finds that all of it goes together: but for the penalty, of which TRF-16 has no sign.
    found = read_by_another(older.replace("0.5    4     2 w 1", "1.0    4     2 w 1"), tmp_path)
    found.validate_contents()
    assert [(one.starting_number, one.points_times_ten, one.rank) for one in found.player_sections] == [
        (1, 10, 4),
        (2, 10, 3),
        (3, 15, 2),
        (4, 5, 5),
        (5, 20, 1),
    ]


def read_by_another(report: str, folder: Path) -> ParsedTrf:
    """It looks for the dates of rounds at other columns than FIDE says (92 to 99, 102 to 109 and so on)."""
    file = folder / "report.trf"
    lines = [line for line in report.splitlines() if not line.startswith("132")]
    file.write_text("\n".join(lines), encoding="utf-8")
    return TrfParser.parse(file)


def rules_of(ruleset: str, changes: Mapping[str, Mapping[str, object]]) -> msgspec.Raw:
    """Those of the catalogue, but for some settings or options."""
    plain = catalogue.load(ruleset).model_dump(mode="json")
    return msgspec.Raw(json.dumps(plain | {part: plain[part] | dict(some) for part, some in changes.items()}).encode())


def won(number: int, table: int, seats: tuple[str, str], by: int | None, worth: tuple[int, int]) -> ResultFinal:
    """A game that the seat `by` has won, or nobody."""
    win, draw = worth
    points = (draw, draw) if by is None else (win, 0) if by == 0 else (0, win)
    return replace(result(CUP, number, table, seats, points), points=points)


# Six play a round robin but for its last round: who has won at each table, the first or the second; none: nobody.
WINNERS = [[0, 0, None], [1, 0, 1], [0, None, 0], [1, 1, 0]]


async def test_a_table_of_gomoku_can_be_worked_out_again_by_the_codes_of_its_tie_breaks(
    client: Client, database: str, tmp_path: Path
) -> None:
    rules = rules_of("gomoku-cfp", {"scoring": {"win": 3, "draw": 1}, "options": {"pairing.system": "cost-swiss"}})
    await tell(database, "registration", CUP, *started(CUP, SIX, rules))
    for number, winners in enumerate(WINNERS, start=1):
        pairs = pairings(SIX, number)
        await tell(database, "pairing", CUP, published(CUP, number, pairs))
        games = enumerate(zip(pairs, winners, strict=True), start=1)
        results = [won(number, table, pair, by, (3, 1)) for table, (pair, by) in games]
        await tell(database, "results", CUP, *results, completed(CUP, number))
    await done(database)

    report = await text(client, "trf26")
    assert [dict(one) for one in records(report, "162")[0].repeated] == [
        {"result": "W", "points": "3.0"},
        {"result": "D", "points": "1.0"},
        {"result": "L", "points": "0.0"},
        {"result": "P", "points": "3.0"},
    ]
    assert words(report, "192") == ["CUSTOM_SWISS"]
    assert words(report, "202") == ["WIN,BH/M1,BH,SB,OTHER_LOT"]
    assert words(report, "212") == ["PTS,WIN,BH/M1,BH,SB,OTHER_LOT"]
    known = {one.fields["number"]: one for one in records(report, "001")}
    places = {number: int(one.fields["place"]) for number, one in known.items()}
    worked_out = {number: values_of(one, known) for number, one in known.items()}
    assert places == {
        number: 1 + sum(other > own for other in worked_out.values()) for number, own in worked_out.items()
    }
    assert len({values[:2] for values in worked_out.values()}) < len(set(worked_out.values())), "opponents decide"

    # Pairing programs have a record of their own for points, with which they find the same.
    found = read_by_another(await text(client, "trf16"), tmp_path)
    found.validate_contents()
    assert [(one.points_times_ten, one.rank) for one in found.player_sections] == [
        (int(10 * float(one.fields["points"])), places[number]) for number, one in known.items()
    ]


def values_of(own: ReportRecord, known: Mapping[str, ReportRecord]) -> tuple[float, ...]:
    """PTS, WIN, BH/M1, BH and SB, as FIDE defines them where every round is played."""
    worth = {"1": 3, "=": 1, "0": 0}
    met = [(float(known[turn["opponent"]].fields["points"]), turn["result"]) for turn in own.repeated]
    wins = sum(sign == "1" for _, sign in met)
    cut = sorted(points for points, _ in met)[1:-1]
    by_points = sum(points * worth[sign] for points, sign in met)
    return float(own.fields["points"]), wins, sum(cut), sum(points for points, _ in met), by_points


@pytest.mark.parametrize(
    ("unplayed", "codes"),
    [
        ("virtual-zero", "PTS,WIN,OTHER_MEDIAN_BUCHHOLZ,OTHER_BUCHHOLZ,OTHER_SONNEBORN_BERGER,OTHER_LOT"),
        ("fide-2026", "PTS,WIN,OTHER_MEDIAN_BUCHHOLZ,BH,SB,OTHER_LOT"),
    ],
)
async def test_a_code_stands_only_for_what_fide_means_by_it(
    client: Client, database: str, unplayed: str, codes: str
) -> None:
    options = {"pairing.system": "cost-swiss", "standings.unplayed": unplayed}
    await tell(database, "registration", CUP, *started(CUP, FIVE, rules_of("gomoku-cfp", {"options": options})))
    await tell(database, "pairing", CUP, published(CUP, 1, [("A", "B"), ("C", "D")], ["E"]))
    games = [result(CUP, 1, 1, ("A", "B"), (1, 0)), result(CUP, 1, 2, ("C", "D"), (0, 1))]
    await tell(database, "results", CUP, *games, completed(CUP, 1))
    await done(database)
    report = await text(client, "trf26")
    assert words(report, "212") == [codes]
    said = [line.split(":")[0] for line in words(report, "###")]
    assert said == [code for code in codes.split(",") if code.startswith("OTHER_")], (
        "each of the others is said in words"
    )
    assert not records(report, "162"), "a win, a draw and a loss are worth what FIDE says"


async def test_matches_of_teams_stand_in_the_records_of_teams(client: Client, database: str, tmp_path: Path) -> None:
    """A beat B, C and D drew, E had the bye. C did not come to A; B, of whom somebody left a board, beat E; D rested."""
    of_catalogue = msgspec.Raw(catalogue.load("pisqworky-2025-ss-ot").model_dump_json().encode())
    await tell(database, "registration", CUP, *started(CUP, FIVE, of_catalogue))
    first = published(CUP, 1, [("A", "B"), ("C", "D")], ["E"])
    second = replace(published(CUP, 2, [("A", "C"), ("B", "E")]), requested_byes={"D": 1})
    await tell(database, "pairing", CUP, replace(first, stage="groups"), replace(second, stage="groups"))
    matches = [
        replace(result(CUP, 1, 1, ("A", "B"), (14, 6)), points=(2, 0)),
        replace(result(CUP, 1, 2, ("C", "D"), (10, 10)), points=(1, 1)),
        replace(result(CUP, 2, 1, ("A", "C"), (20, 0)), points=(2, 0), end="no_show", by=(1,), unplayed=True),
        replace(result(CUP, 2, 2, ("B", "E"), (12, 8)), points=(2, 0), end="left_party", by=(0,)),
    ]
    penalty = PenaltyImposed(penalty="late", tournament=CUP, entrant="B", stage="groups", round=2, points=-1)
    await tell(database, "results", CUP, *(replace(one, stage="groups") for one in matches), penalty)
    await done(database)

    report = await text(client, "trf26", stage="groups")
    assert (words(report, "082"), words(report, "092")) == (["5"], ["Team: groups"])
    assert words(report, "192") == ["CUSTOM_TEAM_ROUNDROBIN"]
    assert words(report, "202") == ["MPvGP,OTHER_HEAD_TO_HEAD,OTHER_DUEL,OTHER_LOT"]
    assert not records(report, "362"), "matches are worth what FIDE says"
    teams = [one.fields for one in records(report, "310")]
    assert [(one["number"], one["match_points"], one["game_points"], one["place"]) for one in teams] == [
        ("1", "4.0", "34.0", "1"),
        ("2", "1.0", "18.0", "4"),
        ("3", "1.0", "10.0", "5"),
        ("4", "2.0", "10.0", "3"),
        ("5", "2.0", "28.0", "2"),
    ]
    assert [one.repeated for one in records(report, "310")] == [({"player": str(number)},) for number in range(1, 6)]
    assert [one.fields["name"] for one in records(report, "001")] == [one["name"] for one in teams]
    assert ["".join(turn["result"] for turn in one.repeated) for one in records(report, "001")] == [
        "1+",
        "01",
        "=-",
        "=H",
        "U0",
    ]
    assert records(report, "240") == [ReportRecord(fields={"type": "H", "round": "2"}, repeated=({"team": "4"},))]
    (resting,) = records(report, "320")
    assert resting.fields == {"match_points": "2.0", "game_points": "20.0"}
    assert [one["team"] for one in resting.repeated] == ["005", "000"]
    assert [one.fields for one in records(report, "330")] == [{"type": "+-", "round": "2", "white": "1", "black": "3"}]
    (fined,) = records(report, "299")
    assert (fined.fields["match_points"], fined.fields["points"], fined.repeated) == ("-1.0", "", ({"who": "2"},))
    assert [[" ".join(filter(None, turn.values())) for turn in one.repeated] for one in records(report, "802")] == [
        ["2 w 14.0", "3 w 20.0 f"],
        ["1 b 6.0", "5 w 12.0"],
        ["4 w 10.0", "1 b 0.0 f"],
        ["3 b 10.0", "HPB 0.0"],
        ["PAB 20.0", "2 b 8.0"],
    ]

    older = await text(client, "trf16", stage="groups")
    assert [one.repeated for one in records(older, "013")] == [({"player": str(number)},) for number in range(1, 6)]
    penalised, as_played = "1.0    4     1 b 0", "2.0    4     1 b 0"
    assert penalised in older
    found = read_by_another(older.replace(penalised, as_played), tmp_path)
    found.validate_contents()
    assert [(one.team_name, one.players) for one in found.team_sections] == [
        (f"No. {number}", [number]) for number in range(1, 6)
    ]
    crosstable = await client.get(f"/v1/tournaments/{CUP}/stages/groups/crosstable")
    assert crosstable.json()["files"] == ["trf16", "trf26"]


async def test_what_has_no_place_in_such_a_file_is_refused_in_words(client: Client, database: str) -> None:
    await two_rounds(database)
    of_list = problem(
        await asked_for(client, "tsh", list="women"), HTTPStatus.UNPROCESSABLE_ENTITY, "format-does-not-fit"
    )
    assert of_list.detail == "The file has everybody who was met: leave `list` out."
    for tournament, ruleset, of, why in (
        ("four", "carcassonne-cz-qualification", "trf26", "tables of two"),
        ("matches", "pisqworky-2025-individual", "trf16", "they meet in several"),
        ("gomoku", "gomoku-cfp", "tsh", "for Scrabble"),
    ):
        of_catalogue = msgspec.Raw(catalogue.load(ruleset).model_dump_json().encode())
        await tell(database, "registration", tournament, *started(tournament, FIVE, of_catalogue))
        await done(database)
        known = catalogue.load(ruleset).stages[0].id
        refused = await asked_for(client, of, tournament, known)
        document = problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "format-does-not-fit")
        assert why in (document.detail or "")


def test_letters_count() -> None:
    assert [in_letters(number) for number in (1, 26, 27, 52, 703)] == ["A", "Z", "AA", "AZ", "AAA"]
