"""A whole tournament of teams in one browser: whoever holds, enters, plays and watches it has nothing but the pages."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deploy import SERVICES
from deploy.demo.cast import PLAYERS
from deploy.demo.client import Services, User
from deploy.demo.play import connected
from deploy.demo.preparation import (
    AHEAD,
    announce,
    director,
    enter,
    entries,
    found_federation,
    found_schools,
    rules_of,
)
from deploy.tokens import OPERATOR
from shared.clock import now
from shared.values import Value
from tests.e2e.test_desk import Phone, phones
from tests.e2e.test_pages import NOT_FOUND
from tests.integration.launching import Platform

RULESET = "pisqworky-2025-ss-ot"
TEAMS = [player.name for player in PLAYERS[:8]]  # the better first: they win
CAPTAIN = TEAMS[1]
TABLES = 4
GROUPS, PLAY_OFF = "Groups", "Play-off"
BOARDS, DUELS = 5, 2  # of a match, and of a board
MOST_CLICKS = 3  # of a director for a round
FIND = "Type a name; arrows choose, Enter checks in, Shift and Enter shows all about them"
FIND_ONLY = "Type a name or number; arrows choose, Enter shows"
ABSENT = "Nulová škola"
OLDEST = "Nobody of the team is older than 26."
REASON = "Why? Officials read it."

type Game = Mapping[str, Any]


class Typed(Value):
    """What is written on a sheet: for each board who has won its duels."""

    words: str

    @property
    def scores(self) -> list[int]:
        return [2 * self.words.count(sign) for sign in "12"]

    @property
    def body(self) -> Mapping[str, Any]:
        return {"boards": [[int(sign) - 1 for sign in board] for board in self.words.split()]}


def sheet(game: Game, lost: int) -> Typed:
    """The better team has lost so many duels."""
    better = min((0, 1), key=lambda seat: TEAMS.index(game["seats"][seat]["name"]))
    signs = ["21"[better] if duel < lost else "12"[better] for duel in range(BOARDS * DUELS)]
    return Typed(words=" ".join("".join(signs[at : at + DUELS]) for at in range(0, len(signs), DUELS)))


@dataclass(kw_only=True)
class Round:
    """As officials see it; `typed` is what has to stand in the end."""

    title: str
    number: int
    games: Sequence[Game]
    typed: dict[str, Typed] = field(default_factory=dict[str, Typed])

    def of(self, team: str) -> Game:
        return next(game for game in self.games if team in names(game))

    def others(self) -> Sequence[Game]:
        return [game for game in self.games if CAPTAIN not in names(game)]

    def write(self, game: Game, lost: int | None = None) -> Typed:
        """Each sheet of a round says something else."""
        self.typed[game["id"]] = sheet(game, game["table"] if lost is None else lost)
        return self.typed[game["id"]]


def names(game: Game) -> Sequence[str]:
    return [seat["name"] for seat in game["seats"]]


@dataclass(kw_only=True)
class Play:
    """The hall: who is there, and what they have done so far."""

    network: Services
    tournament: str
    teams: Mapping[str, str]  # by their ids
    persons: Mapping[str, Sequence[str]]  # of whom each consists
    tokens: Mapping[str, str]  # of the captains
    rounds: list[Round] = field(default_factory=list[Round])
    sheets: Counter[str] = field(default_factory=Counter[str])  # of each scorer

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.tournament}"

    @property
    def captain(self) -> str:
        return next(entrant for entrant, name in self.teams.items() if name == CAPTAIN)

    async def games(self, title: str, number: int, *, by: User | None = None) -> Sequence[Game]:
        path = f"{self.path}/stages/{title.lower()}/rounds/{number}/games"
        return (await (by or director(self.network)).look("results", path))["items"]

    async def type_in(self, scorer: Phone, round_: Round, game: Game, lost: int | None = None) -> None:
        typed = round_.write(game, lost)
        await scorer.sees(f"{game['table']} {' '.join(names(game))} missing")  # of this round, not of the one before
        await scorer.do("type", keys=[str(game["table"]), "Enter", typed.words, "Enter"])
        await scorer.sees(f"Table {game['table']}: {typed.scores[0]} : {typed.scores[1]} is entered.")
        await scorer.do("aside")  # or it could be taken back for a while
        self.sheets[scorer.person] += 1

    async def act_as_captain(self, entrant: str, game: Game, act: str, body: Mapping[str, Any]) -> None:
        captain = User(network=self.network, token=self.tokens[entrant])
        await captain.act("results", f"/v1/games/{game['id']}/{act}", body)

    async def line_up(self, round_: Round) -> None:
        """Of those captains who have a phone elsewhere."""
        for game in round_.games:
            for entrant in (seat["entrant"] for seat in game["seats"] if seat["name"] != CAPTAIN):
                team = {"entrant": entrant, "persons": self.persons[entrant]}
                await self.act_as_captain(entrant, game, "line-up", team)

    async def until(self, game: Game, *, holds: str, count: int) -> None:
        """Until the service has so many of them, whatever a page knows."""
        while len((await director(self.network).look("results", f"/v1/games/{game['id']}"))[holds]) < count:
            await asyncio.sleep(GLANCE)


GLANCE = 0.2


@dataclass(kw_only=True)
class Boss:
    """A director, whose clicks are counted."""

    phone: Phone
    clicks: int = 0

    async def press(self, *buttons: str) -> None:
        for button in buttons:
            self.clicks += 1
            await self.phone.do("press", button=button)

    async def part(self, name: str) -> None:
        self.clicks += 1
        await self.phone.do("follow", link=name)

    async def say(self, typed: Typed, button: str) -> None:
        """What stands on the sheet in front of the director, once it is seen what that changes."""
        await self.phone.do("fill", label="Boards", **{"with": typed.words})
        await self.phone.do("fill", label=REASON, **{"with": "As the sheet says."})
        await self.press("Look what it changes")
        await self.phone.sees("would move")
        await self.press(button)


async def test_a_tournament_is_played_on_the_pages_alone(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        play = await announced(network)
        async with phones(platform, "boss", "first", "second", "captain", "visitor", "hall", "fan") as persons:
            wide, *scorers, captain = persons[:4]
            watching = persons[4:]
            boss = Boss(phone=wide)
            links = await sign_in(play, wide, scorers, captain)
            await take_their_seats(play, watching)
            await check_in(boss)
            await boss.press("Draw the groups (Groups)")
            await with_a_dispute(play, boss, scorers, captain, watching)
            await with_an_outage(play, boss, scorers[0], captain, watching)
            await with_a_correction(play, boss, scorers[1], captain, watching)
            await close(boss, GROUPS)
            await enter_all(play, boss, scorers, captain, watching, number=1)
            await enter_all(play, boss, scorers, captain, watching, number=2)
            await close(boss, PLAY_OFF)
            await boss.press("Begin the review", "Complete the tournament")
            await wide.sees("The tournament is over")
            await captain.sees("The tournament is over. Place ")
            await captain.look("played-own-over")
            for scorer in scorers:
                await scorer.sees("The tournament is over. Final ranking")
            await scorers[0].look("played-scorer-over")
            await everybody_has_seen_all_of_it(play, persons, links)
            await nothing_is_lost_or_there_twice(play, scorers[0])
            await forget(scorers[0])


async def announced(network: Services) -> Play:
    """By somebody else, with everybody entered: that a director does it is proved beside this."""
    boss, today = director(network), now().date()
    ruleset = await rules_of(boss, RULESET)
    federation = await found_federation(boss)
    schools = await found_schools(boss, federation, ruleset, len(TEAMS))
    tournament = await announce(boss, ruleset, today + AHEAD, {"federation": federation, "host": schools[0]})
    several = list(entries(ruleset, PLAYERS[: len(TEAMS)], schools))
    entered = await enter(boss, tournament, ruleset, several, today)
    ids = {"entrants": [one["id"] for one in entered]}
    issued = (await boss.act("registration", f"/v1/tournaments/{tournament}/captain-tokens", ids)).body["items"]
    return Play(
        network=network,
        tournament=tournament,
        teams={one["id"]: one["name"] for one in entered},
        persons={one["id"]: [person["id"] for person in one["persons"]] for one in entered},
        tokens={one["entrant"]: one["link"].partition("#token=")[2] for one in issued},
    )


async def sign_in(play: Play, boss: Phone, scorers: Sequence[Phone], captain: Phone) -> Mapping[str, str]:
    issued = await director(play.network).act("registration", f"{play.path}/scorer-links", {"count": len(scorers)})
    links = {scorer.person: str(one["link"]) for scorer, one in zip(scorers, issued.body["items"], strict=True)}
    links[captain.person] = f"{captain.origin}/desk#token={play.tokens[play.captain]}"
    links[boss.person] = f"{boss.origin}/desk?tournament={play.tournament}#token={play.network.token(OPERATOR)}"
    await boss.do("arrive", wide=True)
    for person in (boss, *scorers, captain):
        await person.open(links[person.person])
    return links


async def take_their_seats(play: Play, watching: Sequence[Phone]) -> None:
    """Before it begins; nobody opens a page a second time."""
    visitor, hall, fan = watching
    await hall.do("arrive", wide=True)
    for spectator, of in ((visitor, ""), (hall, "/hall?show=tables"), (fan, f"/entrants/{play.captain}")):
        await spectator.open(f"{spectator.origin}/tournaments/{play.tournament}{of}")
    await visitor.sees("The tournament has not begun.")
    await visitor.look("played-before")


async def check_in(boss: Boss) -> None:
    await boss.phone.do("network", on=True, late="homes")
    await boss.part("Entrants")
    await enter_a_team_that_does_not_come(boss)
    await boss.part("Now")
    await boss.press("Close entries and open check-in")
    await boss.part("Entrants")
    await boss.phone.sees(f"0 of {len(TEAMS)} are there")
    await boss.phone.do("fill", label=FIND, **{"with": ""})
    for team in TEAMS:
        await boss.phone.do("type", keys=[team.lower(), "Enter"])
        await boss.phone.sees(f"{team} is checked in.")
    await boss.part("Now")
    await boss.press("Start the tournament")
    await boss.phone.sees("Draw the groups")
    await boss.phone.look("played-groups")


async def enter_a_team_that_does_not_come(boss: Boss) -> None:
    players = "\n".join(f"{name} Prvý" for name in ("Adam", "Beáta", "Cyril", "Dana", "Emil"))
    await boss.phone.do("unfold", words="Enter a team")
    assert "School" in (await boss.phone.do("text")).splitlines()  # from the first, however late the schools come
    await boss.phone.do("fill", label="Name of the team", **{"with": ABSENT})
    await boss.phone.do("fill", label="5 players, one on each line; the first is the captain", **{"with": players})
    await boss.phone.do("fill", label="Substitutes, at most 2, one on each line", **{"with": "Fero Prvý"})
    await boss.phone.do("choose", label="School", option="School 1")
    await boss.phone.do("tick", label="Nobody has passed the school-leaving exam.")
    await boss.phone.look("played-team")
    await boss.press("Enter a team")
    await boss.phone.sees(f"of {len(TEAMS) + 1} are there")
    await boss.phone.do("fill", label=FIND_ONLY, **{"with": ABSENT.lower()})
    await boss.phone.do("type", keys=["Enter"])
    await boss.phone.sees("Fero Prvý substitute")
    await boss.phone.sees(OLDEST)
    await boss.phone.do("unfold", words="Record dates of birth")
    for name in (*players.splitlines(), "Fero Prvý"):
        await boss.phone.do("fill", label=f"Date of birth: {name}", **{"with": "2010-05-17"})
    await boss.press("Record dates of birth")
    await boss.phone.do("await", words=OLDEST, gone=True)
    await boss.phone.do("unfold", words="Withdraws")
    await boss.press("Look what it changes", "Withdraws")
    await boss.phone.sees(f"0 of {len(TEAMS)} are there")


async def publish(play: Play, boss: Boss, title: str, number: int, captain: Phone) -> Round:
    """Paired, printed and published within three clicks, from wherever the director is; then the captain gives the line-up."""
    boss.clicks, printed = 0, await boss.phone.do("printed")
    await boss.phone.sees(f"Pair round {number} ({title})")
    await boss.press(f"Pair round {number} ({title})")
    await boss.phone.sees("How it was paired")
    await boss.press("Print", f"Publish round {number}")
    assert await boss.phone.do("printed") == printed + 1
    assert boss.clicks <= MOST_CLICKS
    await boss.phone.sees("published")
    await captain.sees(f"{title}, Round {number}")
    round_ = Round(title=title, number=number, games=await play.games(title, number))
    assert len(round_.games) == TABLES
    if not play.rounds:
        await captain.look("played-line-up")
    play.rounds.append(round_)
    await captain.do("press", button="Give the line-up")
    await play.line_up(round_)
    for game in round_.games:
        await play.until(game, holds="line_ups", count=2)
    return round_


async def with_a_dispute(
    play: Play, boss: Boss, scorers: Sequence[Phone], captain: Phone, watching: Sequence[Phone]
) -> None:
    """The captain reports, the other one objects, and the director decides."""
    round_ = await publish(play, boss, GROUPS, 1, captain)
    await they_see_who_meets(play, round_, watching)
    await boss.part("Results")
    await boss.phone.sees(f"{TABLES} of {TABLES} missing")
    own = round_.of(CAPTAIN)
    typed = round_.write(own)
    await captain.do("fill", label="Boards", **{"with": typed.words})
    await captain.do("press", button="Report")
    await captain.sees("It is final when the other side says the same.")
    other = next(seat["entrant"] for seat in own["seats"] if seat["entrant"] != play.captain)
    await play.act_as_captain(other, own, "dispute", {"reason": "A board is wrong."})
    await captain.sees("The reports differ")
    await boss.phone.sees("an official has to decide")
    await boss.phone.look("played-dispute")
    for game, scorer in zip(round_.others(), (*scorers, scorers[0]), strict=True):
        await play.type_in(scorer, round_, game)
    await boss.phone.do("press", button=CAPTAIN, loosely=True)
    await boss.phone.sees(f"Table {own['table']}: {names(own)[0]}")
    await boss.say(typed, "Decide the result")
    await they_see_the_results(play, round_, watching)
    for spectator in watching:
        await spectator.look(f"played-{spectator.person}")


async def with_an_outage(play: Play, boss: Boss, scorer: Phone, captain: Phone, watching: Sequence[Phone]) -> None:
    """Of the first report only the answer is lost, the others wait; the page is opened again meanwhile."""
    round_ = await publish(play, boss, GROUPS, 2, captain)
    first, *rest = round_.others()
    await scorer.sees(f"{first['table']} {' '.join(names(first))} missing")
    await scorer.do("type", keys=[str(first["table"]), "Enter"])
    await scorer.look("played-scorer")
    await scorer.do("type", keys=["Escape"])
    await scorer.do("kept")
    await scorer.do("network", on=False, silent=True)
    await play.type_in(scorer, round_, first)
    await play.until(first, holds="reports", count=1)
    await scorer.do("network", on=False)
    for game in rest:
        await play.type_in(scorer, round_, game)
    await scorer.do("reload")
    await scorer.sees(f"{TABLES - 1} not sent yet")
    await scorer.sees("No network")
    await scorer.look("played-offline")
    await scorer.open(f"{scorer.origin}/desk", tab="another")
    await scorer.sees(f"{TABLES - 1} not sent yet", tab="another")
    await agree(play, round_, captain)
    known = {game["id"] for game in await play.games(GROUPS, 2) if game["result"]}
    assert known == {first["id"], round_.of(CAPTAIN)["id"]}
    await scorer.do("network", on=True)
    await scorer.sees("All is sent")
    await scorer.sees("All is sent", tab="another")
    await they_see_the_results(play, round_, watching)


async def agree(play: Play, round_: Round, captain: Phone) -> None:
    """With what the other captain has reported."""
    own = round_.of(CAPTAIN)
    other = next(seat["entrant"] for seat in own["seats"] if seat["entrant"] != play.captain)
    await play.act_as_captain(other, own, "reports", round_.write(own).body)
    await captain.sees("The other side has reported. Is it right?")
    await captain.look("played-asked")
    await captain.do("press", button="That is right")
    await captain.sees("No game is open for you.")


async def with_a_correction(play: Play, boss: Boss, scorer: Phone, captain: Phone, watching: Sequence[Phone]) -> None:
    """One sheet is misread, and seen by everybody as it was typed, before it is put right."""
    round_ = await publish(play, boss, GROUPS, 3, captain)
    misread = round_.others()[0]
    for game in round_.games:
        await play.type_in(scorer, round_, game, 0 if game is misread else None)
    await they_see_the_results(play, round_, watching)
    await boss.part("Results")
    await boss.phone.do("press", button="Round 3", loosely=True)
    await boss.phone.do("press", button=names(misread)[0], loosely=True)
    await boss.phone.sees(f"Table {misread['table']}: {names(misread)[0]}")
    await boss.phone.do("unfold", words="Correct the result")
    await boss.say(round_.write(misread), "Correct the result")
    await boss.phone.sees("corrected")
    await boss.phone.look("played-correction")
    await they_see_the_results(play, round_, watching)
    await captain.sees("Round 3 against")
    assert "decided by an official" not in await captain.do("text")  # who has given a line-up has reported nothing


async def enter_all(
    play: Play, boss: Boss, scorers: Sequence[Phone], captain: Phone, watching: Sequence[Phone], *, number: int
) -> None:
    """Of the play-off: each scorer has every second table."""
    round_ = await publish(play, boss, PLAY_OFF, number, captain)
    for game in round_.games:
        scorer = scorers[int(game["table"]) % len(scorers)]
        await play.type_in(scorer, round_, game)
    await they_see_the_results(play, round_, watching)


async def close(boss: Boss, title: str) -> None:
    await boss.part("Now")
    await boss.phone.sees(f"Close the stage ({title})")
    await boss.press(f"Close the stage ({title})")


async def they_see_who_meets(play: Play, round_: Round, watching: Sequence[Phone]) -> None:
    visitor, hall, fan = watching
    await visitor.sees(f"{round_.title}: Round {round_.number}")
    await hall.sees(f"{round_.title} · Round {round_.number}")
    for game in await play.games(round_.title, round_.number, by=play.network.anybody()):
        pair = f"Table {game['table']} {names(game)[0]}"
        for spectator in (visitor, hall):
            await spectator.sees(pair)
        if play.captain in (seat["entrant"] for seat in game["seats"]):
            await fan.sees(pair)


async def they_see_the_results(play: Play, round_: Round, watching: Sequence[Phone]) -> None:
    """Of each table the scores that were typed, and nobody has touched the page."""
    visitor, hall, fan = watching
    for game in await play.games(round_.title, round_.number, by=play.network.anybody()):
        scores = round_.typed[game["id"]].scores
        sides = [f"{name} {score}" for name, score in zip(names(game), scores, strict=True)]
        for spectator in (visitor, hall):
            await spectator.sees(f"Table {game['table']} {' '.join(sides)}")
        seats = [seat["entrant"] for seat in game["seats"]]
        if play.captain in seats:
            own = seats.index(play.captain)
            won = "won" if scores[own] > scores[1 - own] else "lost"
            begins = f"{names(game)[seats.index(game['first'])]} starts"
            said = f"{names(game)[1 - own]} {round_.title}, {begins} {won} {scores[own]} : {scores[1 - own]}"
            await fan.sees(said)


async def everybody_has_seen_all_of_it(play: Play, persons: Sequence[Phone], links: Mapping[str, str]) -> None:
    visitor, hall, fan = persons[4:]
    final = (await play.network.anybody().look("standings", f"{play.path}/final"))["standings"]
    assert [play.teams[row["entrant"]] for row in final] == TEAMS
    await visitor.sees("The tournament is over.")
    await visitor.sees(final[0]["name"])
    await visitor.look("played-over")
    for spectator in (visitor, hall, fan):
        asked = (await spectator.do("said"))["asked"]
        assert asked.count(f"GET {await spectator.do('address')}") == 1
        await spectator.said_nothing_wrong("#token=none", NOT_FOUND)
    for person in persons[:4]:
        await person.said_nothing_wrong(links[person.person])
        asked = (await person.do("said"))["asked"]
        opened = sum(one.partition("?")[0].endswith("/desk") for one in asked)
        assert 0 < sum("/rulesets/" in one for one in asked) <= 2 * opened, "rules stay, whatever happens"


async def nothing_is_lost_or_there_twice(play: Play, cut_off: Phone) -> None:
    """As the service has it: each game is final, with the scores that were typed, and was reported once."""
    for round_ in play.rounds:
        games = await play.games(round_.title, round_.number)
        assert {game["id"]: game["result"]["scores"] for game in games} == {
            one: typed.scores for one, typed in round_.typed.items()
        }
        assert {game["status"] for game in games} == {"final"}
        for game in games:
            story = await director(play.network).look("results", f"/v1/games/{game['id']}/history")
            steps = Counter(step["what"] for step in story["steps"])
            assert steps["ResultReported"] == 1, story
    keys: Counter[str] = Counter((await cut_off.do("said"))["keys"])
    assert len(keys) == play.sheets[cut_off.person]
    assert max(keys.values()) > 1  # that of which only the answer was lost


async def forget(scorer: Phone) -> None:
    """Whoever has the device next finds nothing."""
    await scorer.do("press", button="Forget me on this device")
    await scorer.sees("Open your link")
    await scorer.do("reload")
    await scorer.sees("Open your link")
    assert TEAMS[0] not in await scorer.do("text")
