"""What those who ask are shown of names: the only way from an id to a name in an answer.

A federation decides for each tournament what spectators see of its persons. Whoever holds an office there sees full
names, and a captain those of the own entrant. Who asks is known from the door (`ASKING`); where nobody has come in by
the door, nothing is shown but what everybody may see.

Whatever needs names for something else than an answer, such as to recognise somebody in a file, asks
`Names.in_full`; `tests/domain/test_shown_names.py` lists who does.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextvars import ContextVar
from functools import cached_property
from itertools import chain
from typing import Self

from shared import contracts
from shared.access.asker import ASKING, Asker
from shared.access.grants import Grants
from shared.access.policy import roles
from shared.access.roles import Role
from shared.cache import LruCache
from shared.contracts.registration import EntrantAdmitted, EntrantChanged, ShownNamesDecided, TournamentAnnounced
from shared.log.database import Database
from shared.personal.names import Names
from shared.rulesets.entry import ShownNames
from shared.spelling import folded, words_of
from shared.values import Value

IN_FULL = roles(*Role, scope="tournament_id", operators=True)

STRICTER: tuple[ShownNames, ...] = ("full", "first-name-and-initial", "number")
IN_FULL_BY_ALL = "full"
UNNUMBERED = "Player"  # of whom only a number is shown, before there is one
BETWEEN = " / "  # the names of a pair
STEM = 5  # letters of a word that tell whose it is, whatever its ending
REMEMBERED = 300  # tournaments
TOGETHER = re.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")

# What is known of it stands in the inbox, where everything is that registration has said (`shared/migrations/shown_names.sql`).
OF_NAMES = """
  from inbox.events
  where scope = any($1) and source = 'registration' and lost is null
    and type in ('TournamentAnnounced', 'ShownNamesDecided', 'EntrantAdmitted', 'EntrantChanged')
"""
DECIDED = f"select type, message {OF_NAMES} and type in ('TournamentAnnounced', 'ShownNamesDecided') order by number"
# How far registration is known of a tournament. What an operator decides may make a number that of something else.
NEWEST = """
  select (select max(number) from inbox.events where scope = $1 and source = 'registration' and lost is null),
    (select count(*) from inbox.decisions)
