"""After a tournament: whether anything was lost, or is there twice, or does not follow from what was posted."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import httpx

from deploy import SERVICES, tokens
from tests.e2e.record import Record, rows
from tests.integration.launching import Platform, until
from tests.logged import lines_of
from tests.naive_scrabble import Row
from tests.patience import PATIENCE


def require_whole(platform: Platform, records: Mapping[str, Record]) -> Mapping[str, list[Row]]:
    """Answers the final table of each of the tournaments, about which all agree."""
    logs = {service: log(platform, service) for service in SERVICES}
    for entries in logs.values():
        require_gapless(entries)
    for tournament, record in records.items():
        require_reported_once([one for one in logs["results"] if one["record"]["scope"] == tournament], record)
        record.lots = [[entrant for (entrant,) in one["order"]] for one in settled(logs["standings"], tournament)]
    final = {tournament: record.table() for tournament, record in records.items()}
    assert {tournament: shown(platform, tournament) for tournament in final} == final
    rebuilt = platform.run("rebuild")
    assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr
    assert {tournament: shown(platform, tournament) for tournament in final} == final
    assert platform.run("parked").stdout.strip() == "Nothing is parked, and nothing has stopped."
    until(platform.is_ready)
    return final


def shown(platform: Platform, tournament: str) -> list[Row]:
    table = f"{platform.url('standings')}/v1/tournaments/{tournament}/stages/swiss/standings"
    return rows(httpx.get(table).raise_for_status().json()["standings"])


def log(platform: Platform, service: str) -> list[dict[str, Any]]:
    token = tokens.signed(platform.folder.path / "keys", tokens.OPERATOR, hours=1)
    operator = {"Authorization": f"Bearer {token}"}
    answer = httpx.get(f"{platform.url(service)}/v1/log", headers=operator, timeout=PATIENCE)
    return lines_of(answer.raise_for_status().content)


def settled(records: Iterable[Mapping[str, Any]], tournament: str) -> list[dict[str, Any]]:
    """The ties of a tournament that were settled, in order, out of the log of standings."""
    several = [one["record"] for one in records]
    return [one["data"] for one in several if one["scope"] == tournament and one["type"] == "TieSettled"]


def require_gapless(records: list[dict[str, Any]]) -> None:
    assert [one["position"] for one in records] == list(range(1, len(records) + 1))
    public = [one["public"] for one in records if one["public"] is not None]
    assert public == list(range(1, len(public) + 1))
    assert len({one["record"]["id"] for one in records}) == len(records)
    versions = Counter[str]()
    for one in records:
        versions[one["record"]["stream"]] += 1
        assert one["record"]["version"] == versions[one["record"]["stream"]]


def require_reported_once(records: list[dict[str, Any]], record: Record) -> None:
    """Every acknowledged report, each once, and nothing else; and every conflict, and no other game, was a dispute."""
    said = [one["record"]["data"] for one in records if one["record"]["type"] == "ResultReported"]
    assert Counter(as_posted(one) for one in said) == record.posted()
    assert {one["game"] for one in said if one["then"] == "disputed"} == record.disputes
    decided = [one["record"]["data"]["game"] for one in records if one["record"]["type"] == "ResultDecided"]
    assert Counter(decided) == Counter(record.disputes)
    agreed = [one["record"]["data"]["game"] for one in records if one["record"]["type"] == "ResultAgreed"]
    assert Counter(agreed) == Counter(record.results.keys() - record.disputes)


def as_posted(said: Mapping[str, Any]) -> tuple[str, str, tuple[int, int]]:
    report = said["report"]
    one, other = report["result"]["scores"]
    return said["game"], report["by"]["person"], (one, other)
