"""Accounts: as whom a federation knows somebody who signs in, and which schools and clubs are entrusted to them.

Somebody new says who they are, which makes a new person and never takes over one. Whoever is in the register already is
given their account by an official, who vouches for it; so are schools and clubs.
"""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace
from pydantic import BaseModel, Field

from services.registration.accounts import AccountHandler, Accounts
from services.registration.api.bodies import FEDERATION, PERSON
from services.registration.api.entries.own_entries import OnlyOfficialsSay
from services.registration.api.federations import FederationHandler, require_federation
from services.registration.api.homes import HOME, HomeId
from services.registration.api.parameters import FederationId, PersonId
from services.registration.api.permissions import CHANGE_HOMES, HOME_ACTIONS, LINK_ACCOUNT, allowed_actions
from services.registration.api.personal import named, names_kept
from services.registration.api.persons.bodies import PERSON_NAME, AccountOf, Particulars, ParticularsToKeep, Person
from services.registration.api.persons.directory import Directory
from services.registration.api.persons.views import particulars_view, person_view
from services.registration.domain import person
from services.registration.domain.accounts import AccountIsSomebody, LinkHome, LinkPerson, UnlinkHome, UnlinkPerson
from services.registration.domain.homes import EntrustHome, Homes, Kind, TakeHomeBack, home_of
from services.registration.domain.names import readable
from services.registration.domain.person import ChangeParticulars, GiveAccount, RegisterPerson, TakeAccount
from services.registration.eligibility.judge import HomesHandler
from shared.access.asker import Asker
from shared.access.policy import SIGNED_IN
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, CREATED, answer_in, answered_before, run, with_body
from shared.http.responses import FOUND, Actions, allowed, read
from shared.ids import NewId
from shared.personal import particulars
from shared.personal.particulars import NOTHING_KNOWN
from shared.refusals import Conflict, Forbidden, Refusal
from shared.values import Value

SUBJECT_OF_CALLER = Field(description="Your opaque id, for an official who links your account.", examples=["b7a20e"])


class NoAccount(Forbidden):
    """Whoever speaks for one entrant is nobody else with that token."""


class MergedAway(Conflict):
    """What somebody had said of themselves turned out to be about a person of the register."""


OF_MYSELF = {"born": "2011-05-17", "citizenship": ["PL"], "town": "Kraków"}


class Myself(RequestBody):
    name: str = PERSON_NAME
    particulars: ParticularsToKeep | None = Field(
        default=None,
        description="What else is known of you, where rules ask for it; a licence is said by officials.",
        examples=[OF_MYSELF],
    )


class NotKnownYet(Conflict):
    """Somebody says more of themselves before the federation knows them."""


class KnownOtherwise(Conflict):
    """What people are judged by is corrected by officials."""


JUDGED = ("born", "citizenship")
KNOWN_ALREADY = (
    "The federation knows you already, and an account is one person: look at yourself there instead, and ask an official if "
    "something is wrong."
)


class EntrustedHome(BaseModel):
    id: str = Field(examples=[HOME])
    kind: Kind = Field(examples=["school"])
    name: str = Field(examples=["Gymnázium Poštová 9"])


class MyselfShown(BaseModel):
    """As whom a federation knows the caller."""

    federation: str = Field(examples=[FEDERATION])
    subject: str = SUBJECT_OF_CALLER
    person: str | None = Field(
        description="Your id there; null: the federation does not know you yet.", examples=[PERSON]
    )
    is_vouched: bool = Field(description="Whether an official has said that this is you.", examples=[False])
    name: str | None = Field(examples=["Mária Nováková"])
    particulars: Particulars | None = Field(description="What else is known of you.")
    homes: list[EntrustedHome] = Field(description="Schools and clubs for which you speak.")


class HomeAccounts(BaseModel):
    home: str = Field(examples=[HOME])
    accounts: list[str] = Field(description="Who speaks for it, as their tokens call them.", examples=[["b7a20e"]])
    allowed_actions: Actions = allowed(*HOME_ACTIONS)


