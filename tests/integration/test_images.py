"""What goes into an image is enough: a service runs from `shared/`, its own folder and what serves it, knowing no other."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import SERVICES

ROOT = Path(__file__).parents[2]
ADDRESSES = {"ROUNDLOG_DATABASE_URL": "postgresql://nobody@localhost/nothing", "ROUNDLOG_NATS_URL": "nats://localhost"}


def image(folder: Path, *contents: str) -> Path:
    for content in contents:
        source, target = ROOT / content, folder / content
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    return folder


def run(folder: Path, code: str) -> str:
    environment = {"PYTHONPATH": str(folder), "PATH": "", **ADDRESSES}
    return subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code], cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_needs_only_its_own_folder_shared_and_what_serves_it(service: str, tmp_path: Path) -> None:
    serving = [f"deploy/{name}.py" for name in ("__init__", "serve", "web_server", "http_connection")]
    folder = image(tmp_path, "shared", *serving, "services/__init__.py", f"services/{service}")
    app = f"import deploy.web_server; import services.{service}.app as app; print(app.create_app().title, app.__file__)"
    assert run(folder, app).split() == ["Roundlog", service, str(folder / "services" / service / "app.py")]


def test_the_migration_needs_only_shared_and_itself(tmp_path: Path) -> None:
    folder = image(tmp_path, "shared", "deploy/__init__.py", "deploy/databases.py")
    migrations = run(folder, "from deploy.databases import MIGRATIONS; print(*MIGRATIONS.values())").split()
    assert [Path(migration) for migration in migrations] == [
        folder / f"shared/migrations/{name}.sql"
        for name in (
            "log",
            "inbox",
            "beside",
            "names",
            "personal",
            "licences",
            "shown_names",
            "terms",
            "persons",
            "receiving",
            "proof",
            "checkpoints",
            "openings",
            "words",
            "webhooks",
            "webhook_acts",
            "arrivals",
            "webhook_calls",
        )
    ]