"""
ADMITTED = f"select type, message {OF_NAMES} and type in ('EntrantAdmitted', 'EntrantChanged') order by number"


class HeardOf(Value):
    """How far registration is known of a tournament, as `NEWEST` says."""

    tournament: str
    number: int | None
    decisions: int


# Whoever has looked it up after a request came hands it on to what answers the request.
HEARD: ContextVar[HeardOf | None] = ContextVar("heard of registration", default=None)


class Bearer(Value):
    """An entrant, who bears a name or whose persons do."""

    persons: tuple[str, ...]  # with those who could come in instead
    number: int | None = None
    home: str | None = None  # the school or club that they come from


class NameField(Value, dict=True):
    """What is known of the names of a tournament, without any of them."""

    shown: ShownNames
    bearers: Mapping[str, Bearer]

    @cached_property
    def ids(self) -> frozenset[str]:
        """Of all whose names may be shown: entrants, their persons, and where they come from."""
        several = self.bearers.values()
        homes = (one.home for one in several if one.home is not None)
        return frozenset(chain(self.bearers, *(one.persons for one in several), homes))


NOBODY = NameField(shown="full", bearers={})

type FindField = Callable[[str], Awaitable[NameField]]
type FindPersons = Callable[[str, Collection[str]], Awaitable[Collection[str]]]  # of a federation, those of these
type FindDecided = Callable[[Collection[str]], Awaitable[Mapping[str, ShownNames]]]  # what holds in tournaments


class NamesToShow(Value):
    """What somebody is shown of the names of a tournament."""

    names: Mapping[str, str]  # of entrants and persons
    seen_by: str  # the same for all who are shown the same of it
    own_names: frozenset[str]  # entrants that are not called like their persons
    schools: frozenset[str]  # entrants of whom it is shown from which school they come
    homes: Mapping[str, str] = {}  # what the schools and clubs of these entrants are called, where that is known here


class ShownBefore(Value):
    """What was shown of the names of a tournament, and of what that was made."""

    field: NameField
    known: Mapping[str, str]
    shown: NamesToShow


class InboxFields:
    """What a neighbour of registration knows of the names of a tournament."""

    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running
        self._fields = LruCache[str, tuple[HeardOf, NameField]](REMEMBERED)

    async def of(self, tournament: str) -> NameField:
        """Read anew once registration has said more. How far it has is looked up each time, so that what is decided holds
        at once."""
        heard = await self._heard_of(tournament)
        known = self._fields.get(tournament)
        if known is None or known[0] != heard:
            decided = await self.decided([tournament])
            bearers = await self._bearers_of(tournament)
            known = heard, NameField(shown=decided.get(tournament, IN_FULL_BY_ALL), bearers=bearers)
            if heard.number is not None:
                self._fields.put(tournament, known)
        return known[1]

    async def _heard_of(self, tournament: str) -> HeardOf:
        heard = HEARD.get()
        if heard is None or heard.tournament != tournament:
            ((number, decisions),) = await self._database.fetch(NEWEST, tournament)
            heard = HeardOf(tournament=tournament, number=number, decisions=decisions)
        return heard

    async def numbered(self, tournament: str, number: int) -> str | None:
        """Who has a start number."""
        bearers = (await self.of(tournament)).bearers
        return next((entrant for entrant, one in bearers.items() if one.number == number), None)

    async def decided(self, tournaments: Collection[str]) -> Mapping[str, ShownNames]:
        found: dict[str, ShownNames] = {}
        for row in await self._database.fetch(DECIDED, list(tournaments)):
            match contracts.decode("registration", row["type"], row["message"]):
                case TournamentAnnounced() | ShownNamesDecided() as told:
                    found[told.tournament] = as_decided(told.shown_names)
                case _:
                    pass
        return found

    async def _bearers_of(self, tournament: str) -> Mapping[str, Bearer]:
        found: dict[str, Bearer] = {}
        for row in await self._database.fetch(ADMITTED, [tournament]):
            match contracts.decode("registration", row["type"], row["message"]):
                case EntrantAdmitted() | EntrantChanged() as told:
                    found[told.entrant] = Bearer(
                        persons=told.persons, number=told.number, home=told.school or told.club
                    )
                case _:
                    pass
        return found


class NamesShown:
    """Answers with names as those who ask may see them."""

    def __init__(
        self, names: Names, *, grants: Grants, persons_of: FindPersons, field: FindField, decided: FindDecided
    ) -> None:
        self._names = names
        self._grants = grants
        self._persons_of = persons_of
        self._field = field
        self._fields = LruCache[str, tuple[int, NameField]](REMEMBERED)
        self._shown = LruCache[tuple[str, str], ShownBefore](REMEMBERED)
        self._decided = decided

    @classmethod
    def of_inbox(cls, names: Names, grants: Grants, fields: InboxFields) -> Self:
        """For a neighbour of registration, which knows from its inbox what was decided and who is in a tournament."""
        return cls(names, grants=grants, persons_of=grants.persons_of, field=fields.of, decided=fields.decided)

    async def of_tournament(self, tournament: str, *, reached: int | None = None) -> NamesToShow:
        """Of all its entrants and their persons; who has no name is missing. Whoever knows up to which number registration
        has been heard of it spares a look at what was decided."""
        field = await self._field_of(tournament, reached)
        asker = ASKING.get()
        known = await self._names.in_full(field.ids)
        seen_by = await self._seen_by(field, asker, tournament)
        before = self._shown.get((tournament, seen_by))
        if before is not None and before.field is field and (before.known is known or before.known == known):
            return before.shown
        is_in_full = seen_by == IN_FULL_BY_ALL
        shown = shown_in_full(field, known) if is_in_full else as_decided_for(field, known, asker, tournament)
        self._shown.put((tournament, seen_by), ShownBefore(field=field, known=known, shown=shown))
        return shown

    async def seen_by(self, tournament: str, *, reached: int | None = None) -> str:
        """What stands for all who are shown the same of the names: it is the same for them."""
        return await self._seen_by(await self._field_of(tournament, reached), ASKING.get(), tournament)

    async def _seen_by(self, field: NameField, asker: Asker | None, tournament: str) -> str:
        if field.shown == "full" or await self._is_official(asker, tournament):
            return IN_FULL_BY_ALL
        return as_seen_by(field, own_in(field, asker, tournament))

    async def _field_of(self, tournament: str, reached: int | None) -> NameField:
        """What was read when registration had been heard up to the same number holds still."""
        known = None if reached is None else self._fields.get(tournament)
        if known is not None and known[0] == reached:
            return known[1]
        field = await self._field(tournament)
        if reached is not None:
            self._fields.put(tournament, (reached, field))
        return field

    async def of_season(
        self, season: str, persons: Iterable[str], played: Mapping[str, Collection[str]]
    ) -> Mapping[str, str]:
        """Each as the strictest of the tournaments in which they `played` has it; who has played in none of them, as
        the strictest of all."""
        known = await self._names.in_full(set(persons))
        if await self._is_official(ASKING.get(), season):
            return known
        decided = await self._decided(list(played))
        by_person: dict[str, list[ShownNames]] = {}
        for tournament, several in played.items():
            for person in several:
                by_person.setdefault(person, []).append(decided.get(tournament, "full"))
        strictest = strictest_of(decided.values())
        return {
            person: alone(name, strictest_of(by_person.get(person, [strictest])), None)
            for person, name in known.items()
        }

    async def persons_where_hidden(self, tournaments: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Who is in those of these tournaments that do not show full names."""
        decided = await self._decided(list(tournaments))
        hidden = {name: await self._field(name) for name, shown in decided.items() if shown != IN_FULL_BY_ALL}
        return {
            name: frozenset(person for one in field.bearers.values() for person in one.persons)
            for name, field in hidden.items()
        }

    async def of_officials(self, ids: Iterable[str]) -> Mapping[str, str]:
        """For those who hold an office in what their request is about: of the persons of its federation, and of
        whoever stands in that very tournament. Nothing of all others, whose ids anybody can put into a request, and
        nothing for anybody else."""
        asker = ASKING.get()
        if asker is None or not asker.scope or not await self._is_official(asker, asker.scope):
            return {}
        wanted = set(ids)
        federation = asker.above.get(asker.scope) or await self._grants.above(asker.scope) or asker.scope
        there = (await self.of_tournament(asker.scope)).names
        own = await self._names.in_full(await self._persons_of(federation, wanted))
        return {**own, **{one: there[one] for one in wanted & there.keys()}}

    async def of_own(self, ids: Iterable[str]) -> Mapping[str, str]:
        """In full, of entries for which whoever asks speaks, and of their persons: whoever calls this has found that out."""
        return await self._names.in_full(set(ids))

    async def _is_official(self, asker: Asker | None, scope: str) -> bool:
        if asker is None or asker.caller is None or asker.caller.captain:
            return False
        above = await self._grants.above(scope)
        return (asker.within(scope, above) if above else asker).may(IN_FULL, scope)


