"""Words: whether they are valid, by which list, and the editions of the lists."""

import asyncio
from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Response
from msgspec.structs import asdict, replace

from services.results.api.permissions import BIND_WORD_LISTS, TAKE_WORD_LISTS
from services.results.api.words import bodies
from services.results.domain.bound_word_lists import BindEditions
from services.results.domain.editions import EditionTaken, TakeEdition, identity
from services.results.games.scrabble.word_check import check
from services.results.games.scrabble.word_lists import DICTIONARY, SENTENCE, import_dictionary, import_list, words_in
from services.results.tournaments import Tournaments
from services.results.word_lists import Library
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.clock import Now
from shared.faults import Faulty, InputFault
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.limits import LARGEST_OF_ANYBODY
from shared.http.orders import CHANGED, run
from shared.http.parameters import TournamentId
from shared.http.problems import documented
from shared.http.responses import BAD, PAGE, READ, DryRun, changed, read, read_by_content, unversioned
from shared.log.contents import digest_of
from shared.personal.notes import Notes
from shared.refusals import Invalid, NotAnnounced
from shared.values import Value


class ServerDecides(Invalid):
    """No list says which words are valid online."""


class TwoEditions(Invalid):
    """Of one list only one edition counts."""


class WordContext(Value):
    """What the operations on words work with."""

    library: Library
    tournaments: Tournaments
    notes: Notes
    now: Now