class Acquaintance(Value):
    """What a federation knows of whoever is asking."""

    accounts: Accounts
    directory: Directory
    federations: FederationHandler
    homes: HomesHandler

    async def erased(self, subject: str, federation: str) -> str | None:
        """The person that they were, if nobody knows any more who that was. After a merger an official decides."""
        before = (await self.accounts.of(subject)).persons.get(federation)
        if before is None:
            return None
        match (await self.directory.persons.load(before))[0]:
            case person.Erased():
                return before
            case person.Merged():
                kept = await self.directory.kept(before)
                if await self.directory.is_erased(kept):
                    return before
                raise MergedAway(
                    f"The federation has found that {before} is {kept}: ask an official to link your account, "
                    f"{subject}, to that person."
                )
            case _:
                return None

    async def shown(self, federation: str, subject: str) -> MyselfShown:
        own = await self.accounts.own(subject, federation)
        known_homes, _ = await self.homes.load(federation)
        entrusted = [
            EntrustedHome(id=one, kind=home.kind, name=home.name)
            for one, home in known_homes.known.items()
            if one in own.homes
        ]
        nobody = bare(federation, subject, own.person).model_copy(update={"homes": entrusted})
        if own.person is None:
            return nobody
        state, _ = await self.directory.persons.load(own.person)
        known = (await self.directory.particulars.of([own.person])).get(own.person, NOTHING_KNOWN)
        told = particulars_view(own.person, known).model_dump(exclude={"person", "hidden"})
        return nobody.model_copy(
            update={
                "is_vouched": isinstance(state, person.Registered) and state.is_vouched,
                "name": (await self.directory.shown.of_own([own.person])).get(own.person),
                "particulars": Particulars.model_validate(told),
            }
        )


def my_routes(*, known: Acquaintance, door: Door, new_id: NewId) -> APIRouter:  # noqa: C901 - three short operations
    router = Router(prefix="/v1/federations/{federation_id}/me", tags=["me"])
    accounts, directory = known.accounts, known.directory
    persons, beside_log = directory.persons, directory.particulars

    @router.post(
        "",
        summary="Become known to a federation",
        description="As somebody new, with this name. Who stands in its register already has an official link the "
        "account instead: nobody takes over a person by a name.",
        operation_id="registerMyself",
        status_code=HTTPStatus.CREATED,
        response_model=MyselfShown,
        responses=CREATED,
    )
    async def register(
        federation_id: FederationId, body: Myself, act: Annotated[Act, Depends(door.acts(SIGNED_IN))]
    ) -> Response:
        subject = require_account(act.asker)
        await require_federation(known.federations, federation_id)
        if before := await answered_before(persons, act, status=HTTPStatus.CREATED):
            return with_body(before, await known.shown(federation_id, subject))
        said = said_of_oneself(body.particulars.known(), NOTHING_KNOWN) if body.particulars else NOTHING_KNOWN
        identity, name = str(new_id()), readable(body.name)
        link = LinkPerson(
            subject=subject,
            federation=federation_id,
            person=identity,
            instead_of=await known.erased(subject, federation_id),
        )
        await beside_log.keep_all({identity: said} if said != NOTHING_KNOWN else {})
        try:
            async with names_kept(directory.names, {identity: name}):
                response = await run(
                    persons,
                    identity,
                    RegisterPerson(person=identity, federation=federation_id, account=subject),
                    act,
                    lambda _: bare(federation_id, subject, identity),
                    status=HTTPStatus.CREATED,
                    also=[accounts.accounts.part(subject, link, scope=federation_id, origin=act.origin)],
                )
        except Refusal as refusal:
            await beside_log.erase([identity])
            if isinstance(refusal, AccountIsSomebody):
                raise AccountIsSomebody(KNOWN_ALREADY) from refusal
            raise
        answered = answer_in(response, MyselfShown)
        if answered.person != identity:  # the same request under the same key, at the same moment
            await directory.names.erase([identity])
            await beside_log.erase([identity])
        return with_body(response, await known.shown(federation_id, subject))

    @router.post(
        "/particulars",
        summary="Say what else is known of me",
        description="What rules ask for besides the name. Town, e-mail and phone are all of it from now on; birth and "
        "citizenship you say once, and officials correct them; a licence officials say. Have your entries judged again "
        "afterwards.",
        operation_id="changeMyParticulars",
        response_model=MyselfShown,
        openapi_extra={"requestBody": {"content": {"application/json": {"example": OF_MYSELF}}}},
        responses=CHANGED,
    )
    async def change(
        federation_id: FederationId, body: ParticularsToKeep, act: Annotated[Act, Depends(door.acts(SIGNED_IN))]
    ) -> Response:
        subject = require_account(act.asker)
        await require_federation(known.federations, federation_id)
        identity = (await accounts.own(subject, federation_id)).person
        if identity is None:
            raise NotKnownYet(
                "The federation does not know you yet: register yourself first, with what is known of you."
            )
        before = (await beside_log.of([identity])).get(identity, NOTHING_KNOWN)
        try:
            said = said_of_oneself(body.known(), before)
        except Refusal:
            if repeated := await answered_before(persons, act):  # an official has said otherwise since
                return with_body(repeated, await known.shown(federation_id, subject))
            raise
        response = await run(
            persons,
            identity,
            ChangeParticulars(differ=said != before),
            act,
            lambda _: bare(federation_id, subject, identity),
        )
        _, version = await persons.load(identity)
        if response.headers["ETag"] == f'"{version}"':  # otherwise somebody has said something else since
            await directory.keep(identity, known=said)
        return with_body(response, await known.shown(federation_id, subject))

    @router.get(
        "",
        summary="As whom a federation knows me",
        description="Your person, if it has one for you, and the schools and clubs that are entrusted to you. Show your "
        "`subject` to an official who is to link your account.",
        operation_id="getMyself",
        response_model=MyselfShown,
        responses=FOUND,
    )
    async def myself(federation_id: FederationId, asker: Annotated[Asker, Depends(door.reads(SIGNED_IN))]) -> Response:
        subject = require_account(asker)
        await require_federation(known.federations, federation_id)
        _, version = await accounts.accounts.load(subject)
        return read(await known.shown(federation_id, subject), version)

    return router


