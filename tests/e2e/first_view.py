"""How long somebody with a slow phone waits for the first view of a page, by one clock: `make first-view`.

The clock is that of the page: from the navigation to the first frame that can be read and used, in a browser that is made four times
slower, 150 ms away, with 1.6 Mbit/s. What else the machine does makes it slower still, so the load is told with it; a test holds what
does not depend on that (`test_a_slow_phone_in_a_hall_has_the_first_view_in_a_second`)."""

import asyncio
import os
from collections.abc import Sequence
from statistics import median

from tests.e2e.browser import close_browser
from tests.e2e.pictures import started, under_way
from tests.e2e.test_pages import Seen, at, first_of, network_of, visit, visited
from tests.integration.launching import Platform

VISITS = 9  # of each page; each is the first one of its visitor


async def measure(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await under_way(network)
        leader = (await first_of(network, cup))["entrant"]
    pages = {"home": "/", "now": at(cup), "table": f"{at(cup)}/table", "entrant": f"{at(cup)}/entrants/{leader}"}
    visits = [
        visit(f"{name} {time}", path, slow=True, measured=True)
        for time in range(VISITS)
        for name, path in pages.items()
    ]
    before = os.getloadavg()[0]
    try:
        seen = await visited(platform, visits)
    finally:
        await close_browser()
    for name in pages:
        print(f"{name:8} {told([seen[f'{name} {time}'] for time in range(VISITS)])}")
    whole = told(list(seen.values()))
    print(
        f"any page {whole}; the machine: {os.cpu_count()} cores, load {before:.1f} before, {os.getloadavg()[0]:.1f} after"
    )


def told(seen: Sequence[Seen]) -> str:
    took = [one["usable"] / 1000 for one in seen]
    return f"{median(took):.2f} s, the median of {len(took)} visits from {min(took):.2f} to {max(took):.2f} s"


if __name__ == "__main__":
    with started() as platform:
        asyncio.run(measure(platform))
