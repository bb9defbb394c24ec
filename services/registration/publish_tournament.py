"""What neighbours are told of a tournament and its field, decided when it is appended."""

from services.registration.domain.tournament import Event as TournamentEvent
from services.registration.domain.tournament import entry_facts, facts, level_facts
from services.registration.domain.tournament.plan_facts import HallChanged, PlanChanged
from shared.contracts import registration as public

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


def of_tournament(event: TournamentEvent) -> OfTournament | None:
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
        case PlanChanged():
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
            HallChanged()
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
            | entry_facts.TournamentPlaced()
            | entry_facts.EntryDetailed()
            | entry_facts.LineUpChanged()
            | entry_facts.EligibilityJudged()
            | entry_facts.RegionApproved()
            | entry_facts.EntrantWaits()
            | entry_facts.ReserveCalled()
            | entry_facts.PlaceConfirmed()
            | entry_facts.PaymentRecorded()
            | entry_facts.RefundDue()
            | entry_facts.RefundRecorded()
            | entry_facts.WaiverRequested()
            | entry_facts.WaiverGranted()
            | entry_facts.WaiverRefused()
            | entry_facts.MembersPresent()
            | entry_facts.EntrantLate()
            | entry_facts.SpectatorApproved()
            | level_facts.NextLevelNamed()
            | level_facts.OrderNoted()
            | level_facts.OriginNamed()
            | level_facts.OriginDropped()
            | level_facts.EntrantQualified()
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
