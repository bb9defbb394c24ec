"""Every operation of every service, asked by everybody: nobody gets further than the policy of the operation says.

Made from the OpenAPI documents, so an operation that is new is asked too, and one without a policy does not start.
"""

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import httpx
import msgspec
import pytest

from deploy import SERVICES
from shared.access.roles import OFFICES, Role
from shared.contracts.registration import EntrantAdmitted, SeasonOpened
from shared.values import Value
from tests.api.asking import Client, issuer, service
from tests.api.hearing import CaptainIssuer, announced, appointed, hear
from tests.api.signing import OPERATOR, another_key, signed_by
from tests.api.world import open_sheets, register
from tests.patience import AT_ONCE
from tests.told import tell

# Whom each operation lets in where its path leads: anybody, whoever is signed in, an operator, a captain of an entrant
# that it is about, or who holds one of the roles there, or for a tournament in its federation.
ANYBODY, SIGNED_IN, AN_OPERATOR, CAPTAINS = "anybody", "signed in", "an operator", "captains"
THEMSELVES = "themselves"  # whoever is signed in, for what is their own, which the operation judges
ABOVE_ONLY = "of the federation"  # the roles count there, and not where they are held for the tournament alone
ORGANISERS: set[str] = {"director", "coordinator"}
AT_THE_TABLES: set[str] = {"director", "arbiter", "scorer", CAPTAINS}
EXPECTED: dict[str, set[str]] = {
    "foundFederation": {AN_OPERATOR},
    "listFederations": {ANYBODY},
    "getFederation": {ANYBODY},
    "renameFederation": {"director", "council"},
    "appointOfficial": {AN_OPERATOR, "director"},
    "dismissOfficial": {"director"},
    "listOfficials": {AN_OPERATOR, *OFFICES},
    "appointTournamentOfficial": {"director"},
    "dismissTournamentOfficial": {"director"},
    "listTournamentOfficials": {*OFFICES},
    "issueCaptainToken": {"director", "coordinator", "scorer"},
    "issueCaptainTokens": {"director", "coordinator", "scorer"},
    "dismissCaptain": {"director", "coordinator", "scorer"},
    "getCaptain": {*OFFICES},
    "issueScorerLinks": {"director"},
    "listScorerLinks": {"director"},
    "revokeScorerLink": {"director"},
    "getMeAtResults": {SIGNED_IN},
    "registerMyself": {SIGNED_IN},
    "getMyself": {SIGNED_IN},
    "changeMyParticulars": {SIGNED_IN},
    "getMe": {SIGNED_IN},
    "listMyEntries": {SIGNED_IN},
    "giveAccount": {*ORGANISERS, "council"},
    "takeAccountAway": {*ORGANISERS, "council"},
    "entrustHome": {*ORGANISERS, "council"},
    "takeHomeBack": {*ORGANISERS, "council"},
    "listHomeAccounts": {*ORGANISERS, "council"},
    "registerPerson": {*ORGANISERS, "council"},
    "renamePerson": {*ORGANISERS, "council"},
    "getPerson": {*OFFICES},
    "listPersons": {*OFFICES},
    "mergePersons": {*ORGANISERS, "council"},
    "erasePerson": {"director"},
    "exportPerson": ORGANISERS,
    "announceTournament": ORGANISERS,
    "listTournaments": {ANYBODY},
    "getTournament": {ANYBODY},
    "checkStart": {ANYBODY},
    "setAnnualFee": {*ORGANISERS, "council"},
    "enrolMember": {*ORGANISERS, "council"},
    "strikeMember": {*ORGANISERS, "council"},
    "getRoll": {*ORGANISERS, "council"},
    "getTournamentRecords": {ANYBODY},
    "postNotice": {*ORGANISERS, "arbiter"},
    "recallNotice": {*ORGANISERS, "arbiter"},
    "listNotices": {ANYBODY},
    "followNotices": {ANYBODY},
    "getAttendanceList": {*ORGANISERS, "arbiter", "scorer"},
    "getCash": {*ORGANISERS, "council"},
    "changePlan": ORGANISERS,
    "openRegistration": ORGANISERS,
    "openCheckIn": ORGANISERS,
    "decideShownNames": {ABOVE_ONLY, *ORGANISERS, "council"},
    "announceAdvance": ORGANISERS,
    "postponeFirstRound": ORGANISERS,
    "startTournament": ORGANISERS,
    "beginReview": {*ORGANISERS, "arbiter"},
    "resumePlay": {*ORGANISERS, "arbiter"},
    "completeTournament": ORGANISERS,
    "cancelTournament": {"director"},
    "enterTournament": {*ORGANISERS, THEMSELVES},
    "importEntrants": ORGANISERS,
    "importEntries": ORGANISERS,
    "exportEntries": {*OFFICES},
    "importPersons": {*ORGANISERS, "council"},
    "exportPersons": ORGANISERS,
    "admitLateEntrant": ORGANISERS,
    "listEntrants": {ANYBODY},
    "getEntrant": {ANYBODY},
    "correctEntrant": ORGANISERS,
    "checkInEntrant": {*ORGANISERS, "arbiter", "scorer"},
    "checkInEntrants": {*ORGANISERS, "arbiter", "scorer"},
    "undoCheckIn": {*ORGANISERS, "arbiter", "scorer"},
    "strikeOffEntrant": ORGANISERS,
    "declareClosePersons": ORGANISERS,
    "revokeClosePersons": ORGANISERS,
    "listClosePersons": {*OFFICES},
    "registerHome": {*ORGANISERS, "council"},
    "changeHome": {*ORGANISERS, "council"},
    "getHome": {ANYBODY},
    "openSeason": {"director", "council"},
    "nameChampionship": {"director", "council"},
    "getSeason": {ANYBODY},
    "listSeasons": {ANYBODY},
    "listHomes": {ANYBODY},
    "changeParticulars": ORGANISERS,
    "getParticulars": {*ORGANISERS, "council", "arbiter", "scorer"},
    "listEntries": {*OFFICES},
    "getEntryHistory": {*OFFICES},
    "approveSpectator": ORGANISERS,
    "listSpectators": {*OFFICES},
    "getEntry": {*OFFICES, CAPTAINS},
    "detailEntry": {*ORGANISERS, CAPTAINS},
    "judgeEntry": {*ORGANISERS, CAPTAINS},
    "callReserve": ORGANISERS,
    "releaseUnconfirmed": {*ORGANISERS, "council"},
    "nameNextLevel": {*ORGANISERS, "council"},
    "takeInQualified": {*ORGANISERS, "council"},
    "listQualifiers": {*OFFICES},
    "checkAdvancing": {*OFFICES},
    "confirmPlace": {*ORGANISERS, CAPTAINS},
    "bringInSubstitute": {*ORGANISERS, CAPTAINS},
    "chooseTeam": ORGANISERS,
    "nameActingCaptain": {*ORGANISERS, CAPTAINS},
    "checkInMembers": {*ORGANISERS, "arbiter", "scorer"},
    "arriveLate": ORGANISERS,
    "recordPayment": ORGANISERS,
    "recordRefund": ORGANISERS,
    "requestWaiver": {*ORGANISERS, CAPTAINS},
    "grantWaiver": ORGANISERS,
    "refuseWaiver": ORGANISERS,
    "withdrawEntrant": {*ORGANISERS, "arbiter", CAPTAINS},
    "expelEntrant": {"director", "arbiter"},
    "returnEntrant": {*ORGANISERS, "arbiter"},
    "markAbsent": {*ORGANISERS, "arbiter"},
    "markPresent": {*ORGANISERS, "arbiter"},
    "postRuleset": {"director", "council"},
    "withdrawRuleset": {"director", "council"},
    "listRulesets": {ANYBODY},
    "getRuleset": {ANYBODY},
    "pairTournamentFile": {SIGNED_IN},
    "rankTournamentFile": {SIGNED_IN},
    "addUpSeasonFile": {SIGNED_IN},
    "getCheckpoint": {ANYBODY},
    "getReceipt": {ANYBODY},
    "getConsistency": {ANYBODY},
    "listRounds": {ANYBODY},
    "followRounds": {ANYBODY},
    "printRound": {ANYBODY},
    "exportRound": {ANYBODY},
    "getRound": {ANYBODY},
    "explainRound": {ANYBODY},
    "getNextRound": {ANYBODY},
    "comparePairing": {AN_OPERATOR, "director", "arbiter", "council", "coordinator", "auditor"},
    "getTournamentFile": {AN_OPERATOR, "director", "arbiter", "council", "coordinator", "auditor"},
    "getGroups": {ANYBODY},
    "drawGroups": {"director", "arbiter"},
    "setGroups": {"director", "arbiter"},
    "draftRound": {"director", "arbiter"},
    "overridePairing": {"director", "arbiter"},
    "confirmRound": {"director", "arbiter"},
    "publishRound": {"director", "arbiter"},
    "pairAndPublishRound": {"director", "arbiter"},
    "swapEntrants": {"director", "arbiter"},
    "moveToTable": {"director", "arbiter"},
    "listStages": {ANYBODY},
    "getMeAtPairing": {SIGNED_IN},
    "getMeAtStandings": {SIGNED_IN},
    "recallRound": {"director", "arbiter"},
    "repairTables": {"director", "arbiter"},
    "nameRooms": {"director", "arbiter"},
    "registerWebhook": {"director"},
    "listWebhooks": {"director"},
    "rotateWebhookSecret": {"director"},
    "restartWebhook": {"director"},
    "pauseWebhook": {"director"},
    "removeWebhook": {"director"},
    "testWebhook": {"director"},
    "listDeliveries": {"director"},
    "sendDeliveryAgain": {"director"},
    "getCalendar": {ANYBODY},
    "getRooms": {ANYBODY},
    "listGames": {ANYBODY},
    "listGamesOfTournament": {ANYBODY},
    "getGameAtTable": {ANYBODY},
    "getGame": {ANYBODY},
    "readGameHistory": {*OFFICES, CAPTAINS},
    "startGame": AT_THE_TABLES,
    "reportResult": AT_THE_TABLES,
    "reportResultAtTable": AT_THE_TABLES,
    "decideResultAtTable": {"director", "arbiter"},
    "correctResultAtTable": {"director", "arbiter"},
    "withdrawReportAtTable": AT_THE_TABLES,
    "confirmResultAtTable": AT_THE_TABLES,
    "disputeResultAtTable": AT_THE_TABLES,
    "startGameAtTable": AT_THE_TABLES,
    "reportResults": {"director", "arbiter", "scorer"},
    "exportEntrySheet": {ANYBODY},
    "importEntrySheet": {"director", "arbiter", "scorer"},
    "withdrawReport": AT_THE_TABLES,
    "confirmResult": AT_THE_TABLES,
    "disputeResult": AT_THE_TABLES,
    "decideResult": {"director", "arbiter"},
    "correctResult": {"director", "arbiter"},
    "postponeGame": {"director", "arbiter"},
    "resumeGame": {"director", "arbiter"},
    "voidGame": {"director", "arbiter"},
    "drawWinner": {"director", "arbiter"},
    "complainAboutResult": AT_THE_TABLES,
    "answerComplaint": {"director", "arbiter"},
    "makeChoice": AT_THE_TABLES,
    "giveLineUp": AT_THE_TABLES,
    "askFor": AT_THE_TABLES,
    "drawBoards": {"director", "arbiter"},
    "drawSeats": {"director", "arbiter"},
    "changeClock": {"director", "arbiter"},
    "resetClocks": {"director", "arbiter"},
    "fileProtest": AT_THE_TABLES,
    "decideProtest": {"director", "arbiter"},
    "recordPublicVote": {"director", "arbiter"},
    "listProtests": {*OFFICES},
    "listPenalties": {ANYBODY},
    "warnEntrant": {"director", "arbiter"},
    "expelPerson": {"director", "arbiter"},
    "returnPerson": {"director", "arbiter"},
    "imposePenalty": {"director", "arbiter"},
    "liftPenalty": {"director", "arbiter"},
    "disqualifyEntrant": {"director", "arbiter"},
    "removeFromHall": {"director", "arbiter"},
    "letBackIntoHall": {"director", "arbiter"},
    "adjudicate": {SIGNED_IN},
    "attachRecord": AT_THE_TABLES,
    "listRecords": {ANYBODY},
    "drawRecord": {ANYBODY},
    "noteIncident": {"scorer", "arbiter", "director"},
    "listIncidents": {*OFFICES, CAPTAINS},
    "ruleObjection": {"arbiter", "director"},
    "listRulings": {*OFFICES, CAPTAINS},
    "checkWord": {ANYBODY},
    "checkWords": {ANYBODY},
    "takeWordList": {"council", "director"},
    "listWordLists": {ANYBODY},
    "bindWordLists": {"arbiter", "director"},
    "getBoundWordLists": {ANYBODY},
    "getStandings": {ANYBODY},
    "followStandings": {ANYBODY},
    "supposeResult": {AN_OPERATOR, *OFFICES},
    "explainStanding": {ANYBODY},
    "getStage": {ANYBODY},
    "settleTie": {"director", "arbiter"},
    "drawLot": {"director", "arbiter"},
    "shortenStage": {"director", "arbiter"},
    "getFinalRanking": {ANYBODY},
    "getAwards": {ANYBODY},
    "choosePrize": {"director", "arbiter"},
    "listTableChanges": {ANYBODY},
    "listTableMoments": {ANYBODY},
    "getCrosstable": {ANYBODY},
    "getProgression": {ANYBODY},
    "getSeasonTable": {ANYBODY},
    "getSeasonRatings": {ANYBODY},
    "getSeasonDecisions": {ANYBODY},
    "importFirstRatings": {"director", "council"},
    "importContests": {"director", "council"},
    "importGames": {"director", "council"},
    "importRatingList": {"director", "council"},
    "listRatingLists": {ANYBODY},
    "getRatingList": {ANYBODY},
    "nameChampion": {"director", "council"},
    "judgeDeparture": {"director", "council"},
    "announceField": {"director", "council"},
    "drawLotAtCut": {"director", "council"},
    "decideCut": {"director", "council"},
    "publishQualification": {"director", "council"},
    "publishRatings": {"director", "council"},
    "closeSeason": {"director", "council"},
    "closeStage": {"director", "arbiter"},
    "readLog": {AN_OPERATOR},
    "readLogOf": {AN_OPERATOR, "auditor", "director", "council"},
    "getBundle": {AN_OPERATOR, "auditor", "director", "council"},
    "readStory": {AN_OPERATOR, "auditor", "director", "council"},
    "moveLotSource": {"director"},
    "openLots": {"director"},
    "followScope": {AN_OPERATOR, CAPTAINS, *OFFICES},
}

