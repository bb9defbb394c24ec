"""Four processes, one appointment: whoever is appointed at registration is somebody at every other service."""

import httpx

from deploy import SERVICES
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, kill, until
from tests.patience import PATIENCE


def test_an_appointment_holds_at_every_service_whatever_dies(platform: Platform) -> None:
    operator, auditor = signed(platform, "operator"), signed(platform, "otto")
    registration = platform.url("registration")
    founded = httpx.post(f"{registration}/v1/federations", json={"name": "Go"}, headers=operator)
    federation = founded.json()["id"]
    officials = f"{registration}/v1/federations/{federation}/officials"
    kill(platform.pid("nats"))
    kill(platform.pid("standings"))
    appointed = httpx.post(officials, json={"subject": "otto", "role": "auditor"}, headers=operator)
    assert appointed.status_code == 200
    after_it = {"Roundlog-Min-Position": appointed.headers["Roundlog-Position"]}
    for service in SERVICES:
        log = f"{platform.url(service)}/v1/log/{federation}"
        until(lambda log=log: status(log, auditor | after_it) == 200)
        assert status(log, signed(platform, "nobody") | after_it) == 403
    dismissed = httpx.post(f"{officials}/dismiss", json={"subject": "otto", "role": "auditor"}, headers=operator)
    after_it = {"Roundlog-Min-Position": dismissed.headers["Roundlog-Position"]}
    for service in SERVICES:
        log = f"{platform.url(service)}/v1/log/{federation}"
        until(lambda log=log: status(log, auditor | after_it) == 403)


def status(url: str, headers: dict[str, str]) -> int:
    try:
        return httpx.get(url, headers=headers, timeout=PATIENCE).status_code
    except httpx.TransportError:
        return 0
