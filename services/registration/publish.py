"""What neighbours are told of our events, decided when they are appended."""

import msgspec
from msgspec.structs import asdict

from services.registration.domain import (
    accounts,
    captains,
    federation,
    homes,
    notices,
    officials,
    person,
    ratings,
    roll,
    rulesets,
    scorer_links,
    seasons,
    series,
)
from services.registration.domain.tournament import facts
from shared.access.scorer_links import ROLE
from shared.contracts import registration as public
from shared.values import Value


def message_of[Message: Value](event: Value, message: type[Message]) -> Message:
    """The message has what its fields are named for, and nothing else of the event."""
    return msgspec.convert(event, message, from_attributes=True)


def of_federation(event: federation.Event) -> public.FederationFounded | public.FederationRenamed:
    match event:
        case federation.FederationFounded():
            return message_of(event, public.FederationFounded)
        case federation.FederationRenamed():
            return message_of(event, public.FederationRenamed)


def of_officials(event: officials.Event) -> public.OfficialAppointed | public.OfficialDismissed:
    match event:
        case officials.OfficialAppointed():
            return message_of(event, public.OfficialAppointed)
        case officials.OfficialDismissed():
            return message_of(event, public.OfficialDismissed)


def of_captains(event: captains.Event) -> public.CaptainNamed | None:
    """Tokens speak for themselves: which were issued by whom is for those who look into the log."""
    match event:
        case captains.CaptainTokenIssued():
            return None
        case captains.CaptainNamed() | captains.CaptainDismissed():
            return message_of(event, public.CaptainNamed)


def of_scorer_links(event: scorer_links.Event) -> public.OfficialAppointed | public.OfficialDismissed:
    """To neighbours a link is a scorer like others, who is dismissed once."""
    match event:
        case scorer_links.ScorerLinkIssued():
            return public.OfficialAppointed(scope=event.tournament, subject=event.subject, role=ROLE)
        case scorer_links.ScorerLinkRevoked():
            return public.OfficialDismissed(scope=event.tournament, subject=event.subject, role=ROLE, terms=1)


def of_notices(event: notices.Event) -> public.NoticePosted | public.NoticeRecalled:
    """What was told may be about people, so neighbours hear only that something was."""
    match event:
        case notices.NoticePosted():
            return message_of(event, public.NoticePosted)
        case notices.NoticeRecalled():
            return message_of(event, public.NoticeRecalled)


def of_captain_keys(event: captains.CaptainKeyIntroduced) -> public.CaptainKeyIntroduced:
    return message_of(event, public.CaptainKeyIntroduced)


def of_person(event: person.Event) -> public.PersonRegistered | public.PersonMerged | public.PersonErased | None:
    """Persons are nobody's business but their federation's, so neighbours hear whose an id is, and no more."""
    match event:
        case person.PersonRegistered():
            return message_of(event, public.PersonRegistered)
        case person.PersonMerged():
            return message_of(event, public.PersonMerged)
        case person.PersonErased():
            return message_of(event, public.PersonErased)
        case (
            person.PersonRenamed()
            | person.ParticularsChanged()
            | person.DuplicateTakenOver()
            | person.AccountGiven()
            | person.AccountTaken()
        ):
            return None


def of_accounts(_: accounts.Event) -> None:
    """As whom somebody is known who signs in is a matter between them and the federation."""


def of_homes(_: homes.Event) -> None:
    """Where entrants come from goes with the entrants."""


def of_register(_: person.PersonsImported) -> None:
    """Nobody else has to know by which file somebody came."""


def of_claims(_: series.Event) -> None:
    """What is claimed in a series is a matter between its tournaments."""


def of_seasons(event: seasons.Event) -> public.SeasonOpened | None:
    match event:
        case seasons.SeasonOpened():
            return message_of(event, public.SeasonOpened)
        case seasons.ChampionshipNamed() | seasons.QualificationNoted():
            return None


def of_roll(_: roll.Event) -> None:
    """Who is a member is a matter of the federation."""


def of_ratings(_: ratings.Event) -> None:
    """Standings has told them to everybody."""


def of_rulesets(_: rulesets.Event) -> None:
    """Neighbours get the ruleset of each tournament with its start."""


type EntrantFact = (
    facts.EntrantAdmitted
    | facts.EntrantChanged
    | facts.MeetingForbidden
    | facts.EntrantLeft
    | facts.EntrantReturned
    | facts.EntrantAbsent
    | facts.EntrantPresent
)
type LifeFact = (
    facts.RegistrationOpened | facts.TournamentStarted | facts.TournamentCompleted | facts.TournamentCancelled
)


def of_tournament(event: facts.Event) -> Value | None:
    """Who has entered is told when the tournament starts: until then the field may change with every hour."""
    match event:
        case facts.TournamentAnnounced():
            return msgspec.convert({**asdict(event), "ruleset": event.ruleset_id}, public.TournamentAnnounced)
        case facts.LotSourceMoved():  # a lot is worth what everybody can check
            return message_of(event, public.LotSourceMoved)
        case facts.LotsOpened():
            return message_of(event, public.LotsOpened)
        case facts.ShownNamesDecided():
            return message_of(event, public.ShownNamesDecided)
        case facts.PlanChanged():
            return message_of(event, public.TournamentReplanned)
        case (
            facts.RegistrationOpened()
            | facts.TournamentStarted()
            | facts.TournamentCompleted()
            | facts.TournamentCancelled()
        ):
            return of_life(event)
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
            | facts.SeriesNamed()
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
            | facts.ReservePassedOver()
            | facts.PlaceConfirmed()
            | facts.PaymentRecorded()
            | facts.RefundDue()
            | facts.RefundRecorded()
            | facts.WaiverRequested()
            | facts.WaiverGranted()
            | facts.WaiverRefused()
            | facts.FeeNoted()
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


def of_life(event: LifeFact) -> Value:
    match event:
        case facts.RegistrationOpened():
            return message_of(event, public.RegistrationOpened)
        case facts.TournamentStarted():
            return message_of(event, public.TournamentStarted)
        case facts.TournamentCompleted():
            return message_of(event, public.TournamentCompleted)
        case facts.TournamentCancelled():
            return message_of(event, public.TournamentCancelled)


def of_entrant(event: EntrantFact) -> Value:
    """Nobody hears of the key that decided between equals, of the organiser's decision, or of why somebody is back."""
    match event:
        case facts.EntrantAdmitted():
            return message_of(event, public.EntrantAdmitted)
        case facts.EntrantChanged():
            return message_of(event, public.EntrantChanged)
        case facts.MeetingForbidden():
            return message_of(event, public.MeetingForbidden)
        case facts.EntrantLeft():
            return message_of(event, public.EntrantLeft)
        case facts.EntrantReturned():
            return message_of(event, public.EntrantReturned)
        case facts.EntrantAbsent():
            return message_of(event, public.EntrantAbsent)
        case facts.EntrantPresent():
            return message_of(event, public.EntrantPresent)
