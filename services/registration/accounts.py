"""What is somebody's own who signs in without an office: whom they are, and for which entries they speak.

An individual or a pair is spoken for by those who play; a team by the account of its school or club, and by its captain.
Whoever has entered it speaks for it no longer than they are one of these.
"""

from collections.abc import Awaitable, Callable
from typing import Literal

from services.registration.domain import accounts, person
from services.registration.domain.accounts import LinkedAccount
from services.registration.domain.person import Registered
from services.registration.domain.tournament import decider as tournament
from services.registration.domain.tournament.facts import Asked
from services.registration.domain.tournament.states import AnnouncedTournament, Unannounced
from shared.commands.handler import Handler
from shared.values import Value

type Capacity = Literal["player", "captain", "school", "club"]
type AccountHandler = Handler[LinkedAccount, accounts.Command, accounts.Event]


class Own(Value):
    """Somebody as one federation knows them."""

    subject: str
    person: str | None = None
    ids: frozenset[str] = frozenset()  # that person's, also those that were merged into it
    homes: frozenset[str] = frozenset()  # schools and clubs for which they speak
    entrant: str | None = None  # for whom alone they speak, with a captain's token

    def speaks_as(self, state: AnnouncedTournament, entrant: str) -> Capacity | None:
        """As what they speak for an entrant, if they do; nobody speaks in a draft, which is not there for them."""
        found = state.roster.entrants.get(entrant)
        if found is None or not state.plan.is_open:
            return None
        is_team = state.plan.ruleset.entry.kind == "team"
        if self.entrant is not None:
            return ("captain" if is_team else "player") if self.entrant == entrant else None
        if not is_team:
            return "player" if self.ids & {*found.said.persons} else None
        also = state.roster.details_of(entrant).also
        if also.school in self.homes:
            return "school"
        if also.club in self.homes:
            return "club"
        return "captain" if also.captain in self.ids else None

    def asked(self, state: AnnouncedTournament, entrant: str) -> Asked | None:
        capacity = self.speaks_as(state, entrant)
        return None if capacity is None else Asked(subject=self.subject, capacity=capacity)


class Accounts(Value):
    accounts: AccountHandler
    persons: Handler[person.State, person.Command, person.Event]
    tournaments: Handler[tournament.State, tournament.Command, tournament.Event]
    ids_of: Callable[[str], Awaitable[tuple[str, ...]]]  # a person's id, and all that lead to it

    async def of(self, subject: str) -> LinkedAccount:
        state, _ = await self.accounts.load(subject)
        return state

    async def own(self, subject: str, federation: str) -> Own:
        account = await self.of(subject)
        identity = await self.person_of(account, subject, federation)
        return Own(
            subject=subject,
            person=identity,
            ids=frozenset() if identity is None else frozenset(await self.ids_of(identity)),
            homes=frozenset(home for home, whose in account.homes.items() if whose == federation),
        )

    async def person_of(self, account: LinkedAccount, subject: str, federation: str) -> str | None:
        """Both sides have to say it: who was merged, erased or given to another account is theirs no more."""
        identity = account.persons.get(federation)
        if identity is None:
            return None
        state, _ = await self.persons.load(identity)
        return identity if isinstance(state, Registered) and state.account == subject else None

    async def is_own(self, subject: str, tournament_id: str, entrant: str) -> bool:
        state, _ = await self.tournaments.load(tournament_id)
        if isinstance(state, Unannounced) or entrant not in state.roster.entrants:
            return False
        return (await self.own(subject, state.plan.federation)).speaks_as(state, entrant) is not None