# The world that they are asked in: two federations with a season each, the first one with two tournaments.
OWN, FOREIGN = "federation-1", "federation-2"
OPEN, SISTER, ELSEWHERE = "tournament-1", "tournament-2", "tournament-3"
ABOVE = {OPEN: OWN, SISTER: OWN, ELSEWHERE: FOREIGN}
SEASONS = {"season-1": OWN, "season-2": FOREIGN}
ENTRANT, OPPONENT, AT_ANOTHER_TABLE = "entrant-1", "entrant-2", "entrant-3"
CAPTAIN = CaptainIssuer()
PLACES: dict[str, Mapping[str, str]] = {  # what may stand in a path, or a body, and the scope that it leads to
    "federation_id": {OWN: OWN, FOREIGN: FOREIGN},
    "federation": {OWN: OWN, FOREIGN: FOREIGN},
    "tournament_id": {OPEN: OPEN, SISTER: SISTER, ELSEWHERE: ELSEWHERE},
    "season_id": SEASONS,
    "person_id": {"person-1": OWN, "person-2": FOREIGN},
    "game_id": {"game-1": OPEN, "game-2": SISTER, "game-3": ELSEWHERE, "game-4": OPEN},
    "scope": {OWN: OWN, FOREIGN: FOREIGN, OPEN: OPEN, ELSEWHERE: ELSEWHERE},
}
SEATS = {  # an entrant has the same id in two tournaments only here, so that its captain is tried in the wrong one
    "game-1": (ENTRANT, OPPONENT),
    "game-2": (ENTRANT, OPPONENT),
    "game-3": ("entrant-5", "entrant-6"),
    "game-4": (AT_ANOTHER_TABLE, "entrant-4"),
}

