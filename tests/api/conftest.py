"""Registration on a fresh database, for each test that asks it something."""

from collections.abc import AsyncGenerator

import pytest

from tests.api.asking import Client, service


@pytest.fixture
async def client(database: str) -> AsyncGenerator[Client]:
    async with service(database) as client:
        yield client
