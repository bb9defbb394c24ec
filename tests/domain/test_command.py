"""The command `roundlog` itself."""

from importlib.metadata import version

from click.testing import CliRunner

from deploy.cli import main


def test_it_says_its_version() -> None:
    said = CliRunner().invoke(main, ["--version"], prog_name="roundlog")
    assert (said.exit_code, said.output) == (0, f"roundlog {version('roundlog')}\n")
