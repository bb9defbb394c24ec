"""Signing in as somebody, with the key of the folder: what the command prints that people use, without its start."""

from deploy import tokens
from tests.integration.launching import Platform


def signed(platform: Platform, subject: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens.signed(platform.folder.path / 'keys', subject, hours=1)}"}
