"""Who may play, for what fee, until when, and in which order they are seeded. Read by registration."""

from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from shared.rulesets.parts import Currency, Date, Exact, Part, Slug, Time, Weekday


class Seeding(Part):
    """How start numbers come about. Who is equal in all of it has an order by lot."""

    by: Literal["rating", "tiers", "carried", "lot", "order"] = Field(
        default="rating",
        description="By rating; by tiers (place in an earlier tournament); by points carried along; all by lot; or in "
        "the order of entry.",
    )
    rating: Slug | None = Field(default=None, description="The rating list.", examples=["screlo"])
    unrated: int | None = Field(default=None, description="The rating of who is not on the list.", examples=[1600])
    key: bool = Field(default=False, description="Whether equal ratings are ordered by a key that is imported.")


class Team(Part):
    """Of whom a team consists."""

    base: int = Field(ge=1, description="The nominal line-up: one for each board.", examples=[5])
    least: int = Field(ge=1, description="How many have to be there.", examples=[3])
    substitutes: int = Field(default=0, ge=0, description="At most so many besides.", examples=[2])
    captain: bool = Field(default=True, description="Whether one of them speaks for the team.")
    frozen: Literal["season", "tournament"] = Field(
        default="tournament", description="For how long the composition stays as it was entered."
    )
    base_once: bool = Field(default=True, description="Whether a person may be in the base of one team only.")
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-5"])
    rule_ids: dict[Literal["least", "once", "choice", "frozen", "captain"], str] = Field(
        default_factory=dict,
        description="In docs/rules, where they are others: of the least number, of being in one base only, of choosing "
        "between two teams, of staying as it was entered, and of the captain.",
        examples=[{"least": "PQ.REG-6"}],
    )