AT_TABLE_ONE = {OPEN: "game-1", SISTER: "game-2", ELSEWHERE: "game-3"}

NOT_YET_THERE = {"Last-Event-ID": f"{2**62}"}  # behind the door a stream refuses it, rather than begin and never end
BODY = {"name": "Go", "subject": "somebody", "role": "scorer", "entrant": ENTRANT}


class Somebody(Value):
    token: str | None
    role: str = ""
    at: str = ""  # where they hold it
    entrant: str = ""  # for whom a captain speaks


def everybody() -> Iterator[Somebody]:
    yield Somebody(token=None)
    yield Somebody(token=issuer().token("stranger"), role=SIGNED_IN)
    yield Somebody(token=issuer().token(OPERATOR), role=AN_OPERATOR)
    for entrant in (ENTRANT, OPPONENT, AT_ANOTHER_TABLE):
        yield Somebody(token=CAPTAIN.token(entrant, OPEN), role=CAPTAINS, at=OPEN, entrant=entrant)
    for role, place in itertools.product(Role, (OWN, OPEN)):
        yield Somebody(token=issuer().token(f"{role}-of-{place}"), role=role, at=place)


def may(somebody: Somebody, wanted: set[str], scope: str, about: Collection[str]) -> bool:
    if ANYBODY in wanted or (SIGNED_IN in wanted and somebody.token):
        return True
    if THEMSELVES in wanted and somebody.token and not somebody.entrant:
        return True
    if somebody.entrant and somebody.entrant not in about:
        return False
    scopes = {ABOVE.get(scope)} if ABOVE_ONLY in wanted else {scope, ABOVE.get(scope)}
    return somebody.role in wanted and (not somebody.at or somebody.at in scopes)


