"""Two whole platforms behind one proxy: each federation's host leads to its own, and nothing of one is in the other."""

import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

import httpx

from deploy.local import binaries, health
from deploy.local.folder import Folder
from deploy.local.options import ROOT
from deploy.local.ports import LOOPBACK, any_free
from deploy.local.processes import Program, inherited, spawn_ready
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, free_base, until
from tests.patience import PATIENCE

GO, CHESS, NOBODY = "go.example", "chess.example", "nobody.example"


@asynccontextmanager
async def front(folder: Path, cells: dict[str, Platform]) -> AsyncGenerator[httpx.AsyncClient]:
    """The proxy in front of cells, as deploy/cells/Caddyfile describes it."""
    folder.mkdir()
    port = any_free()
    lines = [f"{host} {cell.url('proxy').removeprefix('http://')}" for host, cell in cells.items()]
    (folder / "cells").write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = {
        "ROUNDLOG_CELLS": str(folder / "cells"),
        "ROUNDLOG_CELLS_PORT": f"{port}",
        "ROUNDLOG_CELLS_LISTEN": LOOPBACK,
    }
    program = Program(
        name="cells",
        command=(str(binaries.caddy()), "run", f"--config={ROOT / 'deploy/cells/Caddyfile'}", "--adapter=caddyfile"),
        log=folder / "cells.log",
        death_signal=signal.SIGKILL,
        endings=((signal.SIGTERM, PATIENCE),),
        environment=inherited() | told | {"HOME": str(folder)},
    )

    async def answers() -> bool:
        return await health.answer_status(port, "/healthz") is not None

    child = await spawn_ready(program, answers)
    try:
        async with httpx.AsyncClient(base_url=f"http://{LOOPBACK}:{port}", timeout=PATIENCE) as client:
            yield client
    finally:
        await child.end()
    assert child.outcome() == "ended with code 0"


async def test_a_federation_lives_in_the_cell_of_its_host(platform: Platform, tmp_path: Path) -> None:
    other = Platform(folder=Folder(path=tmp_path / "other"), base_port=free_base())
    with other.launcher():
        until(other.is_ready)
        async with front(tmp_path / "front", {GO: platform, CHESS: other}) as client:
            ours = signed(platform, "operator") | {"Host": GO}
            theirs = signed(other, "operator") | {"Host": CHESS}
            path = "/registration/v1/federations"

            founded = await client.post(path, json={"name": "Go"}, headers=ours)
            assert founded.status_code == HTTPStatus.CREATED, founded.text
            own = f"{path}/{founded.json()['id']}"
            assert (await client.get(own, headers=ours)).json()["name"] == "Go"
            assert (await client.get(own, headers=theirs)).status_code == HTTPStatus.NOT_FOUND
            assert (await client.get(own, headers=ours | {"Host": CHESS})).status_code == HTTPStatus.UNAUTHORIZED

            nowhere = await client.get("/healthz", headers={"Host": NOBODY})
            assert (nowhere.status_code, nowhere.json()["detail"][:13]) == (HTTPStatus.NOT_FOUND, "No federation")

            other.clear()  # killed as a whole
            away = await client.get("/healthz", headers={"Host": CHESS})
            assert (away.status_code, away.headers["Retry-After"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "2")
            assert (await client.get(own, headers=ours)).status_code == HTTPStatus.OK


async def test_who_listens_does_not_keep_it_from_being_started_again(platform: Platform, tmp_path: Path) -> None:
    operator = signed(platform, "operator") | {"Host": GO}
    async with httpx.AsyncClient(timeout=PATIENCE) as listener:
        async with front(tmp_path / "front", {GO: platform}) as client:
            founded = await client.post("/registration/v1/federations", json={"name": "Go"}, headers=operator)
            live = client.base_url.join(f"/registration/v1/live/{founded.json()['id']}")
            heard = await listener.send(listener.build_request("GET", live, headers=operator), stream=True)
            told = heard.aiter_raw()  # held, or it would be hung up
            assert await anext(told)
        await heard.aclose()
