"""Registration, on a database of its own."""

from collections.abc import AsyncGenerator

import pytest

from tests.api.asking import Client, service
from tests.databases import lent


@pytest.fixture(scope="module")
async def client(server: str) -> AsyncGenerator[Client]:
    """For all tests of a module, each of which founds what it needs."""
    async with lent(server) as (database,), service(database) as client:
        yield client


@pytest.fixture
async def new_client(database: str) -> AsyncGenerator[Client]:
    """Where nobody has ever asked anything."""
    async with service(database) as client:
        yield client