def shown_in_full(field: NameField, known: Mapping[str, str]) -> NamesToShow:
    everybody = frozenset(field.bearers)
    return NamesToShow(
        names=in_full(field, known),
        seen_by=IN_FULL_BY_ALL,
        own_names=everybody & known.keys(),
        schools=everybody,
        homes=homes_of(field, known, everybody),
    )


def as_decided_for(field: NameField, known: Mapping[str, str], asker: Asker | None, tournament: str) -> NamesToShow:
    own = own_in(field, asker, tournament)
    names = as_decided_names(field, known, own)
    teams = frozenset(one for one in field.bearers if one in known and names.get(one, "").startswith(known[one]))
    shown = teams | {own}
    return NamesToShow(
        names=names,
        seen_by=as_seen_by(field, own),
        own_names=teams,
        schools=shown,
        homes=homes_of(field, known, shown),
    )


def as_seen_by(field: NameField, own: str) -> str:
    return f"{field.shown} {own}"


def homes_of(field: NameField, known: Mapping[str, str], entrants: Collection[str]) -> Mapping[str, str]:
    """Institutions have no names to hide; of whom it may be told where they come from says the set of entrants."""
    several = ((name, one.home) for name, one in field.bearers.items() if name in entrants)
    return {name: known[home] for name, home in several if home is not None and home in known}


def own_in(field: NameField, asker: Asker | None, tournament: str) -> str:
    own = own_entrant(asker, tournament)
    return own if own in field.bearers else ""


def own_entrant(asker: Asker | None, tournament: str) -> str:
    """For whom they speak: as a captain, or with their own account."""
    if asker is None or asker.caller is None:
        return ""
    if asker.caller.captain:
        return asker.caller.captain.entrant
    return next(iter(asker.own), "") if asker.scope == tournament else ""


def in_full(field: NameField, known: Mapping[str, str]) -> Mapping[str, str]:
    return {name: called for one in field.bearers.items() for name, called in of_one(*one, known).items()}


def of_one(entrant: str, one: Bearer, known: Mapping[str, str]) -> Mapping[str, str]:
    """An entrant that has no name of its own is called like its persons."""
    persons = {person: known[person] for person in one.persons if person in known}
    name = known.get(entrant) or BETWEEN.join(persons.values())
    return persons | ({entrant: name} if name else {})


