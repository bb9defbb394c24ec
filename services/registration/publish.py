"""What neighbours are told of our events, decided when they are appended."""

from services.registration.domain import federation, officials
from shared.contracts import registration as public


def of_federation(event: federation.Event) -> public.FederationFounded | public.FederationRenamed:
    match event:
        case federation.FederationFounded():
            return public.FederationFounded(federation=event.federation, name=event.name)
        case federation.FederationRenamed():
            return public.FederationRenamed(federation=event.federation, name=event.name)


def of_officials(event: officials.Event) -> public.OfficialAppointed | public.OfficialDismissed:
    match event:
        case officials.OfficialAppointed():
            return public.OfficialAppointed(scope=event.scope, subject=event.subject, role=event.role)
        case officials.OfficialDismissed():
            return public.OfficialDismissed(scope=event.scope, subject=event.subject, role=event.role)
