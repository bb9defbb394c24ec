"""Commands at terminals, and on disks, that are not as they should be."""

import errno
import os
import subprocess
import sys

import click
import pytest

from deploy.commands.folder import plain_errors


def test_what_a_terminal_has_no_letter_for_is_left_out_instead_of_all() -> None:
    asked = [sys.executable, "-m", "deploy.cli", "story", "--help"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    said = subprocess.run(asked, capture_output=True, env=environment, check=False)  # noqa: S603 - our own command
    assert (said.returncode, b"captain ?" in said.stdout) == (0, True), said.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_on_which_nothing_can_be_written_is_no_fault_of_ours(number: int) -> None:
    with pytest.raises(click.ClickException, match="see that there is room"), plain_errors():
        raise OSError(number, os.strerror(number))


def test_another_fault_of_the_system_stays_one() -> None:
    with pytest.raises(OSError, match="Input/output"), plain_errors():
        raise OSError(errno.EIO, os.strerror(errno.EIO))
