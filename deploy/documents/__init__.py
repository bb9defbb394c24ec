"""Writes the documents that are generated from the code, or checks that they are up to date.

`docs/openapi/<service>.json`: what each service offers, for those who generate clients.
`docs/ruleset.schema.json`: the form of a ruleset, for those who write one.
`docs/records.md`: what stands in the logs, for auditors and for whoever writes a verifier.
`docs/problems.md`: why a request is refused, for those who write a frontend.
`docs/events.md` and `docs/asyncapi.json`: what services tell each other, for people and for programs.
`deploy/accounts.conf`: what each service may do at the broker, in the broker's own words.
"""

import importlib
import json
from collections.abc import Mapping
from pathlib import Path

import click

from deploy import SERVICES, accounts
from deploy.documents import events, problems, records
from shared.http.openapi import json_schema
from shared.rulesets.schema import Ruleset

DOCS = Path(__file__).parents[2] / "docs"

# An app wants to know its servers when it is made; describing itself, it never calls them.
NOWHERE = {"ROUNDLOG_DATABASE_URL": "postgresql://nobody@localhost/nothing", "ROUNDLOG_NATS_URL": "nats://localhost"}


@click.command(help=__doc__)
@click.option("--check", is_flag=True, help="Change nothing; end with 1 when a document is out of date.")
def main(*, check: bool) -> None:
    try:
        made = documents()
    except records.NoWords as nothing:
        raise click.ClickException(str(nothing)) from nothing
    stale = [path for path, text in made.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if check:
            click.echo(f"{path.relative_to(DOCS.parent)} is out of date: run `make docs`", err=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[path])
    if check and stale:
        raise SystemExit(1)


def documents() -> Mapping[Path, str]:
    return {
        DOCS / "ruleset.schema.json": ruleset_schema(),
        DOCS / "records.md": records.written(),
        DOCS / "problems.md": problems.written(),
        DOCS / "events.md": events.for_people(),
        DOCS / "asyncapi.json": events.for_programs(),
        DOCS.parent / "deploy" / "accounts.conf": accounts.written(),
        **{DOCS / "openapi" / f"{service}.json": openapi(service) for service in SERVICES},
    }


def ruleset_schema() -> str:
    return json.dumps(json_schema(Ruleset), indent=2, ensure_ascii=False) + "\n"


def openapi(service: str) -> str:
    app = importlib.import_module(f"services.{service}.app").create_app()
    return json.dumps(app.openapi(), indent=2, ensure_ascii=False) + "\n"
