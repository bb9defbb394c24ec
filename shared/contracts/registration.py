"""What registration tells its neighbours."""

import msgspec

from shared.numbers import Number
from shared.values import Value


class FederationFounded(Value):
    """A federation exists: it will own tournaments, seasons and people."""

    federation: str
    name: str


class FederationRenamed(Value):
    """A federation has another name from now on."""

    federation: str
    name: str


class SeasonOpened(Value):
    """Tournaments of a federation count together by these rules, which are fixed."""

    season: str
    federation: str
    name: str
    rules: msgspec.Raw


class OfficialAppointed(Value):
    """Somebody may act in a role for a federation, tournament or entrant."""

    scope: str  # of a federation, tournament or entrant
    subject: str  # an opaque id, never a name
    role: str


class OfficialDismissed(Value):
    """Somebody may no longer act in that role there. Tokens of captains that they issued in this office are void."""

    scope: str
    subject: str
    role: str
    terms: int = 0  # of theirs in this office that have ended with this one; 0 where nobody had counted them yet


class TournamentAnnounced(Value):
    """A tournament is planned. From now on the officials of its federation may act for it."""

    tournament: str
    federation: str
    name: str
    ruleset: str  # its id in the catalogue
    time_zone: str  # such as Europe/Bratislava
    starts_on: str  # a date there
    season: str | None = None  # in which it counts
    season_kind: str | None = None  # as what, by the rules of that season
    rating_list: str | None = None  # that it moves, by the id in those rules
    organisers: tuple[str, ...] = ()  # persons
    shown_names: str = "full"  # what spectators see of persons: full, first-name-and-initial or number
    lot_source: str | None = None  # what lots are mixed with, such as dice 20; none: they follow from secrets alone


class ShownNamesDecided(Value):
    """From now on spectators see this of the persons of a tournament: full, first-name-and-initial or number."""

    tournament: str
    shown_names: str


class NoticePosted(Value):
    """All players of a tournament are told something; what it is can be read at registration."""

    notice: str
    tournament: str
    number: int  # the first is 1
    at: str  # a moment in UTC


class NoticeRecalled(Value):
    """A notice was a mistake: its words are shown no more."""

    notice: str
    tournament: str
    number: int
    at: str  # when it was recalled


class LotSourceMoved(Value):
    """Lots follow from this source instead, a later one; nobody knew the value of the former one yet."""

    tournament: str
    source: str


class LotsOpened(Value):
    """The field is fixed and the value of the source is known: lots are drawn from now on, by those who are named here."""

    tournament: str
    source: str
    value: str
    commitments: dict[str, str]  # by service


class RegistrationOpened(Value):
    """Entries are taken, and the tournament is there for everybody: until then it is a draft, for officials only."""

    tournament: str


class TournamentReplanned(Value):
    """It has another name, or begins on another day, than was announced; or something else of its plan has changed."""

    tournament: str
    name: str
    starts_on: str


class TournamentStarted(Value):
    """The field is closed and numbered; the whole ruleset, with what this tournament changes in it, is fixed."""

    tournament: str
    federation: str
    ruleset: msgspec.Raw
    time_zone: str
    advance: int | None = None  # how many go on, where the rules leave that to the announcement


class TournamentCompleted(Value):
    """All is played and decided; what was kept secret for lots is revealed now."""

    tournament: str


class TournamentCancelled(Value):
    """It does not take place, or ends without a result."""

    tournament: str


class EntrantAdmitted(Value):
    """Somebody takes part: one person, a pair or a team. Told when the tournament starts, and of those who come later."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]  # opaque ids
    number: int  # the start number: 1 is the best seed
    rating: int | None = None
    lists: tuple[str, ...] = ()
    school: str | None = None
    history: bool = False  # played semifinals of earlier championships
    group: str | None = None  # drawn by hand
    carried: Number = 0  # points brought along
    from_round: int = 1
    direct: bool = False  # qualified beforehand for a later stage
    club: str | None = None


class EntrantChanged(Value):
    """What was said of an entrant is corrected: this is all of it."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]
    number: int
    rating: int | None = None
    lists: tuple[str, ...] = ()
    school: str | None = None
    history: bool = False
    group: str | None = None
    carried: Number = 0
    from_round: int = 1
    direct: bool = False
    club: str | None = None


class EntrantLeft(Value):
    """An entrant is paired no more after a round of a stage; 0 is before the first. `why`: withdrew or expelled."""

    entrant: str
    tournament: str
    stage: str
    after_round: int
    why: str


class EntrantReturned(Value):
    """Who had left is paired again."""

    entrant: str
    tournament: str


class EntrantAbsent(Value):
    """An entrant will not be there in one round; `points` where such a round off is granted some."""

    entrant: str
    tournament: str
    stage: str
    round: int
    points: Number | None = None  # of a requested bye; none for somebody who is simply missing


class EntrantPresent(Value):
    """An entrant will be there in that round after all."""

    entrant: str
    tournament: str
    stage: str
    round: int


class MeetingForbidden(Value):
    """These entrants must not meet: never, or not in the last rounds of a stage."""

    tournament: str
    entrants: tuple[str, ...]
    last_rounds: int | None = None


class CaptainNamed(Value):
    """Who shows a token of this generation speaks for the entrant; tokens of earlier ones are void."""

    entrant: str
    tournament: str
    generation: int


class CaptainKeyIntroduced(Value):
    """Registration signs the tokens of captains with the key that belongs to this public one."""

    key: str  # its id
    public: str  # an Ed25519 public key, base64url, as in a JWK


class PersonRegistered(Value):
    """A federation has somebody under this id: what names them is about that federation's own."""

    person: str
    federation: str


class PersonMerged(Value):
    """Two ids turned out to be one person: what is known of the first counts for the second."""

    person: str
    into: str


class PersonErased(Value):
    """Whose this id was is not to be known any more: whatever anybody keeps about them beside a log has to go."""

    person: str
    also: tuple[str, ...]  # ids of theirs from before they were merged
    tournaments: tuple[str, ...]  # in which they took part
