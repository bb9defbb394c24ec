"""What services may not write in their logs, whatever happens to them: an error, or a traceback."""

import re
from pathlib import Path

# Two errors are said rightly: that a service was asked to stop while somebody was being answered, and that a disk is full.
SAID_RIGHTLY = r"Cancel \d+ running task|No space left on device"
FAULT = re.compile(rf'"level": ?"(error|critical)"(?!.*({SAID_RIGHTLY}))|Traceback .most recent call last.')
# A connection was given back while its server ended, by somebody who did not wait for that any more.
OF_NOBODY = "coro=<PoolConnectionHolder.release()"


def faults_in(log: Path) -> list[str]:
    lines = log.read_text(errors="replace").splitlines()
    return [line for line in lines if FAULT.search(line) and OF_NOBODY not in line]
