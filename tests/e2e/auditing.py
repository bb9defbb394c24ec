"""After a tournament: whether anything was lost, or is there twice, or does not follow from what was posted."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import httpx

from deploy import SERVICES, tokens
from tests.e2e.record import Record, rows
from tests.integration.launching import Platform, until
from tests.patience import PATIENCE


def require_whole(platform: Platform, tournament: str, record: Record) -> list[tuple[Any, ...]]:
    """Answers the final table, which all agree about."""
    logs = {service: log(platform, service) for service in SERVICES}
    for records in logs.values():
        require_gapless(records)
    require_reported_once([one for one in logs["results"] if one["record"]["scope"] == tournament], record)
    final = record.table()
    table = f"{platform.url('standings')}/v1/tournaments/{tournament}/stages/swiss/standings"
    assert rows(httpx.get(table).json()["standings"]) == final
    rebuilt = platform.run("rebuild")
    assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr
    assert rows(httpx.get(table).json()["standings"]) == final
    assert platform.run("parked").stdout.strip() == "Nothing is parked, and nothing has stopped."
    until(platform.is_ready)
    return final


def log(platform: Platform, service: str) -> list[dict[str, Any]]:
    token = tokens.signed(platform.folder.path / "keys", tokens.OPERATOR, hours=1)
    operator = {"Authorization": f"Bearer {token}"}
    answer = httpx.get(f"{platform.url(service)}/v1/log", headers=operator, timeout=PATIENCE)
    return [json.loads(line) for line in answer.raise_for_status().text.splitlines()]


def settled(platform: Platform, tournament: str) -> list[dict[str, Any]]:
    """The ties that were settled, in order."""
    records = [one["record"] for one in log(platform, "standings")]
    return [one["data"] for one in records if one["scope"] == tournament and one["type"] == "TieSettled"]


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
