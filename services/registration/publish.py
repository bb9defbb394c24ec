"""What neighbours are told of our events, decided when they are appended."""

from services.registration.domain import (
    captain_keys,
    captains,
    claims,
    federation,
    homes,
    officials,
    person,
    ratings,
    register,
    rulesets,
    seasons,
)
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
            return public.OfficialDismissed(
                scope=event.scope, subject=event.subject, role=event.role, terms=event.terms
            )


def of_captains(event: captains.Event) -> public.CaptainNamed | None:
    """Tokens speak for themselves: which were issued by whom is for those who look into the log."""
    match event:
        case captains.CaptainTokenIssued():
            return None
        case captains.CaptainNamed() | captains.CaptainDismissed():
            return public.CaptainNamed(tournament=event.tournament, entrant=event.entrant, generation=event.generation)


def of_captain_keys(event: captain_keys.CaptainKeyIntroduced) -> public.CaptainKeyIntroduced:
    return public.CaptainKeyIntroduced(key=event.key, public=event.public)


def of_person(event: person.Event) -> public.PersonRegistered | public.PersonMerged | public.PersonErased | None:
    """Persons are nobody's business but their federation's, so neighbours hear whose an id is, and no more."""
    match event:
        case person.PersonRegistered():
            return public.PersonRegistered(person=event.person, federation=event.federation)
        case person.PersonMerged():
            return public.PersonMerged(person=event.person, into=event.into)
        case person.PersonErased():
            return public.PersonErased(person=event.person, also=event.also, tournaments=event.tournaments)
        case person.PersonRenamed() | person.ParticularsChanged() | person.DuplicateTakenOver():
            return None


def of_homes(_: homes.Event) -> None:
    """Where entrants come from goes with the entrants."""


def of_register(_: register.PersonsImported) -> None:
    """By which file somebody came is nobody's business."""


def of_claims(_: claims.Event) -> None:
    """What is claimed in a series is a matter between its tournaments."""


def of_seasons(event: seasons.Event) -> public.SeasonOpened | None:
    match event:
        case seasons.SeasonOpened():
            return public.SeasonOpened(
                season=event.season, federation=event.federation, name=event.name, rules=event.rules
            )
        case seasons.ChampionshipNamed() | seasons.QualificationNoted():
            return None


def of_ratings(_: ratings.Event) -> None:
    """Standings has told them to everybody."""


def of_rulesets(_: rulesets.Event) -> None:
    """Neighbours get the ruleset of each tournament with its start."""
