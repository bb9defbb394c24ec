"""The limit of recording a result: a bare FastAPI route that inserts what it is sent, and commits. It keeps no promise.

`python -m benchmarks.plain_route DATABASE FD` serves it on an inherited socket, with the web server that services have.
"""

import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

POOL = 64
TABLE = """
  create table reports (id uuid primary key default uuidv7(), game text not null, scores int[] not null,
    signed_by int[] not null, at timestamptz not null default now());
  create index on reports (game);
"""
INSERT = "insert into reports (game, scores, signed_by) values ($1, $2, $3) returning id"


class Report(BaseModel):
    scores: list[int]
    signed_by: list[int]


class Recorded(BaseModel):
    id: UUID
    game: str
    scores: list[int]


def create_app(database: str) -> FastAPI:
    pools: list[asyncpg.Pool[asyncpg.Record]] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with asyncpg.create_pool(database, min_size=POOL, max_size=POOL) as pool:
            pools.append(pool)
            yield

    app = FastAPI(lifespan=lifespan)

    @app.get("/healthz")
    async def health() -> dict[str, bool]:  # pyright: ignore[reportUnusedFunction] - the app calls it
        return {"alive": True}

    @app.post("/v1/games/{game_id}/reports")
    async def report(game_id: str, body: Report) -> Recorded:  # pyright: ignore[reportUnusedFunction] - as above
        identity = await pools[0].fetchval(INSERT, game_id, body.scores, body.signed_by)
        return Recorded(id=identity, game=game_id, scores=body.scores)

    return app


def main() -> None:
    database, descriptor = sys.argv[1:]
    configuration = uvicorn.Config(create_app(database), loop="uvloop", ws="none", access_log=False, log_level="error")
    server = uvicorn.Server(configuration)
    server.run(sockets=[socket.socket(fileno=int(descriptor))])


if __name__ == "__main__":
    main()
