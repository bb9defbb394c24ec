"""Area and regional tournaments of pIšQworky as files, played by the calculator of pairing itself."""

from collections.abc import Sequence
from typing import Any

from services.pairing.calculate import PairingShown, paired
from shared.refusals import Refusal
from shared.tournament.file import read
from shared.tournament.ranking import rank

type File = dict[str, Any]

FULL = {"zs": 12, "ss": 20}


def cup(teams: int, *, ruleset: str = "pisqworky-2025-ss-ot", schools: Sequence[str] = (), **more: Any) -> File:
    """T1, T2 and so on before their first round."""
    entrants: list[File] = [{"id": f"T{number}", "number": number} for number in range(1, teams + 1)]
    for one, school in zip(entrants, schools, strict=False):
        one["school"] = school
    file: File = {
        "format": "roundlog.tournament/1",
        "ruleset": ruleset,
        "seed": 2025,
        "advance": 1,
        "entrants": entrants,
        "stages": [{"id": "groups", "rounds": []}],
    }
    return file | more


def played(file: File, pairing: PairingShown, *, lead: int = 4) -> None:
    """The better start number wins; those at the first table are equal, and in a play-off the lot decides."""
    full = FULL[file["ruleset"].split("-")[2]]
    games: list[File] = []
    for pair in pairing.pairs:
        one, other = (int(seat.removeprefix("T")) for seat in pair.seats)
        won = 0 if pair.table == 1 else lead if one < other else -lead
        game = pair.model_dump(include={"table", "seats", "first", "group", "match"}, exclude_none=True)
        game["scores"] = [full // 2 + won, full // 2 - won]
        if pair.match and not won:
            game |= {"winner": pair.seats[0], "decided_by": "lot"}
        games.append(game)
    file["stages"][-1]["rounds"].append({"number": pairing.round, "games": games})


def to_the_end(file: File) -> list[PairingShown]:
    """All rounds of the stage that the file has last; ties of its table are settled by start number."""
    rounds: list[PairingShown] = []
    while (coming := next_of(file)) is not None:
        rounds.append(coming)
        played(file, coming)
    while unresolved := rank(read(file).accepted(), file["stages"][-1]["id"]).unresolved:
        tie = unresolved[0]
        settled = {"stage": file["stages"][-1]["id"], "kind": tie.needs, "order": list(tie.entrants)}
        file.setdefault("decisions", []).append(settled)
    return rounds


def next_of(file: File) -> PairingShown | None:
    try:
        return paired(file)
    except Refusal as refused:
        if type(refused).__name__ != "StageOver":
            raise
        return None


def play_off_of(file: File) -> list[PairingShown]:
    """After groups that are played."""
    file["stages"].append({"id": "play-off", "rounds": []})
    return to_the_end(file)
