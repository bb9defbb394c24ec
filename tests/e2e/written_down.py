"""A tournament that was played on the platform, read back from what it shows and written down as a tournament file."""

from collections.abc import Mapping, Sequence
from typing import Any

from deploy.demo.client import User
from deploy.demo.preparation import ADVANCE, Cup, CupPlan
from shared.rulesets.settings import announces_advance
from tests.e2e.auditing import log, settled
from tests.e2e.record import ids
from tests.integration.launching import Platform

type File = dict[str, Any]

OF_ENTRIES = ("history", "carried")
OF_ENTRANTS = ("id", "number", "rating", "lists", "school", "from_round")
OF_PAIRS = ("table", "group", "match")
OF_RESULTS = ("scores", "decided_by")
OF_SEATS = ("winner", "draw_wins")  # a file has the entrant where an answer has the seat


async def written_down(platform: Platform, official: User, cup: Cup, wanted: CupPlan) -> File:
    entries = (await official.look("registration", f"{cup.path}/entries?limit=200"))["items"]
    groups = await groups_of(official, cup)
    stages = [{"id": one.id, "rounds": await rounds(official, cup, one.id)} for one in cup.ruleset.stages]
    file: File = {
        "format": "roundlog.tournament/1",
        "ruleset": cup.ruleset.id,
        "options": dict(wanted.options),
        "entrants": [entrant(one) | groups.get(one["entrant"]["id"], {}) for one in entries],
        "stages": [one for one in stages if one["rounds"]],
        "decisions": [some(one, "stage", "kind", "order") for one in settled(log(platform, "standings"), cup.id)],
    }
    return file | ({"advance": ADVANCE} if announces_advance(cup.ruleset) else {})


def entrant(entry: Mapping[str, Any]) -> File:
    return some(entry["entrant"], *OF_ENTRANTS) | some(entry, *OF_ENTRIES)


async def groups_of(official: User, cup: Cup) -> Mapping[str, File]:
    first = cup.ruleset.stages[0]
    if cup.ruleset.pairing.system != "groups":
        return {}
    shown = await official.look("pairing", f"{cup.of(first.id)}/groups")
    return {one["entrant"]: {"group": group["group"]} for group in shown["groups"] for one in group["entrants"]}


async def rounds(official: User, cup: Cup, stage: str) -> list[File]:
    listed = (await official.look("pairing", f"{cup.of(stage)}/rounds"))["rounds"]
    played = [one["round"] for one in listed if one["status"] == "completed"]
    return [await one_round(official, f"{cup.of(stage)}/rounds/{number}", number) for number in played]


async def one_round(official: User, path: str, number: int) -> File:
    published = await official.look("pairing", path)
    sheets = (await official.look("results", f"{path}/games?limit=200"))["items"]
    results = {sheet["id"]: sheet["result"] for sheet in sheets}
    games = [game(pair, results[pair["game"]]) for pair in published["pairs"]]
    return {"number": number, "games": games, "byes": ids(published["byes"])}


def game(pair: Mapping[str, Any], result: Mapping[str, Any]) -> File:
    first = result["first"] or pair["first"]
    number = {} if pair["number"] is None else {"game": pair["number"]}
    begins = {} if first is None else {"first": first}
    seats = ids(pair["seats"])
    return {"seats": seats} | some(pair, *OF_PAIRS) | some(result, *OF_RESULTS) | sides(result, seats) | number | begins


def sides(result: Mapping[str, Any], seats: Sequence[str]) -> File:
    """Who has won is said only where the match went on after a draw."""
    wanted = OF_SEATS if result["decided_by"] is not None else OF_SEATS[1:]
    return {name: seats[result[name]] for name in wanted if result[name] is not None}


def some(shown: Mapping[str, Any], *names: str) -> File:
    return {name: shown[name] for name in names if shown.get(name) is not None}