def as_decided_names(field: NameField, known: Mapping[str, str], own: str) -> Mapping[str, str]:
    """What spectators see. Teams keep their names, unless one tells who is in it; of two who are called the same
    then, each has the start number behind it."""
    found: dict[str, str] = {}
    for entrant, one in field.bearers.items():
        if entrant == own:
            continue
        persons = {
            person: alone(known[person], field.shown, numbered(one, place if len(one.persons) > 1 else None))
            for place, person in enumerate(one.persons, start=1)
            if person in known
        }
        name = known.get(entrant)
        if name is None or any(tells(name, known[person], shown) for person, shown in persons.items()):
            together = BETWEEN.join(persons.values())
            name = called(None, one.number) if together and field.shown == "number" else together
        found |= persons | ({entrant: name} if name else {})
    apart = distinguished(found, field)
    return {**apart, **of_one(own, field.bearers[own], known)} if own else apart


def distinguished(found: Mapping[str, str], field: NameField) -> Mapping[str, str]:
    shared = Counter(found[entrant] for entrant in field.bearers if entrant in found)
    apart = dict(found)
    for entrant, one in field.bearers.items():
        if entrant not in found or one.number is None or shared[found[entrant]] == 1:
            continue
        apart[entrant] = f"{found[entrant]} ({one.number})"
        if len(one.persons) == 1:
            apart |= {person: apart[entrant] for person in one.persons if person in found}
    return apart


def numbered(one: Bearer, place: int | None) -> str | None:
    """The start number; of a team with the place in it."""
    if one.number is None:
        return None
    return f"No. {one.number}" if place is None else f"No. {one.number}.{place}"


def called(name: str | None, number: int | None) -> str:
    """What somebody is called in print: of whom there is no name, as of who was erased, the start number says who it is,
    and never an id."""
    return name or (UNNUMBERED if number is None else f"No. {number}")


def alone(name: str, shown: ShownNames, number: str | None) -> str:
    match shown:
        case "full":
            return name
        case "first-name-and-initial":
            return shortened(name) or number or UNNUMBERED
        case "number":
            return number or UNNUMBERED


def shortened(name: str) -> str | None:
    """The first given name, and the first letter of the family name; none where that cannot be told.

    Names are kept in one piece. The family name is the last word, or stands before a comma, or in capitals. Who has one
    word only is shown by its first letter, since nobody can tell which name it is. Where the family name comes first
    and is a sign or two, as in Chinese or Korean, an initial would be all of it: there only the given name is shown.
    """
    words = unicodedata.normalize("NFC", name).split()
    if not words:
        return None
    if TOGETHER.search(name):
        return " ".join(words[1:]) or None
    if any(word.endswith(",") for word in words[:-1]):
        end = next(index for index, word in enumerate(words) if word.endswith(","))
        family, given = words[: end + 1], words[end + 1 :]
    elif capitals := [word for word in words if is_in_capitals(word)]:
        family, given = capitals, [word for word in words if word not in capitals]
    else:
        family, given = words[-1:], words[:-1]
    letter = initial(family[-1])
    if letter is None or not given:
        return letter and f"{letter}."
    return f"{given[0]} {letter}."


def is_in_capitals(word: str) -> bool:
    return sum(map(str.isalpha, word)) > 1 and word.isupper()


def initial(word: str) -> str | None:
    """With the marks that belong to it."""
    for place, sign in enumerate(word):
        if sign.isalpha():
            marks = word[place + 1 :]
            end = next((index for index, mark in enumerate(marks) if not unicodedata.combining(mark)), len(marks))
            return sign + marks[:end]
    return None


def tells(name: str, person: str, shown: str) -> bool:
    """Whether the name of a pair or team has a part of the name of one of its persons in it that is not shown.

    Accents may be missing and endings differ, as in Kováčová and Kovacovci. Short parts count as whole words only.
    """
    hidden = words_of(person) - words_of(shown)
    words, whole = words_of(name), folded(name)
    return any(word[: max(STEM, len(word) - 2)] in whole if len(word) >= STEM else word in words for word in hidden)


def strictest_of(several: Iterable[ShownNames]) -> ShownNames:
    strictest: ShownNames = "full"
    for one in several:
        if STRICTER.index(one) > STRICTER.index(strictest):
            strictest = one
    return strictest


def as_decided(shown: str) -> ShownNames:
    """As it was told. What a newer version has told hides the most."""
    match shown:
        case "full" | "first-name-and-initial":
            return shown
        case _:
            return "number"
