"""The intake of entries: what is sent of somebody who enters becomes an entry, and new persons where it names any."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager

import msgspec
from msgspec.structs import replace

from services.registration.api.entrants.bodies import Entrant
from services.registration.api.entries.bodies import AsDetailed, NewEntry, WhoEnters
from services.registration.api.personal import names_kept
from services.registration.api.persons.directory import Directory
from services.registration.domain.homes import Home, Homes
from services.registration.domain.names import UnusableName, readable
from services.registration.domain.tournament.entrants import Also, EntrySaid, ProposedEntry
from services.registration.domain.tournament.facts import ConditionVerdict
from services.registration.domain.tournament.reasons import cite
from services.registration.domain.tournament.states import Plan, State, known
from services.registration.eligibility.conditions import lists_of, not_for, verdicts
from services.registration.eligibility.judge import Background, Judge
from services.registration.eligibility.membership import Membership
from shared.commands.handler import ActPart, Reliance
from shared.faults import Faulty, InputFault, at
from shared.http.authorization import Act
from shared.ids import NewId
from shared.numbers import stored
from shared.personal.particulars import Particulars
from shared.personal.sentences import spoken
from shared.personal.shown_names import BETWEEN
from shared.refusals import Refusal, same
from shared.values import Value

SENTENCE = "This is no entry yet."


# The fault does not name the id, which would be answered with the name of whoever has it.
NO_SUCH_PERSON = "The federation has no such person: register them first, or send a name."


class NewlyKnown(Value):
    """The persons and teams that one request makes known, and what it says of them."""

    persons: dict[str, str] = msgspec.field(default_factory=dict[str, str])  # names, by id
    teams: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    particulars: dict[str, Particulars] = msgspec.field(default_factory=dict[str, Particulars])

    @property
    def names(self) -> Mapping[str, str]:
        return {**self.persons, **self.teams}


class Newcomers(Value):
    """The entries of one request, in its order."""

    entries: tuple[ProposedEntry, ...]
    new: NewlyKnown
    also: Sequence[ActPart]  # registers them, and claims what may be had once, in the same act
    relying: Reliance  # on who was known before

    @property
    def called(self) -> Mapping[str, str]:
        return called_as_sent(self.entries, self.new)

    def entrants(self, state: State) -> list[str]:
        """The ids by which they take part now: who had entered before keeps theirs."""
        roster = known(state).roster
        taking_part = [roster.entrant_of(entry.said.persons[0]) for entry in self.entries]
        return [entrant.entrant for entrant in taking_part if entrant is not None]


class Intake(Value):
    directory: Directory
    judge: Judge
    membership: Membership
    new_id: NewId

    async def newcomers(self, sent: Sequence[NewEntry], plan: Plan, act: Act, *, paying: bool = False) -> Newcomers:
        """Somebody known has to be known; somebody new belongs to the federation of the tournament."""
        read, new = await self.read(sent, plan)
        below = [fault.below(at("entrants", place) if len(sent) > 1 else "") for place, fault in faults_of(read)]
        if below:
            raise Faulty("Nobody was entered: mend what errors name.", below)
        entries = [one for one in read if isinstance(one, ProposedEntry)]
        return self.newcomers_of(entries, new, plan, act, paying=paying)

    async def read(self, sent: Sequence[NewEntry], plan: Plan) -> tuple[list[ProposedEntry | Faulty], NewlyKnown]:
        """Each as an entry, or all that is wrong with it; and whom they make known."""
        named = {one.id for entry in sent for one in everybody(entry) if one.id is not None}
        here = await asyncio.gather(*(self.directory.known_here(identity, plan) for identity in named))
        reader = EntryReader(
            plan=plan,
            background=await self.judge.background(plan, {one for one in here if one is not None}),
            registered={one: found for one, found in zip(named, here, strict=True) if found is not None},
            new=NewlyKnown(),
            new_id=self.new_id,
        )
        read: list[ProposedEntry | Faulty] = []
        for entry in sent:
            try:
                read.append(reader.entry(entry))
            except Faulty as faulty:
                read.append(faulty)
        settled = iter(await self.judge.with_fees([one for one in read if isinstance(one, ProposedEntry)], plan))
        known = [next(settled) if isinstance(one, ProposedEntry) else one for one in read]
        return [await self._with_membership(one, plan) for one in known], reader.new

    async def _with_membership(self, one: ProposedEntry | Faulty, plan: Plan) -> ProposedEntry | Faulty:
        if isinstance(one, Faulty):
            return one
        declared = await self.membership.declared(one.also.declared, one.said.persons, plan)
        return replace(one, also=replace(one.also, declared=declared))

    def newcomers_of(
        self, entries: Sequence[ProposedEntry], new: NewlyKnown, plan: Plan, act: Act, *, paying: bool = False
    ) -> Newcomers:
        claims = self.judge.claims(entries, plan, act, paying=paying)
        also = self.directory.registering([*new.persons], new.particulars, plan.federation, act)
        named = {one for entry in entries for one in (*entry.said.persons, *entry.also.substitutes)}
        known = named - new.persons.keys()
        return Newcomers(
            entries=tuple(entries),
            new=new,
            also=[*also, *claims],
            relying=lambda: self.directory.still_here(known, plan),
        )

    @asynccontextmanager
    async def taking_in(self, newcomers: Newcomers) -> AsyncGenerator[list[Entrant]]:
        """Keeps names and particulars of newcomers, and yields a list to put into who has come in: what turns out to be about
        nobody is forgotten again."""
        came: list[Entrant] = []
        new = newcomers.new
        await self.directory.particulars.keep_all(new.particulars)
        try:
            async with names_kept(self.directory.names, new.names):
                yield came
        except Refusal as refusal:
            if new.particulars:
                await self.directory.particulars.erase(new.particulars)
            raise in_names(refusal, newcomers.called) from refusal
        shown = {one.id for entrant in came for one in (*entrant.persons, *entrant.substitutes)}
        known_now = shown | {entrant.id for entrant in came}
        if unused := [one for one in new.names if one not in known_now]:
            await self.directory.names.erase(unused)
        if unused := [one for one in new.particulars if one not in known_now]:
            await self.directory.particulars.erase(unused)


def called_as_sent(entries: Iterable[ProposedEntry], new: NewlyKnown) -> Mapping[str, str]:
    """What those are called whose ids were made for this very request, by the names that came with it."""
    several = {
        one.entrant: BETWEEN.join(new.persons[person] for person in one.said.persons)
        for one in entries
        if new.persons.keys() >= {*one.said.persons}
    }
    return {**several, **new.names}


def in_names(refusal: Refusal, called: Mapping[str, str]) -> Refusal:
    """The same refusal, which speaks of newcomers by name: once they are refused nobody has their ids."""
    said = tuple(spoken(one, called) if isinstance(one, str) else one for one in refusal.args)
    more = dict(vars(refusal))
    if isinstance(refusal, Faulty):
        more["faults"] = tuple(InputFault(one.pointer, spoken(one.detail, called)) for one in refusal.faults)
    return same(type(refusal), said, more)


def faults_of(read: Sequence[ProposedEntry | Faulty]) -> Iterator[tuple[int, InputFault]]:
    for place, one in enumerate(read):
        if isinstance(one, Faulty):
            yield from ((place, fault) for fault in one.faults)


def everybody(sent: NewEntry) -> Iterator[WhoEnters]:
    if sent.person is not None:
        yield sent.person
    yield from sent.persons or ()
    yield from sent.substitutes


class EntryReader(Value):
    """Reads one entry as it was sent: who plays, and what else it says. All its faults are named at once."""

    plan: Plan
    background: Background
    registered: Mapping[str, str]  # of the persons who are named: the id that they take part under
    new: NewlyKnown
    new_id: NewId

    def entry(self, sent: NewEntry) -> ProposedEntry:
        faults: list[InputFault] = []
        base, captains = self._persons(sent, faults)
        substitutes = [self._who(one, at("substitutes", place), faults) for place, one in enumerate(sent.substitutes)]
        captains += [one for who, one in zip(sent.substitutes, substitutes, strict=True) if who.captain]
        if len(captains) + (sent.captain is not None) > 1:
            faults.append(InputFault("/captain", "Name one captain."))
        entrant = str(self.new_id())
        if sent.name is not None and self.plan.ruleset.entry.kind == "individual":
            words = "Only a team or a pair has a name of its own: leave it out, since a person is called as they are registered."
            faults.append(InputFault("/name", words))
        elif sent.name is not None and (name := self._name(sent.name, "/name", faults)):
            self.new.teams[entrant] = name
        if sent.team is not None and self.plan.ruleset.entry.kind != "team":
            faults.append(InputFault("/team", "Only a team goes on as one of an earlier tournament: leave it out."))
        if faults:
            homes_said(sent, self.background, faults)
            raise Faulty(SENTENCE, faults)
        also, lists, judged = entry_said(
            sent,
            self.plan,
            self.background,
            base=tuple(base),
            substitutes=tuple(substitutes),
            captain=self.registered.get(sent.captain, sent.captain)
            if sent.captain
            else (captains[0] if captains else None),
        )
        said = EntrySaid(persons=tuple(base), rating=sent.rating, key=sent.key, lists=lists)
        return ProposedEntry(entrant=entrant, said=said, also=also, verdicts=judged)

    def _persons(self, sent: NewEntry, faults: list[InputFault]) -> tuple[list[str], list[str]]:
        """Who plays, and who of them is marked as captain."""
        if (sent.person is None) == (sent.persons is None):
            faults.append(InputFault("/person", "Send the person who plays, or several as persons, and not both."))
            return [], []
        if sent.person is not None:
            return [self._who(sent.person, "/person", faults)], []
        several = sent.persons or []
        base = [self._who(one, at("persons", place), faults) for place, one in enumerate(several)]
        return base, [identity for one, identity in zip(several, base, strict=True) if one.captain]

    def _who(self, sent: WhoEnters, pointer: str, faults: list[InputFault]) -> str:
        match sent.id, sent.name:
            case str(identity), None if sent.particulars is None:
                if identity not in self.registered:
                    faults.append(InputFault(pointer, NO_SUCH_PERSON))
                return self.registered.get(identity, identity)
            case None, str(name):
                identity = str(self.new_id())
                self.new.persons[identity] = self._name(name, pointer, faults)
                if sent.particulars is not None:
                    known = sent.particulars.known()
                    self.new.particulars[identity] = self.background.known[identity] = known
                return identity
            case _:
                words = 'Send the id of a person, or {"name": …} of somebody new, and not both.'
                faults.append(InputFault(pointer, words))
                return ""

    def _name(self, name: str, pointer: str, faults: list[InputFault]) -> str:
        try:
            return readable(name)
        except UnusableName as unusable:
            faults.append(InputFault(pointer, str(unusable)))
            return ""


def entry_said(
    sent: NewEntry,
    plan: Plan,
    background: Background,
    *,
    base: tuple[str, ...],
    substitutes: tuple[str, ...],
    captain: str | None,
) -> tuple[Also, tuple[str, ...], tuple[ConditionVerdict, ...]]:
    """All else that an entry says, the lists that it is on, and whether its members may play."""
    also = also_said(sent, background, team=sent.team, substitutes=substitutes, captain=captain)
    members = background.of((*base, *substitutes))
    wanted = tuple(sorted(set(sent.lists)))
    require_lists_fit(wanted, plan, members)
    on = lists_of(plan.ruleset, members, plan.starts_on)
    judged = verdicts(plan.ruleset, members, background.entering(also, plan))
    return also, tuple(sorted({*wanted, *on})), judged


def require_lists_fit(wanted: tuple[str, ...], plan: Plan, members: Mapping[str, Particulars]) -> None:
    if wrong := not_for(plan.ruleset, wanted, members, plan.starts_on):
        named = ", ".join(f"{one.id}{cite(one.rule_id)}" for one in wrong)
        raise Faulty(
            "They cannot be on these lists.", [InputFault("/lists", f"They are too old for {named}: leave it out.")]
        )


def also_said(
    sent: AsDetailed,
    background: Background,
    *,
    team: str | None,
    substitutes: tuple[str, ...],
    captain: str | None,
) -> Also:
    """What an entry says besides who plays, with the region and the parts that their school or club has now."""
    faults = list[InputFault]()
    found = homes_said(sent, background, faults)
    if faults:
        raise Faulty(SENTENCE, faults)
    school, club = found["school"], found["club"]
    region = sent.region or (school.region if school else None) or (club.region if club else None)
    return Also(
        substitutes=substitutes,
        captain=captain,
        team=team,
        school=sent.school,
        club=sent.club,
        region=region,
        parts=school.parts if school else 1,
        declared=tuple(sorted(set(sent.declared))),
        consents=tuple(sorted(set(sent.consents))),
        needs=tuple(sorted(set(sent.needs))),
        history=sent.history,
        history_source=sent.history_source,
        direct_source=sent.direct_source,
        carried=stored(sent.carried),
        direct=sent.direct,
    )


def homes_said(sent: AsDetailed, background: Background, faults: list[InputFault]) -> Mapping[str, Home | None]:
    return {
        kind: home_of(background.homes, identity, kind, faults)
        for kind, identity in (("school", sent.school), ("club", sent.club), ("region", sent.region))
    }


def home_of(known: Homes, identity: str | None, kind: str, faults: list[InputFault]) -> Home | None:
    if identity is None:
        return None
    home = known.known.get(identity)
    if home is None or home.kind != kind:
        faults.append(InputFault(f"/{kind}", f"The federation has no {kind} {identity}: register it first."))
        return None
    return home
