"""What people do about entries without an office: enter themselves, or a team of theirs, and act for what is their own.

They say of an entry what it is theirs to say. Ratings, qualifications and decisions are said by officials, and nobody names
anybody but themselves, who is new, and who has been with them in an entry that they speak for.
"""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from services.registration.accounts import Accounts, Own
from services.registration.api.entries.bodies import AsDetailed, EntryToMake, WhoEnters
from services.registration.api.entries.intake import everybody
from services.registration.api.permissions import ORGANISE
from services.registration.api.persons.directory import Directory
from services.registration.domain.tournament.entrants import Also
from services.registration.domain.tournament.facts import Asked
from services.registration.domain.tournament.states import AnnouncedTournament, Plan
from services.registration.streams import announced
from shared.access.asker import Asker
from shared.access.policy import NotPermitted, Policy
from shared.refusals import Forbidden
from shared.values import Value

# What only officials say of an entry, and only at the desk.
FOR_OFFICIALS = (
    *("region", "region_approval", "history", "history_source", "direct", "direct_source", "carried"),
    *("rating", "key", "decision", "words"),
)
ON_SITE = "on-site"


class OnlyOfficialsSay(Forbidden):
    """Somebody says of themselves, or of their entry, what is not theirs to say."""


class NotYourself(Forbidden):
    """Whoever has no office enters themselves, or a team of their own."""


class OwnEntries(Value):
    accounts: Accounts
    directory: Directory

    async def of(self, asker: Asker, federation: str) -> Own:
        if asker.caller is None:
            return Own(subject="")
        if asker.caller.captain is not None:
            return Own(subject=asker.caller.subject, entrant=asker.caller.captain.entrant)
        return await self.accounts.own(asker.caller.subject, federation)

    async def asked(
        self, asker: Asker, state: AnnouncedTournament, entrant: str, officials: Policy = ORGANISE
    ) -> Asked | None:
        """Who asks for something that is done to an entry; nobody, where an official does it."""
        if asker.may(officials, state.plan.tournament):
            return None
        asked = (await self.of(asker, state.plan.federation)).asked(state, entrant)
        if asked is None:
            raise NotPermitted("This is not your entry any more: look into /v1/me/entries.")
        return asked

    async def entering(self, sent: EntryToMake, plan: Plan, asker: Asker) -> Asked | None:
        """As what somebody enters; as nobody in particular, where an official does it."""
        if asker.may(ORGANISE, plan.tournament):
            return None
        require_own_words(sent, ())
        own = await self.of(asker, plan.federation)
        is_team = plan.ruleset.entry.kind == "team"
        if own.person is None and not is_team:
            raise NotYourself(
                f"The federation does not know you yet: say who you are under /v1/federations/{plan.federation}/me, or "
                "have an official say that your account is yours."
            )
        await self._require_own_members(sent, own, plan)
        if is_team:
            asked = entering_team(sent, own)
            await self._require_own_team(sent.team, own)
            return asked
        if not any(one.id in own.ids for one in everybody(sent)):
            raise NotYourself(f"You enter yourself, and you are {own.person}: name that id.")
        if sent.team is not None or sent.club not in {None, *own.homes}:
            raise NotYourself("Only who speaks for a club enters somebody for it: leave team and club out.")
        return Asked(subject=own.subject, capacity="player")

    async def _require_own_members(self, sent: EntryToMake, own: Own, plan: Plan) -> None:
        """The refusal says the same of who is not known at all, so that nobody learns who is."""
        others = [one.id for one in everybody(sent) if one.id is not None and one.id not in own.ids]
        allowed = await self.companions(others, own, plan)
        if strange := [one for one in others if one not in allowed]:
            raise NotYourself(
                f"You cannot enter {', '.join(strange)}: name yourself, who is new, or who has been in an entry of yours. "
                "Anybody else enters themselves, or asks the organiser."
            )

    async def companions(self, ids: Collection[str], own: Own, plan: Plan) -> Collection[str]:
        """Those of these who have been in an entry that they speak for: whom an official has put into a team with them
        is not theirs to enter as a pair."""
        found = set[str]()
        for identity in ids:
            rows = await self.directory.views.line_ups(await self.directory.ids_of(await self.directory.kept(identity)))
            for row in rows:
                state = await announced(self.directory.tournaments, row.tournament)
                is_alike = (state.plan.federation, kind_of(state.plan)) == (plan.federation, kind_of(plan))
                if is_alike and own.speaks_as(state, row.entrant):
                    found.add(identity)
                    break
        return found

    async def entries(self, own: Own) -> Sequence[tuple[AnnouncedTournament, str]]:
        """All for which they speak, or spoke before these were withdrawn, in the order of their entry."""
        rows = {
            *((row.tournament, row.entrant) for row in await self.directory.views.line_ups(own.ids)),
            *((row.tournament, row.entrant) for row in await self.directory.views.entries_of(own.homes)),
        }
        states = {one: await announced(self.directory.tournaments, one) for one in {one for one, _ in rows}}
        return [
            (states[tournament], entrant)
            for tournament, entrant in sorted(rows, key=lambda row: row[1])
            if own.speaks_as(states[tournament], entrant)
        ]

    async def _require_own_team(self, team: str | None, own: Own) -> None:
        if team is None:
            return
        known = {state.roster.details_of(entrant).also.team or entrant for state, entrant in await self.entries(own)}
        if team not in known:
            raise NotYourself("This is no team of yours: leave team out, and it gets a new id.")


