"""A broker, for whoever leaves it running or kills it."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from deploy.local import nats


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncGenerator[nats.NatsServer]:
    async with nats.running(tmp_path) as running:
        yield running
