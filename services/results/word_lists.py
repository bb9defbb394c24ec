"""Word lists: the words of the editions that are asked for, and which of them a tournament plays by."""

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import msgspec

from services.results.domain.bound_word_lists import Bound
from services.results.domain.editions import EditionTaken, federation_of
from services.results.games.scrabble.word_lists import DICTIONARY, Dictionary, Loaded, WordList, loaded
from services.results.streams import BindingHandler, EditionHandler
from shared.access.references import About
from shared.cache import LruCache
from shared.contracts.registration import TournamentStarted
from shared.log.contents import Contents
from shared.log.database import Database
from shared.log.envelope import MESSAGES
from shared.refusals import NotFound

KEPT = 64  # editions whose words stay in memory
LATEST = "9"  # behind every year

BEGAN = """
  select message from inbox.events where scope = $1 and source = 'registration'
  and type in ('TournamentAnnounced', 'TournamentStarted') and lost is null order by number
"""

OPENED = """
  select exists (select from inbox.events where scope = $1 and source = 'registration'
  and type in ('RegistrationOpened', 'TournamentStarted') and lost is null)
"""

WORDS = msgspec.json.Decoder(list[str])


class EditionUnknown(NotFound):
    """No edition of that id was taken in."""


class Began(msgspec.Struct):
    """The part of both contracts that matters here."""

    federation: str


@dataclass(kw_only=True)
class Library:
    editions: EditionHandler
    bindings: BindingHandler
    contents: Contents
    database: Database  # with the inbox

    def __post_init__(self) -> None:
        self._words = LruCache[str, frozenset[str]](KEPT)

    async def taken(self, ids: Collection[str]) -> Mapping[str, EditionTaken]:
        """By their ids, all of them."""
        known: dict[str, EditionTaken] = {}
        for federation in dict.fromkeys(map(federation_of, ids)):
            state, _ = await self.editions.load(federation)
            known |= state.taken
        for identity in ids:
            if identity not in known:
                raise EditionUnknown(f"There is no edition {identity}: look into the word lists of its federation.")
        return {identity: known[identity] for identity in ids}

    async def editions_of(self, about: About, ids: Collection[str]) -> Collection[str]:
        """Those of these that a federation has taken in."""
        state, _ = await self.editions.load(about.federation)
        return [one for one in ids if one in state.taken]

    async def of_tournament(self, tournament: str) -> Mapping[str, str]:
        """The ids by the names of the lists: those that it is bound to, or the newest ones when it started."""
        state, _ = await self.bindings.load(tournament)
        if isinstance(state, Bound):
            return state.editions
        federation, started = await self.began(tournament)
        if federation is None:
            return {}
        taken, _ = await self.editions.load(federation)
        return taken.newest(until=started or LATEST)

    async def began(self, tournament: str) -> tuple[str | None, str | None]:
        """Whose tournament it is, and when it started, as far as registration has said so."""
        messages = [MESSAGES.decode(row["message"]) for row in await self.database.fetch(BEGAN, tournament)]
        federation = next((msgspec.json.decode(one.data, type=Began).federation for one in messages), None)
        started = next((one.at.isoformat() for one in messages if one.type == TournamentStarted.__name__), None)
        return federation, started

    async def is_draft(self, tournament: str) -> bool:
        """Or one that registration has said nothing of."""
        return not await self.database.fetchval(OPENED, tournament)

    async def loaded(self, ids: Collection[str]) -> Loaded:
        taken = await self.taken(ids)
        words = await self._read({one.content for one in taken.values()})
        dictionary = None
        lists: list[WordList] = []
        for one in taken.values():
            if one.name == DICTIONARY:
                dictionary = Dictionary(
                    name=one.edition, dated=one.dated, words=words[one.content], complete=one.complete
                )
            else:
                lists.append(WordList(name=one.name, edition=one.edition, dated=one.dated, words=words[one.content]))
        return loaded(*lists, dictionary=dictionary)

    async def _read(self, digests: AbstractSet[str]) -> Mapping[str, frozenset[str]]:
        found = {digest: words for digest in digests if (words := self._words.get(digest)) is not None}
        for digest, content in (await self.contents.read(digests - found.keys())).items():
            found[digest] = frozenset(WORDS.decode(content))
            self._words.put(digest, found[digest])
        return found