class Eligibility(Part):
    """A condition that everybody of an entrant has to meet. What is kept is the verdict, never the birth date."""

    rule: Literal["age-at-most", "age-below", "year-age-at-most", "citizenship", "school-type", "declared"] = Field(
        description="Completed years on a day; less than so many on a day; year of the event minus year of birth; a "
        "citizenship; a school of one of some types; or something that is declared."
    )
    years: int | None = Field(default=None, description="For the rules about age.", examples=[26])
    on: Date | None = Field(default=None, description="The day on which the age counts.", examples=["2025-09-22"])
    country: str | None = Field(default=None, description="For the rule about citizenship.", examples=["PL"])
    types: tuple[Slug, ...] = Field(default=(), description="For the rule about schools.", examples=[["primary"]])
    declares: Slug | None = Field(
        default=None,
        description="For the rule about what is declared: what the entry has to say.",
        examples=["rules-known"],
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-3"])
    sentence: str = Field(description="What to tell people.", examples=["Nobody of the team is older than 26."])


@cache
def known_countries() -> frozenset[str]:
    """As the database of time zones lists those of ISO 3166. Kosovo is none of them: its passports have two letters that are left
    to users there.
    """
    listed = (files("tzdata") / "zoneinfo" / "iso3166.tab").read_text("utf-8").splitlines()
    return frozenset(line.partition("\t")[0] for line in listed if not line.startswith("#")) | {"XK"}


class Category(Part):
    """One of several competitions that are held apart: a tournament is of one."""

    id: Slug = Field(examples=["cadets"])
    title: str = Field(examples=["Cadets"])
    eligibility: tuple[Eligibility, ...] = ()
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-15"])


class Quota(Part):
    """How many entrants may come from one place."""

    by: Literal["school", "club", "region"]
    most: int = Field(ge=1, examples=[4])
    times_merged: bool = Field(default=False, description="Whether a merged school counts once for each of its parts.")
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-13"])


class Fee(Part):
    """What somebody pays. Of several that are due, those that add up do so; of the others the lowest holds."""

    who: Literal["everybody", "member", "non-member", "first-time", "team", "on-site"] = "everybody"
    amount: Exact = Field(examples=[10])
    currency: Currency
    until: Date | None = Field(default=None, description="Paid later, another fee holds.")
    waived_for: tuple[str, ...] = Field(default=(), description="Who need not pay it.", examples=[["hotel-guest"]])
    waived_at_most: int | None = Field(
        default=None, ge=1, description="For how many entrants of one school, say, it is waived.", examples=[1]
    )
    adds_up: bool = Field(default=False, description="Whether it is paid besides another fee.")
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-11"])


class Deadline(Part):
    """Until when something can be done: a weekday of the tournament's week, days before it, or a date and time."""

    of: Literal["entry", "payment", "presence", "on-site-entry", "refund", "special-needs", "confirmation"]
    weekday: Weekday | None = Field(default=None, description="Until the end of this day of the tournament's week.")
    days_before: int | None = Field(default=None, ge=0, description="Until the end of the day so many days before.")
    working_days: bool = Field(default=False, description="Whether only working days count among these.")
    date: Date | None = None
    time: Time | None = Field(default=None, description="On that day, or on the day of the tournament.")
    late: Literal["refused", "organiser-decides", "next-round"] = Field(
        default="refused", description="What becomes of those who come later."
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.REG-2"])


class CheckIn(Part):
    """How it is found out who is there."""

    opens: Time = Field(examples=["08:30"])
    closes: Time = Field(examples=["09:00"])
    first_round: Time | None = Field(default=None, examples=["09:00"])
    late: Literal["organiser-decides", "next-round", "refused"] = Field(
        default="organiser-decides", description="What becomes of those who check in later."
    )
    announced: bool = Field(default=False, description="Whether the announcement of a tournament may set other times.")
    most_postponed: int = Field(
        default=0, ge=0, description="By how many minutes at most the first round may wait for them.", examples=[60]
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.REG-4"])


class Size(Part):
    """How large the field may be."""

    least: int = Field(default=2, ge=1, examples=[4])
    most: int | None = Field(default=None, ge=1, examples=[32])
    waiting: bool = Field(default=True, description="Whether who finds no place any more waits in line for one.")
    equals: bool = Field(
        default=False,
        description="Whether all come in who have qualified, also when more of them are equal at the cut than there are "
        "places.",
    )
    overridden: bool = Field(default=False, description="Whether it may start with another number, for a reason.")
    wild_cards: Literal["any-time", "on-the-day"] = Field(
        default="any-time", description="When the organiser may give what is free to whom they like."
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-19"])


class Window(Part):
    """The days on which a tournament of these rules may be held."""

    first: Date
    last: Date
    competition: Slug | None = Field(
        default=None, description="Only for what stands in the calendar as this.", examples=["grand-final"]
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-18"])


class Duty(Part):
    """What an organiser has to see to, where the rules give it a number."""

    what: Slug = Field(examples=["tournament-form"])
    sentence: str = Field(examples=["The tournament form goes out 3 weeks ahead."])
    days_before: int | None = Field(
        default=None, ge=0, description="Until this day before the first one.", examples=[21]
    )
    rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.REG-9"])


# What spectators see of the persons of a tournament.
type ShownNames = Literal["full", "first-name-and-initial", "number"]

type AboutEntries = Literal[
    "kind",
    "once",
    "category",
    "consents",
    "particulars",
    "waiver",
    "wild-card",
    "reserves",
    "presence",
    "return",
    "confirmation",
    "series",
    "advancing",
]


class Entry(Part):
    """Who may play."""

    kind: Literal["individual", "pair", "team"] = "individual"
    kinds_allowed: tuple[Literal["individual", "pair", "team"], ...] = Field(
        default=(), description="What a tournament may declare instead.", examples=[["pair"]]
    )
    team: Team | None = Field(default=None, description="Where teams enter.")
    eligibility: tuple[Eligibility, ...] = ()
    categories: tuple[Category, ...] = Field(default=(), description="Of which a tournament chooses one.")
    category: Slug | None = Field(default=None, description="The one that it has chosen.", examples=["cadets"])
    category_once: bool = Field(
        default=False, description="Whether a person is in one category only, in all tournaments of a series."
    )
    open_to: Literal["everybody", "qualified"] = Field(
        default="everybody",
        description="Who may enter themselves; where places are earned elsewhere, only officials enter anybody.",
    )
    quotas: tuple[Quota, ...] = ()
    particulars: tuple[Literal["born", "citizenship", "town", "email", "phone"], ...] = Field(
        default=(), description="What has to be known of everybody, besides the name.", examples=[["born", "town"]]
    )
    fees: tuple[Fee, ...] = ()
    payment: Literal["recorded", "before-check-in", "before-start"] = Field(
        default="recorded", description="Until when a fee has to be paid or waived; `recorded`: nobody is kept out."
    )
    payment_shown: bool = Field(
        default=False, description="Whether the public list of entrants shows whose fee is paid or waived."
    )
    fee_for: Literal["tournament", "series"] = Field(
        default="tournament",
        description="What a fee is paid for: each tournament, or the whole series: then what is paid or waived in one of its "
        "tournaments holds in all others of the same division.",
    )
    division: Slug | None = Field(
        default=None,
        description="Which of the competitions of a series it belongs to, where a fee is paid once for each.",
        examples=["secondary-schools"],
    )
    home_region: bool = Field(
        default=False, description="Whether who comes from another region needs an approval of a coordinator."
    )
    home_region_rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["PQ.REG-14"])
    director: bool = Field(
        default=False, description="Whether it needs a director: one of its own, or one of its federation."
    )
    director_of_council: bool = Field(
        default=False, description="Whether exactly one directs it, who has to be of the federation's council."
    )
    director_rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.REG-13"])
    deadlines: tuple[Deadline, ...] = ()
    check_in: CheckIn | None = None
    consents: tuple[Slug, ...] = Field(default=(), description="What has to be agreed to.", examples=[["rules"]])
    size: Size = Field(default_factory=Size)
    competitions: tuple[Slug, ...] = Field(
        default=(), description="As what a tournament may stand in the calendar.", examples=[["live", "championship"]]
    )
    variants: tuple[Slug, ...] = Field(default=(), description="And in which variants.", examples=[["classic", "m"]])
    calendar_rule_id: str | None = Field(default=None, description="In docs/rules.", examples=["SK.REG-8"])
    duties: tuple[Duty, ...] = Field(default=(), description="Of the organiser.")
    channels: tuple[str, ...] = Field(
        default=(),
        max_length=20,
        description="Where a tournament online is spoken about.",
        examples=[["chat.example.org"]],
    )
    windows: tuple[Window, ...] = Field(default=(), description="None: any day.")
    seeding: Seeding = Field(default_factory=Seeding)
    close_persons: bool = Field(default=False, description="Whether families and close persons are declared.")
    history: bool = Field(default=False, description="Whether it counts who played semifinals of earlier years.")
    shown_names: ShownNames = Field(
        default="full",
        description="What spectators see of persons, until the federation decides otherwise: the full name, the first name "
        "and an initial, or the start number only.",
        examples=["first-name-and-initial"],
    )
    plays_all_rounds: bool = Field(default=True, description="Whether an entry obliges to play every round.")
    rule_ids: dict[AboutEntries, str] = Field(
        default_factory=dict,
        description="In docs/rules, where no other part names it: of what an entrant is, of entering once, of one category "
        "in a season, of consents, of particulars, of waivers, of wild cards, of the order of reserves, of playing "
        "only after entry and check-in, of coming back after having left, of confirming a place until the day that is "
        "announced as the end of entries, of the series that has to be named, and of the places of those who go on, which "
        "have to add up.",
        examples=[{"kind": "SK.REG-1"}],
    )

    @property
    def holds_through_series(self) -> bool:
        """Tell whether a rule holds through all tournaments of a series, which has to be named then."""
        is_frozen = self.team is not None and self.team.frozen == "season"
        return is_frozen or self.category_once or self.fee_for == "series"

    @property
    def conditions(self) -> tuple[Eligibility, ...]:
        """Those of everybody, and those of the category."""
        chosen = (one.eligibility for one in self.categories if one.id == self.category)
        return (*self.eligibility, *(condition for several in chosen for condition in several))
