"""Bodies about tournaments: what is announced and changed of them, and how they are shown."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field

from services.registration.api.bodies import (
    ENTRANT,
    FEDERATION,
    FEDERATION_ID,
    MOST_WORDS,
    PERSON,
    TOURNAMENT,
    NextLevel,
    Official,
    OnePerson,
    Reason,
    in_reach,
    optional_id,
)
from services.registration.api.permissions import FIELD_ACTIONS, NOTICE_ACTIONS, TOURNAMENT_ACTIONS
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.tournament.states import TournamentStatus
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed
from shared.lots.source import PATTERN
from shared.rulesets.entry import Deadline, Fee, ShownNames
from shared.rulesets.pairing_and_standings import System
from shared.rulesets.parts import Slug, Time
from shared.rulesets.schema import Game

type NextStep = Literal["open", "open-check-in", "start", "review", "complete"]

COMPETITION = Field(default=None, description="What it is in the calendar of the rules.", examples=["live"])
VARIANT = Field(
    default=None,
    description="One of those that the calendar knows. In Scrabble it says with which tiles, like the option "
    "`contest.variant`.",
    examples=["classic"],
)
SHOWN_NAMES = Field(
    description="What those who hold no office here see of persons.",
    examples=["first-name-and-initial"],
)

PLACE_SAID = "Where it is held, in words: for those who look for a tournament."
SERIES = Field(
    default=None,
    pattern=r"^[0-9a-z-]{1,40}$",
    description="Tournaments of the federation in which a person is in one team only, a team stays as it is, and a "
    "fee is paid once. Some rules need one.",
    examples=["pisqworky-2025"],
)


# What is sent


class CheckInTimes(RequestBody):
    """When players check in; what is not named stays as by the ruleset."""

    opens: Time | None = Field(default=None, examples=["09:00"])
    closes: Time | None = Field(default=None, examples=["09:45"])


class HowEntered(RequestBody):
    """What this tournament changes in the rules about entries."""

    kind: Literal["individual", "pair", "team"] | None = Field(
        default=None, description="One of the kinds that the ruleset leaves open.", examples=["pair"]
    )
    category: Slug | None = Field(
        default=None, description="One of the ruleset's, where it has any: they are held apart.", examples=[None]
    )
    most: int | None = Field(
        default=None,
        ge=2,
        le=10_000,
        description="How many places there are, at most as many as by the rules.",
        examples=[32],
    )
    fees: tuple[Fee, ...] | None = Field(
        default=None, description="Instead of those of the ruleset.", examples=[[{"amount": 12, "currency": "EUR"}]]
    )
    channels: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] | None = Field(
        default=None,
        max_length=20,
        description="The official ones of a tournament online.",
        examples=[["https://chat.example.org/cup"]],
    )
    deadlines: tuple[Deadline, ...] | None = Field(
        default=None,
        description="Instead of those of the ruleset.",
        examples=[[{"of": "refund", "days_before": 3}]],
    )
    check_in: CheckInTimes | None = Field(
        default=None,
        description="Where the ruleset leaves it to the announcement. The first round begins with its end, unless its "
        "own time is named.",
        examples=[None],
    )


LOT_SOURCE = Field(
    default=None,
    pattern=PATTERN,
    description="What its lots are mixed with: `dice` and how many, thrown in the hall, or "
    "`drand`, a chain and a round to come. Without it the secret of the lots could be chosen.",
    examples=["dice 20"],
)


class TournamentToAnnounce(RequestBody):
    federation: str = FEDERATION_ID
    name: str = Field(min_length=1, max_length=LONGEST_NAME, examples=["Košice Cup"])
    ruleset: Annotated[str, Field(max_length=64)] | dict[str, Any] = Field(
        description="The id of one that `listRulesets` shows, or a whole ruleset.", examples=["scrabble-sk-2022-qt"]
    )
    ruleset_version: str | None = Field(
        default=None, max_length=32, description="One of its versions; otherwise the newest.", examples=[None]
    )
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings of the ruleset that this tournament changes, by path; also what its rules leave to the "
        "announcement (`announced` of the ruleset), such as clocks.",
        examples=[{"pairing.rounds": 6}],
    )
    time_zone: str = Field(max_length=64, description="A name of the IANA database.", examples=["Europe/Bratislava"])
    starts_on: Annotated[date, AfterValidator(in_reach)] = Field(
        description="The day of the first round, there.", examples=["2099-11-21"]
    )
    first_round: Time | None = Field(
        default=None, description="Its time, there; otherwise the ruleset's.", examples=["09:00"]
    )
    entries_close: Annotated[datetime, AfterValidator(in_reach)] | None = Field(
        default=None,
        description="From then on an entry takes a decision of the organiser; otherwise as the ruleset says.",
        examples=["2099-11-20T00:00:00+01:00"],
    )
    series: str | None = SERIES
    place: str | None = Field(
        default=None, min_length=1, max_length=LONGEST_NAME, description=PLACE_SAID, examples=["Košice, Dom techniky"]
    )
    region: str | None = optional_id("home", "Where it is held: one of the federation's.")
    host: str | None = optional_id("home", "The school or club that is the host.")
    hall: str | None = optional_id("home", "One of the federation's: there are no more places than it has room for.")
    entry: HowEntered | None = Field(default=None, description="What it changes about entries.", examples=[None])
    next_level: NextLevel | None = Field(
        default=None, description="Where its best go on to; it may be named later.", examples=[None]
    )
    override: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9-]{1,64}$",
        description="Why it is held on a day that the rules do not name: a code.",
        examples=[None],
    )
    competition: Slug | None = COMPETITION
    variant: Slug | None = VARIANT
    season: str | None = optional_id("season", "In which it counts: one that the federation has opened.")
    season_kind: Slug | None = Field(
        default=None,
        description="As what it counts there, where nothing else says it: `live-replaced`, for instance.",
        examples=[None],
    )
    rating_list: Slug | None = Field(
        default=None,
        description="Which rating list of the season it moves; otherwise the one by which its ruleset seeds.",
        examples=[None],
    )
    shown_names: ShownNames | None = Field(
        default=None,
        description="What those who hold no office here see of persons; otherwise as the ruleset says.",
        examples=[None],
    )
    lot_source: str | None = LOT_SOURCE
    organisers: tuple[OnePerson, ...] = Field(
        default=(), max_length=20, description="Persons: a season may give points for organising.", examples=[[]]
    )
    officials: tuple[Official, ...] = Field(
        default=(),
        max_length=100,
        description="Who is appointed for this tournament alone, by a director of the federation, whose own officials "
        "need no appointment here.",
        examples=[[{"subject": "a71b92", "role": "arbiter"}]],
    )
    open: bool = Field(
        default=False, description="Whether registration is opened with it: then it never is a draft.", examples=[True]
    )
    reason: Reason | None = Field(
        default=None,
        description="Needed where its day, or the end of its entries, is over already.",
        examples=[None],
    )


class PlanToChange(RequestBody):
    """Only what is named changes."""

    name: str | None = Field(default=None, min_length=1, max_length=LONGEST_NAME, examples=["Košice Cup"])
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings of the ruleset, by path, besides those that the tournament has changed before.",
        examples=[{"pairing.rounds": 6}],
    )
    starts_on: Annotated[date, AfterValidator(in_reach)] | None = Field(default=None, examples=["2099-11-28"])
    first_round: Time | None = Field(default=None, examples=["10:00"])
    entries_close: Annotated[datetime, AfterValidator(in_reach)] | None = Field(
        default=None,
        description="Null, or another day of the tournament: as the ruleset says.",
        examples=["2099-11-27T00:00:00+01:00"],
    )
    entry: HowEntered | None = Field(default=None, examples=[{"most": 40}])
    hall: str | None = optional_id(
        "home", "Null: in none that is known. Where the hall says how many places there are, the new one does."
    )
    series: str | None = SERIES
    place: str | None = Field(
        default=None, min_length=1, max_length=LONGEST_NAME, description=PLACE_SAID, examples=["Košice, Dom techniky"]
    )
    competition: Slug | None = COMPETITION
    variant: Slug | None = VARIANT
    override: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9-]{1,64}$",
        description="Why on a day that the rules do not name.",
        examples=[None],
    )
    reason: Reason


class ShownNamesToDecide(RequestBody):
    shown_names: ShownNames = SHOWN_NAMES


class Delay(RequestBody):
    minutes: int = Field(ge=0, le=24 * 60, description="From the time that was announced.", examples=[30])


class Advance(RequestBody):
    advance: int = Field(ge=1, le=1000, description="So many go on.", examples=[4])


class LaterLotSource(RequestBody):
    source: str = Field(pattern=PATTERN, examples=["drand quicknet 55000000"])


class LotValue(RequestBody):
    value: str = Field(
        max_length=1000,
        description="What the dice show, in the order in which they were read; or the randomness of the round.",
        examples=["3 1 6 6 2 5 4 1 1 3 2 6 5 5 4 2 3 1 6 4"],
    )


class StartWith(RequestBody):
    decision: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9-]{1,64}$",
        description="Why it starts with another number of entrants than the rules want: a code.",
        examples=[None],
    )


class SpectatorToApprove(RequestBody):
    who: str = Field(
        min_length=1,
        max_length=MOST_WORDS,
        description="Kept where it can be erased, and never in the log.",
        examples=["The parents of Mária Nováková"],
    )


# What is answered


class DutyShown(BaseModel):
    what: str = Field(examples=["tournament-form"])
    sentence: str = Field(examples=["The tournament form goes out 3 weeks ahead."])
    until: date | None = Field(description="The last day for it, where it has one.", examples=["2026-10-31"])
    clause: str | None = Field(description="Of docs/rules.", examples=["SK.REG-9"])


class StageTimes(BaseModel):
    stage: str = Field(examples=["swiss"])
    times: list[str] = Field(examples=[["Each side has 22 minutes for a game."]])


class TimetableShown(BaseModel):
    """Something that is planned: the beginning of a round, or what else there is."""

    on: date = Field(examples=["2026-05-29"])
    at: datetime | None = Field(
        description="Null where only the day is planned.", examples=["2026-05-29T10:00:00+02:00"]
    )
    what: str = Field(examples=["Preliminary rounds, round 1"])
    stage: str | None = Field(description="Whose round it is; null where it is none.", examples=["preliminary"])
    round: int | None = Field(examples=[1])


class StageInBrief(BaseModel):
    """With a table of its own, as the rules have it for so many entrants."""

    id: str = Field(description="As paths name it.", examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    pairing: System = Field(description="What pairs it.", examples=["median-swiss"])
    rounds: int | None = Field(description="How many there are; null where only the play shows it.", examples=[7])
    parallel_to: str | None = Field(description="The stage that is played at the same time.", examples=[None])


class StartBlocker(BaseModel):
    kind: str = Field(
        description="`wrong-status`, `no-series`, `too-few-entrants`, `too-many-entrants`, `no-groups`, `no-seeding`, "
        "`no-advance`, `no-director`, what an entry lacks, or `entries` where that is not shown.",
        examples=["not-checked-in"],
    )
    sentence: str = Field(
        description="What is missing, and what to do.",
        examples=["3 entrants have not checked in: check them in, withdraw them or strike them off."],
    )
    entrants: list[str] = Field(description="Whom it is about, where it is about somebody.", examples=[[ENTRANT]])


class Tournament(BaseModel):
    id: str = Field(examples=[TOURNAMENT])
    federation: str = Field(examples=[FEDERATION])
    name: str = Field(examples=["Košice Cup"])
    status: TournamentStatus
    ruleset: str = Field(description="Its id.", examples=["scrabble-sk-2022-qt"])
    options: dict[str, Any] = Field(description="What this tournament changes in it.", examples=[{"pairing.rounds": 6}])
    times: list[StageTimes] = Field(
        description="What the ruleset and the announcement say about clocks, turns, waiting and the end of games."
    )
    time_zone: str = Field(examples=["Europe/Bratislava"])
    starts_on: str = Field(examples=["2026-11-21"])
    check_in_opens: str | None = Field(description="There; null where nobody said.", examples=["08:30"])
    check_in_closes: str | None = Field(examples=["09:00"])
    first_round: str = Field(description="As it was announced, there.", examples=["09:00"])
    first_round_at: datetime = Field(
        description="When it is planned to begin by now.", examples=["2026-11-21T09:30:00+01:00"]
    )
    entries_close: datetime | None = Field(
        description="From then on an entry takes a decision.", examples=["2026-11-19T23:00:00Z"]
    )
    series: str | None = Field(examples=[None])
    place: str | None = Field(
        description="As it was announced, or else what its hall, its host or its region is called.",
        examples=["Košice, Dom techniky"],
    )
    region: str | None = Field(examples=[None])
    host: str | None = Field(examples=[None])
    hall: str | None = Field(examples=[None])
    advance: int | None = Field(
        description="How many go on, where that is announced; null: not yet, or the rules say it.",
        examples=[4],
    )
    next_level: str | None = Field(description="The tournament that its best go on to.", examples=[None])
    otherwise: str | None = Field(description="The one of those who get no place there.", examples=[None])
    competition: str | None = Field(description="What it is in the calendar of the rules.", examples=["live"])
    variant: str | None = Field(examples=["classic"])
    season: str | None = Field(description="In which it counts.", examples=[None])
    season_kind: str | None = Field(description="As what.", examples=[None])
    rating_list: str | None = Field(description="Of the season, which it moves.", examples=[None])
    organisers: list[str] = Field(description="Persons, where a season asks for them.", examples=[[]])
    shown_names: ShownNames = SHOWN_NAMES
    lot_source: str | None = Field(description="What lots are mixed with.", examples=["dice 20"])
    lot_value: str | None = Field(description="Once they are opened.", examples=[None])
    channels: list[str] = Field(description="The official ones of a tournament online.", examples=[[]])
    timetable: list[TimetableShown] = Field(
        description="As the rules print it, or the option `pairing.timetable` has it. A round that is published names "
        "its own start.",
    )
    duties: list[DutyShown] = Field(description="What the rules ask of the organiser, where that has a number.")
    places: int | None = Field(description="How many there are; null: as many as come.", examples=[32])
    waiting: int = Field(description="How many wait for one.", examples=[0])
    entrants: int = Field(description="Who takes part, or is to.", examples=[24])
    checked_in: int = Field(
        description="How many of them are there; once it runs, all but those who have left.", examples=[22]
    )
    stages: list[StageInBrief] = Field(description="In the order in which they are played.")
    next_step: NextStep | None = Field(
        description="The act that comes next in its life, below the path of the tournament; null once it is over.",
        examples=["start"],
    )
    blocked_by: list[StartBlocker] = Field(
        description="What stands in the way of that step, and what to do. What single entries lack is shown to "
        "officials only."
    )
    allowed_actions: Actions = allowed(*TOURNAMENT_ACTIONS, *NOTICE_ACTIONS, *FIELD_ACTIONS)


class TournamentListed(BaseModel):
    id: str = Field(examples=[TOURNAMENT])
    federation: str = Field(examples=[FEDERATION])
    name: str = Field(examples=["Košice Cup"])
    federation_name: str | None = Field(
        description="Null for a moment after it was founded.", examples=["Slovak Scrabble Association"]
    )
    place: str | None = Field(
        description="As it was announced, or else what its hall, its host or its region is called.",
        examples=["Košice, Dom techniky"],
    )
    status: TournamentStatus
    game: Game = Field(examples=["scrabble"])
    ruleset: str = Field(examples=["scrabble-sk-2022-qt"])
    starts_on: str = Field(examples=["2026-11-21"])
    competition: str | None = Field(description="What it is in the calendar.", examples=["live"])
    variant: str | None = Field(examples=["classic"])
    series: str | None = Field(description="In which a person is in one team only.", examples=[None])
    season: str | None = Field(description="In which it counts.", examples=[None])


class TournamentPage(BaseModel):
    items: list[TournamentListed] = Field(description="In the order that was asked for.")
    next: str | None = Field(
        description="Send it as `after`, with the same order, to get the next page; null on the last one.",
        examples=["WyJuZXh0IiwiMjAyNi0xMS0yMyIsMSwiMjAyNi0xMS0yOCIsMTI4NzNd"],
    )


class TournamentForeseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["The field is closed with 24 entrants, numbered 1 to 24."]])
    lost: list[str] = Field(description="What could not be done any more.", examples=[["Entries can be withdrawn."]])


class StartCheck(BaseModel):
    ready: bool = Field(description="Whether nothing stands in the way of the start.", examples=[False])
    blockers: list[StartBlocker] = Field(description="What does.")


class Approved(BaseModel):
    approved: int = Field(description="How many spectators are approved by now.", examples=[1])


class Spectator(BaseModel):
    id: str = Field(examples=[PERSON])
    who: str | None = Field(
        description="Null where it was erased; listed for officials.", examples=["The parents of Mária Nováková"]
    )


class Spectators(BaseModel):
    items: list[Spectator] = Field(description="In the order in which they were approved.")
