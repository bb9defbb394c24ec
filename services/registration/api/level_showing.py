"""Who comes from the tournaments before, and what an official has to decide about them."""

from collections.abc import Container, Iterator, Sequence

from services.registration.api import showing
from services.registration.api.level_forms import Origin, Qualifier, Qualifiers
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import CheckedIn, Entered, WaitingEntrant
from services.registration.domain.tournament.levels import Comer, claim_of, entrant_from, number_by_right, obstacle_of
from services.registration.domain.tournament.states import AnnouncedTournament
from services.registration.levels import Levels
from services.registration.levels import Qualifier as Coming
from shared.personal.names import Names


async def qualifiers(levels: Levels, names: Names, tournament: str) -> Qualifiers:
    here = await levels.state(tournament)
    origins = [await origin(levels, names, one, here) for one in here.roster.origins]
    undecided = sum(one.why is not None for several in origins for one in several.qualifiers)
    return Qualifiers(tournament=tournament, origins=origins, open=undecided)


async def origin(levels: Levels, names: Names, tournament: str, here: AnnouncedTournament) -> Origin:
    there = await levels.origin(tournament, here.plan.federation)
    order = await levels.coming(tournament, here.plan.tournament)
    comers = order.comers if order else ()
    number = number_by_right(here, order) if order else None
    found = [
        qualifier(here, tournament, comer, None if number is None else claim_of(order, above=index < number))
        for index, comer in enumerate(comers)
        if order
    ]
    found += [*no_more(here, tournament, {comer.former for comer in comers})]
    await name(found, there, names)
    return Origin(
        tournament=tournament,
        name=there.name,
        decided=order is not None,
        advance=order.by_right if order else there.advance,
        qualifiers=found,
    )


async def name(found: Sequence[Qualifier], there: Coming, names: Names) -> None:
    persons = {one.former: there.persons(one.former) for one in found}
    called = await names.in_full({*persons, *(person for several in persons.values() for person in several)})
    for one in found:
        together = " / ".join(called[person] for person in persons[one.former] if person in called)
        one.name = called.get(one.former) or together or None


def no_more(here: AnnouncedTournament, tournament: str, expected: Container[str]) -> Iterator[Qualifier]:
    """Whoever has entered from there and is not among those who come from there by now."""
    for entrant, details in here.roster.details.items():
        qualified, now = details.qualified, here.roster.entrants.get(entrant)
        if qualified is None or qualified.origin != tournament or qualified.former in expected:
            continue
        if isinstance(now, Entered | CheckedIn | WaitingEntrant):
            yield Qualifier(
                former=qualified.former,
                name=None,
                place=qualified.place,
                claim=qualified.claim,
                entrant=entrant,
                status=showing.of_field(now)["status"],
                confirmed=details.is_confirmed,
                why="They do not come from there any more, or have a place in another tournament: withdraw them here, or "
                "they stay.",
            )


def qualifier(here: AnnouncedTournament, tournament: str, comer: Comer, claim: facts.Claim | None) -> Qualifier:
    """Without a claim that follows from numbers it is the one that an official gave them."""
    entrant = entrant_from(here.roster, tournament, comer.former)
    given = here.roster.details_of(entrant).qualified if entrant else None
    claim = claim or (given.claim if given else "next")
    return Qualifier(
        former=comer.former,
        name=None,
        place=comer.place,
        claim=claim,
        entrant=entrant,
        status=showing.of_field(here.roster.entrants[entrant])["status"] if entrant else "not-entered",
        confirmed=here.roster.details_of(entrant).is_confirmed if entrant else False,
        why=to_decide(here, comer, claim, entrant),
    )


def to_decide(here: AnnouncedTournament, comer: Comer, claim: facts.Claim, entrant: str | None) -> str | None:
    if entrant is None:
        why = obstacle_of(here.roster, comer, here.plan)
        return why or "They are not entered: take them in." if claim == "by-right" else why
    match here.roster.entrants[entrant]:
        case WaitingEntrant() if claim == "by-right":
            return "They have a right to a place and wait for one: call them, once one is free."
        case Entered() | CheckedIn() if claim == "reserve" and not here.roster.details_of(entrant).is_called:
            return "They have a place and no right to it since a correction: they keep it, or withdraw."
        case _:
            return None