def kind_of(plan: Plan) -> str:
    return plan.ruleset.entry.kind


def entering_team(sent: EntryToMake, own: Own) -> Asked:
    if sent.school is not None or sent.club is not None:
        if not {one for one in (sent.school, sent.club) if one is not None} <= own.homes:
            raise NotYourself(
                "Only the account of a school or club enters a team for it: ask an official to entrust it to your account."
            )
        return Asked(subject=own.subject, capacity="school" if sent.school is not None else "club")
    marked = [one.id for one in everybody(sent) if one.captain]
    if not {sent.captain, *marked} & own.ids:
        raise NotYourself(
            "Without a school or a club you enter a team whose captain you are: name yourself as captain, or the school "
            "that was entrusted to you."
        )
    return Asked(subject=own.subject, capacity="captain")


def speaking_for(asker: Asker, entrant: str, *, is_own: bool) -> Asker:
    """Whoever has just entered somebody speaks for them at once."""
    return replace(asker, own=frozenset({entrant})) if is_own else asker


def require_own_words(sent: AsDetailed, declared_before: Collection[str]) -> None:
    form = type(sent).model_fields
    given = [name for name in FOR_OFFICIALS if name in form and getattr(sent, name) != form[name].default]
    if ON_SITE in sent.declared and ON_SITE not in declared_before:
        given.append(f"{ON_SITE}, which is entered at the desk")
    if isinstance(sent, EntryToMake):
        given += [f"the licence of {one.name or one.id}" for one in everybody(sent) if has_licence(one)]
    if given:
        raise OnlyOfficialsSay(f"Only an official of the tournament says {', '.join(given)}: leave it out, or ask one.")


def has_licence(one: WhoEnters) -> bool:
    return one.particulars is not None and one.particulars.licence is not None


def own_details(said: Also, before: Also, sent: AsDetailed, *, is_team: bool) -> Also:
    """What is theirs to say, and of all else what was said before. A team stays with its school or club."""
    if is_team and ({sent.school, sent.club} - {None, before.school, before.club}):
        raise NotYourself("A team stays with the school or club that it was entered for: leave them out.")
    if not is_team and sent.club not in {None, before.club}:
        raise NotYourself("Only an official says for which club you play: leave it out.")
    at_the_desk = {*before.declared} & {ON_SITE}
    declared = tuple(sorted({*said.declared} | at_the_desk))
    own = replace(before, declared=declared, consents=said.consents, needs=said.needs)
    if is_team or sent.school is None:
        return own
    return replace(own, school=said.school, parts=said.parts, region=said.region)
