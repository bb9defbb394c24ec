"""A platform as its users start it, for the tests of one module."""

from collections.abc import Generator

import pytest

from deploy.local.folder import Folder
from tests.integration.launching import Platform, free_base


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    platform = Platform(folder=Folder(path=tmp_path_factory.mktemp("platform") / "data"), base_port=free_base())
    try:
        started = platform.up("--detach")
        assert started.returncode == 0, started.stdout
        yield platform
    finally:
        platform.clear()
