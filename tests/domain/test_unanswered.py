"""What an operator reads of a database that gave no answer."""

import asyncpg
import pytest

from deploy.databases import why_unanswered


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 8005)"),
        asyncpg.InterfaceError("cannot perform operation: another operation is in progress"),
        asyncpg.InternalClientError("got result for unknown protocol state 12"),
        asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
        asyncpg.CannotConnectNowError("the database system is starting up"),
        asyncpg.AdminShutdownError("terminating connection due to administrator command"),
    ],
)
def test_of_a_server_that_went_away_it_is_said_what_to_do(error: Exception) -> None:
    assert why_unanswered(error).startswith("PostgreSQL does not answer. Run this again once")


def test_what_a_server_says_itself_is_told() -> None:
    full = asyncpg.DiskFullError("could not extend file: No space left on device\nHINT:  Check free disk space.")
    assert why_unanswered(full) == "PostgreSQL says: could not extend file: No space left on device"
