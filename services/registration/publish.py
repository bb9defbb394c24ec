"""What neighbours are told of our events, decided when they are appended."""

from services.registration.domain import (
    captains,
    clubs_and_schools,
    federation,
    officials,
    person,
    ratings,
    rulesets,
    seasons,
    series,
)
from services.registration.domain.captains import (
    CaptainDismissed,
    CaptainKeyIntroduced,
    CaptainNamed,
    CaptainTokenIssued,
)
from services.registration.domain.federation import FederationFounded, FederationRenamed
from services.registration.domain.person import (
    DuplicateTakenOver,
    ParticularsChanged,
    PersonErased,
    PersonMerged,
    PersonRegistered,
    PersonRenamed,
    PersonsImported,
)
from services.registration.domain.seasons import ChampionshipNamed, QualificationNoted, SeasonOpened
from services.registration.domain.tournament import facts
from shared.contracts import registration as public


def of_federation(event: federation.Event) -> public.FederationFounded | public.FederationRenamed:
    match event:
        case FederationFounded():
            return public.FederationFounded(federation=event.federation, name=event.name)
        case FederationRenamed():
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
        case CaptainTokenIssued():
            return None
        case CaptainNamed() | CaptainDismissed():
            return public.CaptainNamed(tournament=event.tournament, entrant=event.entrant, generation=event.generation)


def of_captain_keys(event: CaptainKeyIntroduced) -> public.CaptainKeyIntroduced:
    return public.CaptainKeyIntroduced(key=event.key, public=event.public)


def of_person(event: person.Event) -> public.PersonRegistered | public.PersonMerged | public.PersonErased | None:
    """Persons are nobody's business but their federation's, so neighbours hear whose an id is, and no more."""
    match event:
        case PersonRegistered():
            return public.PersonRegistered(person=event.person, federation=event.federation)
        case PersonMerged():
            return public.PersonMerged(person=event.person, into=event.into)
        case PersonErased():
            return public.PersonErased(person=event.person, also=event.also, tournaments=event.tournaments)
        case PersonRenamed() | ParticularsChanged() | DuplicateTakenOver():
            return None


def of_homes(_: clubs_and_schools.Event) -> None:
    """Where entrants come from goes with the entrants."""


def of_register(_: PersonsImported) -> None:
    """By which file somebody came is nobody's business."""


def of_claims(_: series.Event) -> None:
    """What is claimed in a series is a matter between its tournaments."""


def of_seasons(event: seasons.Event) -> public.SeasonOpened | None:
    match event:
        case SeasonOpened():
            return public.SeasonOpened(
                season=event.season, federation=event.federation, name=event.name, rules=event.rules
            )
        case ChampionshipNamed() | QualificationNoted():
            return None


def of_ratings(_: ratings.Event) -> None:
    """Standings has told them to everybody."""


def of_rulesets(_: rulesets.Event) -> None:
    """Neighbours get the ruleset of each tournament with its start."""


# A tournament and its field


type OfTournament = (
    public.TournamentAnnounced
    | public.ShownNamesDecided
    | public.TournamentReplanned
    | public.TournamentStarted
    | public.TournamentCompleted
    | public.TournamentCancelled
    | OfEntrant
)


type OfEntrant = (
    public.EntrantAdmitted
    | public.EntrantChanged
    | public.MeetingForbidden
    | public.EntrantLeft
    | public.EntrantReturned
    | public.EntrantAbsent
    | public.EntrantPresent
)