def routes(*, shelf: WordContext, door: Door) -> APIRouter:
    router = Router(prefix="/v1", tags=["words"])

    async def judged(words: Sequence[str], editions: Sequence[str], tournament: str | None) -> list[bodies.WordShown]:
        loaded = await shelf.library.loaded(editions if tournament is None else await editions_of(shelf, tournament))
        return [bodies.WordShown.model_validate(check(word, loaded), from_attributes=True) for word in words]

    @router.get(
        "/words/{word}",
        summary="Whether a word is valid",
        description="By the editions that are named, or those that a tournament plays by; without any, by what the "
        "regulations name themselves. Says which rule and which list decided.",
        operation_id="checkWord",
        responses=BAD | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def one(
        word: Annotated[str, Path(min_length=1, max_length=64, examples=["ok"])],
        edition: bodies.AskedEditions = None,
        tournament: bodies.WordsOfTournament = None,
    ) -> bodies.WordShown:
        (found,) = await judged([word], edition or (), tournament)
        return found

    @router.post(
        "/words/check",
        summary="Whether many words are valid",
        description=f"The same for up to {bodies.MOST_WORDS} words at once, in their order, in a body of up to "
        f"{LARGEST_OF_ANYBODY} bytes. Nothing is kept.",
        operation_id="checkWords",
        response_model=bodies.WordsShown,
        responses=BAD | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(body: bodies.ToCheck) -> Response:
        found = await judged(body.words, body.editions, body.tournament)
        return unversioned(bodies.WordsShown(words=found))

    @router.post(
        "/federations/{federation_id}/word-lists",
        summary="Take in an edition of a word list or dictionary",
        description="It is counted and each word is looked at; a list with faults is refused and they are named, or "
        "taken without what cannot be for a reason. An edition never changes.",
        operation_id="takeWordList",
        status_code=HTTPStatus.OK,
        response_model=bodies.EditionShown,
        responses=changed(HTTPStatus.OK, HTTPStatus.CONFLICT),
    )
    async def take(
        federation_id: bodies.FederationId,
        body: bodies.ToTake,
        act: Annotated[Act, Depends(door.acts(TAKE_WORD_LISTS))],
        dry_run: DryRun = False,
    ) -> Response:
        words, faults = await asyncio.to_thread(looked_at, body)
        content = await asyncio.to_thread(lambda: msgspec.json.encode(sorted(words)))
        order = TakeEdition(
            federation=federation_id,
            name=body.name,
            edition=body.edition,
            dated=body.dated,
            content=digest_of(content),
            words=len(words),
            complete=body.complete,
            faults=faults,
            at=shelf.now().isoformat(),
        )
        named = identity(federation_id, body.name, body.edition)
        if dry_run:
            state, events = await shelf.library.editions.foresee(federation_id, order)
            return read(edition_shown(named, events[0] if events else state.taken[named]), len(state.taken))
        await shelf.library.contents.keep(content)
        async with shelf.notes.kept(federation_id, body.override if faults else None, act.key) as note:
            return await run(
                shelf.library.editions,
                federation_id,
                replace(order, override=note),
                act,
                lambda state: edition_shown(named, state.taken[named]),
            )

    @router.get(
        "/federations/{federation_id}/word-lists",
        summary="The word lists of a federation",
        description="Every edition that was taken in.",
        operation_id="listWordLists",
        response_model=bodies.EditionsShown,
        responses=READ,
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def taken(federation_id: bodies.FederationId) -> Response:
        state, version = await shelf.library.editions.load(federation_id)
        editions = [edition_shown(identity, one) for identity, one in state.taken.items()]
        return read(bodies.EditionsShown(editions=editions), version)

    @router.post(
        "/tournaments/{tournament_id}/word-lists",
        summary="Bind a tournament to editions",
        description="Instead of the newest ones that its federation has when it starts. Possible until then.",
        operation_id="bindWordLists",
        response_model=bodies.BoundShown,
        responses=CHANGED,
    )
    async def bind(
        tournament_id: TournamentId, body: bodies.ToBind, act: Annotated[Act, Depends(door.acts(BIND_WORD_LISTS))]
    ) -> Response:
        chosen = await shelf.library.taken(body.editions)
        editions = {one.name: name for name, one in chosen.items()}
        if len(editions) < len(chosen):
            raise TwoEditions("Two editions of one list cannot both count: name one of each.")
        _, started = await shelf.library.began(tournament_id)
        order = BindEditions(tournament=tournament_id, editions=editions, is_started=started is not None)
        return await run(
            shelf.library.bindings, tournament_id, order, act, lambda _: bodies.BoundShown(editions=editions)
        )

    @router.get(
        "/tournaments/{tournament_id}/word-lists",
        summary="By which editions a tournament plays",
        description="Those that it is bound to, or the newest ones of its federation, since its start those of then.",
        operation_id="getBoundWordLists",
        response_model=bodies.BoundShown,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
    )
    async def bound(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        await require_seen(shelf, tournament_id, asker)
        shown = bodies.BoundShown(editions=dict(await shelf.library.of_tournament(tournament_id)))
        return read_by_content(shown)

    return router


def edition_shown(identity: str, taken: EditionTaken) -> bodies.EditionShown:
    return bodies.EditionShown(id=identity, **asdict(taken))


async def require_seen(shelf: WordContext, tournament: str, asker: Asker) -> None:
    if not (asker.is_operator or asker.holds_office()) and await shelf.library.is_draft(tournament):
        raise NotAnnounced("No tournament with this id is known here: look for it in the list of registration.")


async def editions_of(shelf: WordContext, tournament: str) -> Collection[str]:
    known = await shelf.tournaments.of(tournament)
    if known.facts is not None and known.rules().contest.words == "server":
        raise ServerDecides(
            "In this tournament the server decides which words are valid, and where it offers a rejection the opponent "
            "does (SK.X-6). As an aid, name editions instead."
        )
    return (await shelf.library.of_tournament(tournament)).values()


def looked_at(body: bodies.ToTake) -> tuple[frozenset[str], int]:
    """Its words, and how many faults a reason has overridden."""
    words = words_in(body.words) if isinstance(body.words, str) else body.words
    if body.name == DICTIONARY:
        return import_dictionary(name=body.edition, dated=body.dated, words=words, complete=body.complete).words, 0
    if body.declared is None:
        raise Faulty(SENTENCE, [InputFault("/declared", "is missing: a list says how many words it has")])
    found = import_list(
        name=body.name,
        edition=body.edition,
        dated=body.dated,
        declared=body.declared,
        words=words,
        foreign=body.foreign,
        override=body.override,
    )
    return found.words, len(found.faults)