class Operation(Value):
    name: str
    method: str
    path: str
    scope: str  # where to put what it is about: in the path, or in the body
    captains: str  # what leads to the entrants whose captains may
    roles: frozenset[str]  # who may by its policy, which is what the door reads

    @property
    def places(self) -> Mapping[str, str]:
        """What it may be asked about, each with the scope that this is of."""
        return PLACES[self.scope] if self.scope else {"": ""}

    def about(self, place: str) -> Collection[str]:
        """The entrants that it is about there."""
        if self.captains == "entrant_id":
            return {ENTRANT}
        if self.captains == "table":
            return SEATS[AT_TABLE_ONE[place]]
        if self.captains == "scope":  # all who speak for somebody there, each of whom hears of the own entrant
            return {ENTRANT, OPPONENT, AT_ANOTHER_TABLE}
        return SEATS[place] if self.captains == "game_id" else {BODY[self.captains]} if self.captains else ()

    async def ask(self, client: Client, place: str, token: str | None) -> httpx.Response:
        stands = {"stage": "swiss", self.scope: place}
        if self.captains == "entrant_id":
            stands[self.captains] = ENTRANT
        path = re.sub(r"{(\w+)}", lambda found: stands.get(found[1], "1"), self.path)
        headers = NOT_YET_THERE | (signed_by(token) if token else {})
        body = BODY | {self.scope: place} if self.method == "post" else None
        return await client.request(self.method, path, headers=headers, json=body, extensions=AT_ONCE)


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            policy = operation.get("x-roundlog-may", {})
            roles = OFFICES if policy.get("officials") else policy.get("roles", ())
            first = re.search(r"{(\w+)}", path) if roles else None
            yield Operation(
                name=operation["operationId"],
                method=method,
                path=path,
                scope=policy.get("scope", first[1] if first else ""),
                captains=policy.get("captains", ""),
                roles=frozenset(roles),
            )