def said_of_oneself(said: particulars.Particulars, before: particulars.Particulars) -> particulars.Particulars:
    """What people are judged by stays once it is known."""
    if said.licence not in {None, before.licence}:
        raise OnlyOfficialsSay("Only an official says which licence somebody has: leave it out.")
    for name in JUDGED:
        if getattr(before, name) and getattr(said, name) not in {None, (), getattr(before, name)}:
            raise KnownOtherwise(
                f"Another value of {name} is known of you: leave it out, or have an official correct it."
            )
    return replace(
        said,
        born=before.born or said.born,
        citizenship=before.citizenship or said.citizenship,
        licence=before.licence,
    )


def bare(federation: str, subject: str, identity: str | None) -> MyselfShown:
    """Without what is kept beside the log."""
    return MyselfShown(
        federation=federation, subject=subject, person=identity, is_vouched=False, name=None, particulars=None, homes=[]
    )


def require_account(asker: Asker) -> str:
    """What an official has handed out, for an entrant or a desk, is nobody's account."""
    if asker.caller is None or not asker.caller.is_account:
        raise NoAccount("A captain's token or a scorer's link is no account: sign in with your own.")
    return asker.caller.subject


def person_routes(*, accounts: Accounts, directory: Directory, door: Door) -> APIRouter:
    router = Router(prefix="/v1/persons/{person_id}/account", tags=["persons"])
    persons, links = directory.persons, accounts.accounts

    @router.post(
        "",
        summary="Say which account is a person's",
        description="Whoever signs in with it acts for this person from then on: make sure who they are. An account "
        "is one person of a federation, and a person has one account.",
        operation_id="giveAccount",
        response_model=Person,
        responses=CHANGED,
    )
    async def give(
        person_id: PersonId, body: AccountOf, act: Annotated[Act, Depends(door.acts(LINK_ACCOUNT))]
    ) -> Response:
        identity = await directory.kept(person_id)
        federation = person.known((await persons.load(identity))[0]).federation
        account = await accounts.of(body.subject)
        is_theirs = await accounts.person_of(account, body.subject, federation)
        before = None if is_theirs else account.persons.get(federation)
        link = LinkPerson(subject=body.subject, federation=federation, person=identity, instead_of=before)
        response = await run(
            persons,
            identity,
            GiveAccount(subject=body.subject),
            act,
            lambda state: person_view(state, act.asker),
            also=[links.part(body.subject, link, scope=federation, origin=act.origin)],
        )
        return await named(response, Person, directory.shown)

    @router.post(
        "/take-away",
        summary="Take a person's account away",
        description="Nobody signs in as them any more, within a moment. Their entries stay.",
        operation_id="takeAccountAway",
        response_model=Person,
        responses=CHANGED,
    )
    async def take(person_id: PersonId, act: Annotated[Act, Depends(door.acts(LINK_ACCOUNT))]) -> Response:
        identity = await directory.kept(person_id)
        found = person.known((await persons.load(identity))[0])
        subject = found.account if isinstance(found, person.Registered) else None
        unlink = UnlinkPerson(subject=subject or "", federation=found.federation, person=identity)
        also = [links.part(subject, unlink, scope=found.federation, origin=act.origin)] if subject else []
        response = await run(
            persons, identity, TakeAccount(), act, lambda state: person_view(state, act.asker), also=also
        )
        return await named(response, Person, directory.shown)

    return router


