"""What neighbours are told of our events, decided when they are appended."""

from services.registration.domain import federation
from shared.contracts import registration as public


def of_federation(event: federation.Event) -> public.FederationFounded | public.FederationRenamed:
    match event:
        case federation.FederationFounded():
            return public.FederationFounded(federation=event.federation, name=event.name)
        case federation.FederationRenamed():
            return public.FederationRenamed(federation=event.federation, name=event.name)