def is_let_in(answer: httpx.Response) -> bool:
    """Inside, an act may still be refused for what has happened, and who may do it then."""
    if answer.status_code == HTTPStatus.FORBIDDEN:
        return answer.json()["type"] != "/problems/not-permitted"
    return answer.status_code != HTTPStatus.UNAUTHORIZED


async def build(database: str, name: str) -> None:
    """The world as a service knows it."""
    known = [appointed(place, f"{role}-of-{place}", role) for role in Role for place in (OWN, OPEN)]
    tournaments = [announced(tournament, federation) for tournament, federation in ABOVE.items()]
    seasons = [
        SeasonOpened(season=season, federation=federation, name="2026", rules=msgspec.Raw(b"{}"))
        for season, federation in SEASONS.items()
    ]
    await hear(database, *tournaments, *seasons, *known, CAPTAIN.introduced)
    match name:
        case "registration":
            await register(database, PLACES["person_id"])
        case "results":
            await open_sheets(database, PLACES["game_id"], SEATS)
            await played(database)
        case _:
            await played(database)


async def played(database: str) -> None:
    """Services besides registration know whoever takes part in something."""
    for person, tournament in (("person-1", SISTER), ("person-2", ELSEWHERE)):
        admitted = EntrantAdmitted(entrant=f"of-{person}", tournament=tournament, persons=(person,), number=1)
        await tell(database, "registration", tournament, admitted)