def of_tournament(event: facts.Event) -> OfTournament | None:
    """Who has entered is told when the tournament starts: until then the field may change with every hour."""
    match event:
        case facts.TournamentAnnounced():
            return public.TournamentAnnounced(
                tournament=event.tournament,
                federation=event.federation,
                name=event.name,
                ruleset=event.ruleset_id,
                time_zone=event.time_zone,
                starts_on=event.starts_on,
                season=event.season,
                season_kind=event.season_kind,
                rating_list=event.rating_list,
                organisers=event.organisers,
                shown_names=event.shown_names,
            )
        case facts.ShownNamesDecided():
            return public.ShownNamesDecided(tournament=event.tournament, shown_names=event.shown_names)
        case facts.PlanChanged():
            return public.TournamentReplanned(tournament=event.tournament, name=event.name, starts_on=event.starts_on)
        case facts.TournamentStarted():
            return public.TournamentStarted(
                tournament=event.tournament,
                federation=event.federation,
                ruleset=event.ruleset,
                time_zone=event.time_zone,
                advance=event.advance,
            )
        case facts.TournamentCompleted():
            return public.TournamentCompleted(tournament=event.tournament)
        case facts.TournamentCancelled():
            return public.TournamentCancelled(tournament=event.tournament)
        case (
            facts.EntrantAdmitted()
            | facts.EntrantChanged()
            | facts.MeetingForbidden()
            | facts.EntrantLeft()
            | facts.EntrantReturned()
            | facts.EntrantAbsent()
            | facts.EntrantPresent()
        ):
            return of_entrant(event)
        case (
            facts.HallChanged()
            | facts.RegistrationOpened()
            | facts.CheckInOpened()
            | facts.AdvanceAnnounced()
            | facts.FirstRoundPostponed()
            | facts.ReviewBegun()
            | facts.PlayResumed()
            | facts.EntrantEntered()
            | facts.EntryCorrected()
            | facts.EntryWithdrawn()
            | facts.EntrantStruckOff()
            | facts.EntrantCheckedIn()
            | facts.CheckInUndone()
            | facts.ClosePersonsDeclared()
            | facts.ClosePersonsRevoked()
            | facts.TournamentPlaced()
            | facts.EntryDetailed()
            | facts.LineUpChanged()
            | facts.EligibilityJudged()
            | facts.RegionApproved()
            | facts.EntrantWaits()
            | facts.ReserveCalled()
            | facts.PlaceConfirmed()
            | facts.PaymentRecorded()
            | facts.RefundDue()
            | facts.RefundRecorded()
            | facts.WaiverRequested()
            | facts.WaiverGranted()
            | facts.WaiverRefused()
            | facts.MembersPresent()
            | facts.EntrantLate()
            | facts.SpectatorApproved()
            | facts.NextLevelNamed()
            | facts.OrderNoted()
            | facts.OriginNamed()
            | facts.OriginDropped()
            | facts.EntrantQualified()
        ):
            return None


def of_entrant(
    event: facts.EntrantAdmitted
    | facts.EntrantChanged
    | facts.MeetingForbidden
    | facts.EntrantLeft
    | facts.EntrantReturned
    | facts.EntrantAbsent
    | facts.EntrantPresent,
) -> OfEntrant:
    """Without the key that decided between equals, the organiser's decision, and why somebody is back."""
    match event:
        case facts.EntrantAdmitted():
            return of_somebody(public.EntrantAdmitted, event)
        case facts.EntrantChanged():
            return of_somebody(public.EntrantChanged, event)
        case facts.MeetingForbidden():
            return public.MeetingForbidden(
                tournament=event.tournament, entrants=event.entrants, last_rounds=event.last_rounds
            )
        case facts.EntrantLeft():
            return public.EntrantLeft(
                entrant=event.entrant,
                tournament=event.tournament,
                stage=event.stage,
                after_round=event.after_round,
                why=event.why,
            )
        case facts.EntrantReturned():
            return public.EntrantReturned(entrant=event.entrant, tournament=event.tournament)
        case facts.EntrantAbsent():
            return public.EntrantAbsent(
                entrant=event.entrant,
                tournament=event.tournament,
                stage=event.stage,
                round=event.round,
                points=event.points,
            )
        case facts.EntrantPresent():
            return public.EntrantPresent(
                entrant=event.entrant, tournament=event.tournament, stage=event.stage, round=event.round
            )


def of_somebody[Told: (public.EntrantAdmitted, public.EntrantChanged)](
    told: type[Told], event: facts.EntrantAdmitted | facts.EntrantChanged
) -> Told:
    """All that neighbours know of an entrant: as they came in, and as they are now."""
    return told(
        entrant=event.entrant,
        tournament=event.tournament,
        persons=event.persons,
        number=event.number,
        rating=event.rating,
        lists=event.lists,
        school=event.school,
        history=event.history,
        carried=event.carried,
        direct=event.direct,
        from_round=event.from_round,
    )
