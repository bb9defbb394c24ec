"""How an entry is shown to officials: all that was said, paid and judged, what it still lacks, and its history."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import asdict

from services.registration.api.entrants.views import listed_entrant_view
from services.registration.api.entries.bodies import (
    AskedShown,
    EntryListed,
    EntrySheet,
    HappenedToEntry,
    HistoryOfEntry,
    LackShown,
    Paid,
    Sum,
    VerdictShown,
    WaiverShown,
)
from services.registration.api.permissions import OFFICIATE, entry_actions
from services.registration.domain.tournament.decider import TOURNAMENT
from services.registration.domain.tournament.entrants import (
    CheckedIn,
    Entered,
    EntrantState,
    EntryDetails,
    StruckOff,
    Withdrawn,
)
from services.registration.domain.tournament.facts import Asked, Event
from services.registration.domain.tournament.line_ups import with_two_teams
from services.registration.domain.tournament.payments import open_dues
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.start import lacks
from services.registration.domain.tournament.states import AnnouncedTournament, Cancelled, State, known
from shared.access.asker import Asker
from shared.http.problems import slug
from shared.log.envelope import Envelope
from shared.log.store import Recorded
from shared.numbers import exact, shown

WHY = ("reason", "decision", "why", "effect")  # fields of events that say why, the first that one has
BY = ("cited", "clause")


def entry_view(state: State, entrant: str, today: str, asker: Asker) -> EntrySheet:
    found = known(state)
    plain = listed_entry_view(found, entrant_of_id(found.roster, entrant), today, with_two_teams(found.roster))
    if not asker.may(OFFICIATE, found.plan.tournament):
        hide_subjects(plain, asker)
    return EntrySheet(**dict(plain), allowed_actions=entry_actions(entrant, found, asker))


def hide_subjects(entry: EntryListed, asker: Asker) -> None:
    """How an account is called is for officials, and for whose account it is."""
    own = asker.caller.subject if asker.caller else None
    for asked in (entry.entered_by, *(waiver.asked for waiver in entry.waivers)):
        if asked is not None and asked.subject != own:
            asked.subject = None


def listed_entry_views(state: AnnouncedTournament, today: str) -> list[EntryListed]:
    """All entries, in the order in which they came in."""
    both = with_two_teams(state.roster)
    return [listed_entry_view(state, entrant, today, both) for entrant in state.roster.entrants.values()]


def listed_entry_view(
    state: AnnouncedTournament, entrant: EntrantState, today: str, both: Mapping[str, Sequence[str]]
) -> EntryListed:
    details = state.roster.details_of(entrant.entrant)
    also = details.also
    waiting = [one.entrant for one in state.roster.waiting]
    missing = lacks(state, entrant, both) if isinstance(entrant, Entered | CheckedIn) else ()
    return EntryListed(
        entrant=listed_entrant_view(state, entrant),
        club=also.club,
        region=also.region,
        team=also.team,
        declared=list(also.declared),
        consents=list(also.consents),
        needs=list(also.needs),
        history=also.history,
        history_source=also.history_source,
        direct_source=also.direct_source,
        direct=also.direct,
        carried=shown(exact(also.carried)),
        approved_from=details.approval,
        entered_by=asked_view(details.entered_by),
        is_confirmed=details.is_confirmed,
        waits_as=waiting.index(entrant.entrant) + 1 if entrant.entrant in waiting else None,
        present=None if details.present is None else list(details.present),
        late=details.late,
        verdicts=[VerdictShown(**asdict(one)) for one in details.verdicts],
        due=due(state, entrant, details, today),
        settled_in=list(details.settled_in),
        payments=[Paid.model_validate(asdict(one) | {"amount": shown(one.amount)}) for one in details.money],
        refund_due=[
            Sum(amount=shown(amount), currency=currency) for currency, amount in details.refund_due.items() if amount
        ],
        waivers=[
            WaiverShown.model_validate(
                {"ground": ground, "status": status, "asked": asked_view(details.waiver_asked.get(ground))}
            )
            for ground, status in details.waivers.items()
        ],
        lacks=[LackShown(**asdict(lack)) for lack in missing],
    )


def asked_view(asked: Asked | None) -> AskedShown | None:
    return None if asked is None else AskedShown(**asdict(asked))


def due(state: AnnouncedTournament, entrant: EntrantState, details: EntryDetails, today: str) -> list[Sum]:
    """Whoever is gone before the start owes nothing any more."""
    if isinstance(state, Cancelled) or isinstance(entrant, Withdrawn | StruckOff):
        return []
    sums = open_dues(state.plan.ruleset.entry, details, today)
    return [Sum(amount=shown(amount), currency=currency) for currency, amount in sums.items()]


def history_of(entrant: str, recorded: Iterable[Recorded]) -> list[tuple[Envelope, Event]]:
    read = [(one, TOURNAMENT.read(one)) for one in recorded]
    return [
        (msgspec.json.decode(one.event.record, type=Envelope), event)
        for one, event in read
        if getattr(event, "entrant", None) == entrant
    ]


def history_view(history: Iterable[tuple[Envelope, Event]], words: Mapping[str, str]) -> HistoryOfEntry:
    return HistoryOfEntry(
        items=[
            HappenedToEntry(
                what=slug(envelope.type),
                at=envelope.at,
                by=envelope.actor,
                role=envelope.role,
                operation=envelope.operation,
                capacity=capacity_in(event),
                why=first_of(event, WHY),
                clause=first_of(event, BY),
                words=words.get(getattr(event, "note", None) or ""),
            )
            for envelope, event in history
        ]
    )


def capacity_in(event: Event) -> Literal["player", "captain", "school", "club"] | None:
    asked: Asked | None = getattr(event, "asked", None)
    return asked.capacity if asked else None


def first_of(event: Event, fields: Iterable[str]) -> str | None:
    return next((value for name in fields if (value := getattr(event, name, None)) is not None), None)