def home_routes(*, links: AccountHandler, homes: HomesHandler, door: Door) -> APIRouter:
    router = Router(prefix="/v1/federations/{federation_id}/homes/{home_id}/accounts", tags=["homes"])

    @router.post(
        "",
        summary="Entrust a school or club to an account",
        description="Whoever signs in with it enters its teams, and acts for all teams that were entered for it. There may "
        "be several such accounts.",
        operation_id="entrustHome",
        response_model=HomeAccounts,
        responses=CHANGED,
    )
    async def entrust(
        federation_id: FederationId,
        home_id: HomeId,
        body: AccountOf,
        act: Annotated[Act, Depends(door.acts(CHANGE_HOMES))],
    ) -> Response:
        link = LinkHome(subject=body.subject, federation=federation_id, home=home_id)
        return await run(
            homes,
            federation_id,
            EntrustHome(home=home_id, subject=body.subject),
            act,
            lambda state: accounts_view(state, federation_id, home_id, act.asker),
            also=[links.part(body.subject, link, scope=federation_id, origin=act.origin)],
        )

    @router.post(
        "/take-back",
        summary="Take a school or club back from an account",
        description="It speaks for the teams of the school or club no more. Entries that it made stay.",
        operation_id="takeHomeBack",
        response_model=HomeAccounts,
        responses=CHANGED,
    )
    async def take_back(
        federation_id: FederationId,
        home_id: HomeId,
        body: AccountOf,
        act: Annotated[Act, Depends(door.acts(CHANGE_HOMES))],
    ) -> Response:
        unlink = UnlinkHome(subject=body.subject, federation=federation_id, home=home_id)
        return await run(
            homes,
            federation_id,
            TakeHomeBack(home=home_id, subject=body.subject),
            act,
            lambda state: accounts_view(state, federation_id, home_id, act.asker),
            also=[links.part(body.subject, unlink, scope=federation_id, origin=act.origin)],
        )

    @router.get(
        "",
        summary="Which accounts speak for a school or club",
        description="For whoever may entrust it.",
        operation_id="listHomeAccounts",
        response_model=HomeAccounts,
        responses=FOUND,
    )
    async def several(
        federation_id: FederationId, home_id: HomeId, asker: Annotated[Asker, Depends(door.reads(CHANGE_HOMES))]
    ) -> Response:
        state, version = await homes.load(federation_id)
        return read(accounts_view(state, federation_id, home_id, asker), version)

    return router


def accounts_view(state: Homes, federation: str, home: str, asker: Asker) -> HomeAccounts:
    home_of(state, home)
    return HomeAccounts(
        home=home,
        accounts=list(state.entrusted.get(home, ())),
        allowed_actions=allowed_actions(HOME_ACTIONS, federation, asker),
    )