class Callers:
    """Whom to ask as, and about what. All whom a policy names ask where they may; in other places one of them stands for
    all, as does one of those who hold an office that it does not name: each has its turn."""

    def __init__(self) -> None:
        self._all = list(everybody())
        self._captains = [one for one in self._all if one.entrant]
        self._officials = [one for one in self._all if one.at and not one.entrant]
        self._turns = itertools.count()

    def worth_asking(self, operation: Operation) -> Iterator[tuple[Somebody, str]]:
        places, expected = list(operation.places), EXPECTED[operation.name]
        if ANYBODY in expected:  # who is let in without any token is the least that there is
            yield from ((one, place) for one in self._all if not one.role for place in places)
            return
        near = [place for place, scope in operation.places.items() if scope in (OWN, OPEN)] or places
        yield from ((one, self._turn(near)) for one in self._all if not one.at)
        if CAPTAINS in expected:
            yield from itertools.product(self._captains, places)
        else:
            yield self._turn(self._captains), near[-1]
        for place, held in itertools.product(places, (OWN, OPEN)):
            named = [one for one in self._officials if one.role in operation.roles and one.at == held]
            yield from ((one, place) for one in (named if place in near else [self._turn(named)] if named else ()))
        others = [one for one in self._officials if one.role not in operation.roles]
        yield from ((self._turn(others), self._turn(near)) for _ in range(min(3, len(others))))

    def _turn[One](self, several: Sequence[One]) -> One:
        return several[next(self._turns) % len(several)]


@pytest.mark.parametrize("name", SERVICES)
async def test_every_operation_lets_in_whom_its_policy_names_and_nobody_else(name: str, database: str) -> None:
    await build(database, name)
    async with service(database, name=name, signed_in=False, rate="0") as client:
        found = list(operations((await client.get("/openapi.json")).json()))
        assert {operation.name for operation in found} <= EXPECTED.keys()
        callers = Callers()
        for operation in found:
            assert operation.roles == EXPECTED[operation.name] & {*Role}, operation
            for somebody, place in callers.worth_asking(operation):
                answer = await operation.ask(client, place, somebody.token)
                allowed = may(somebody, EXPECTED[operation.name], operation.places[place], operation.about(place))
                assert is_let_in(answer) is allowed, (operation, place, somebody, answer.text)


@pytest.mark.parametrize("name", SERVICES)
async def test_no_operation_takes_a_bad_token(name: str, database: str) -> None:
    await hear(database, announced(OPEN, OWN), CAPTAIN.introduced)
    sign, captains = issuer().token, CaptainIssuer()
    bad = {
        "expired": sign(seconds=-60),
        "for another": sign(aud="elsewhere"),
        "by another": sign(iss="elsewhere"),
        "another key": sign(key=another_key()),
        "unknown key": sign(kid="unknown"),
        "no subject": sign(sub=None),
        "as if a captain": sign("captain:entrant-1:1"),
        "damaged": sign()[:-4] + "AAAA",
        "nonsense": "a.b.c",
        "expired captain": CAPTAIN.token(ENTRANT, OPEN, seconds=-60),
        "captain of unknown key": captains.token(ENTRANT, OPEN),
        "captain of forged key": captains.token(ENTRANT, OPEN, kid=CAPTAIN.introduced.key),
    }
    async with service(database, name=name, signed_in=False) as client:
        found = list(operations((await client.get("/openapi.json")).json()))
        turns = itertools.cycle(bad.items())  # each at many operations, and at each of these several
        for operation in found:
            for kind, token in (("none", None), *itertools.islice(turns, 4)):
                if ANYBODY in EXPECTED[operation.name] and token is None:
                    continue
                answer = await operation.ask(client, "somewhere", token)
                assert answer.status_code == HTTPStatus.UNAUTHORIZED, (operation, kind)
