"""Signing in as somebody, with the command that people use."""

from tests.integration.launching import Platform


def signed(platform: Platform, subject: str) -> dict[str, str]:
    printed = platform.run("token", subject)
    assert printed.returncode == 0, printed.stderr
    return {"Authorization": f"Bearer {printed.stdout.strip()}"}
