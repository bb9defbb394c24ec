"""The round robin: everybody meets everybody, once or twice, by Berger's tables over the start numbers.

1. Those who may not meet in the last rounds meet in an earlier one: the rounds change places, as few as possible.
   Where that is not enough, all rounds are planned anew around the bans. Where no plan keeps them all, the rounds stand
   in the order that brings the fewest of them together too late, and these do not meet.
2. Whoever has nobody to play in a round rests: in an odd field, and when the scheduled opponent has left, is absent,
   or must not be met.
3. If earlier rounds were not played by the plan, the games that are left are planned anew.
4. Who is named first stands in Berger's tables too, or follows from the rule for the first round (`first_named.py`).
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import berger, first_named, lookahead, matching
from services.pairing.engines.field import Field, places_at_start
from services.pairing.engines.first_named import Meeting
from services.pairing.engines.lookahead import RoundsToCome
from services.pairing.engines.matching import Link
from services.pairing.engines.paired_round import PairedRound, named
from shared.tournament.facts import Entrant
from shared.tournament.stages import field_of
from shared.values import Value

type PlanOfRounds = Sequence[Sequence[Meeting]]


class PlannedMeetings(Value):
    meetings: Sequence[Meeting]
    explanation: tuple[str, ...]


def pair(field: Field) -> PairedRound:
    planned = next_meetings(field)
    there = {player.id for player in field.players}
    playing = [two for two in planned.meetings if there.issuperset(two) and not field.is_banned(*two, field.round)]
    place = places_at_start(field.facts)
    playing.sort(key=lambda two: min(place[two[0]], place[two[1]]))
    resting = sorted(there.difference(*playing), key=place.__getitem__)
    if first_named.goes_by_tables(field):
        playing = first_named.in_roles(field, seats_of(field), playing)
    return PairedRound(
        round=field.round,
        method=field.settings.pairing.system,
        pairs=tuple(
            SeatedTable(table=table, seats=meeting, first=meeting[0], why=tuple(why(field, table, meeting)))
            for table, meeting in enumerate(playing, start=1)
        ),
        byes=tuple(with_a_bye(field, planned.meetings, resting)),
        requested_byes=field.attendance.requested_byes,
        missing=field.attendance.missing,
        explanation=(*planned.explanation, *rests(field, planned.meetings, resting)),
    )


def next_meetings(field: Field) -> PlannedMeetings:
    seats = seats_of(field)
    rounds = whole_plan(field, seats)
    if is_kept(field, rounds):
        said = (f"Round {field.round} of the plan.", *never_meeting(field, rounds))
        return PlannedMeetings(meetings=rounds[field.round - 1], explanation=said)
    return planned_anew(field, seats)


def seats_of(field: Field) -> list[str]:
    """Everybody but those who left before the first round, in the order of the start numbers."""
    facts = field.facts

    def takes_part(entrant: Entrant) -> bool:
        left = facts.left.get(entrant.id)
        return field.stage in facts.fields or left is None or (left.stage, left.after_round) != (field.stage, 0)

    members = [entrant for entrant in field_of(facts, field.stage).values() if takes_part(entrant)]
    return [entrant.id for entrant in sorted(members, key=lambda one: one.number)]


def cycles(field: Field) -> int:
    return 2 if field.settings.pairing.system == "double-round-robin" else 1


def whole_plan(field: Field, seats: Sequence[str]) -> PlanOfRounds:
    """All rounds of the stage. The second time the roles are changed."""
    once = [[(seats[one - 1], seats[other - 1]) for one, other in meetings] for meetings in berger.table(len(seats))]
    twice = [[(other, one) for one, other in meetings] for meetings in once]
    rounds = once + (twice if cycles(field) == 2 else [])  # noqa: PLR2004 - once or twice
    ordered = in_allowed_order(field, rounds) if field.facts.bans else rounds
    if not any(too_late(field, ordered)):
        return ordered
    return around_bans(field, seats) or ordered


def too_late(field: Field, rounds: PlanOfRounds) -> Iterator[Meeting]:
    """Those whom the plan brings together only in a round in which they must not meet."""
    for number, meetings in enumerate(rounds, start=1):
        yield from (two for two in meetings if is_too_late(field, two, number))


def never_meeting(field: Field, rounds: PlanOfRounds) -> Iterator[str]:
    """Told from the first round on."""
    for two in too_late(field, rounds):
        yield f"No order of the rounds lets {named(two)} meet before those in which they must not: they rest instead."


def in_allowed_order(field: Field, rounds: PlanOfRounds) -> PlanOfRounds:
    """From the last place back, each time the last of the rounds that bring the fewest together who may not meet there."""
    left = list(rounds)
    ordered: list[Sequence[Meeting]] = []
    for number in range(len(rounds), 0, -1):
        late = [sum(is_too_late(field, two, number) for two in meetings) for meetings in left]
        last_of_fewest = max(range(len(left)), key=lambda place: (-late[place], place))
        ordered.append(left.pop(last_of_fewest))
    return ordered[::-1]


def is_too_late(field: Field, meeting: Meeting, number: int) -> bool:
    """Those who must never meet rest instead, whenever it is."""
    return field.is_banned(*meeting, number) and not is_never(field, meeting)


def is_never(field: Field, meeting: Meeting) -> bool:
    """Whether two must not meet in any round, also when the last rounds, in which they must not, are all there are."""
    return field.is_banned(*meeting, 1)


def around_bans(field: Field, seats: Sequence[str]) -> PlanOfRounds | None:
    to_come = rounds_left(field, seats, range(1, field.rounds + 1), is_begun=False)
    planned = lookahead.plan(to_come)
    if planned is None:
        return None
    seen: set[frozenset[str]] = set()
    rounds: list[Sequence[Meeting]] = []
    for duels in planned:
        rounds.append(in_roles(seats, duels, seen))
        seen.update(map(frozenset, rounds[-1]))
    return rounds


def is_kept(field: Field, rounds: PlanOfRounds) -> bool:
    """Nobody has met somebody whom the plan brings together only later."""
    planned = Counter(frozenset(two) for meetings in rounds[: field.round - 1] for two in meetings)
    return all(
        times_met(field, one, other) <= planned[frozenset((one, other))]
        for meetings in rounds[field.round - 1 :]
        for one, other in meetings
    )


def planned_anew(field: Field, seats: Sequence[str]) -> PlannedMeetings:
    """The games that are left, in the rounds that are left; or else as many of them as possible in this round."""
    met = {frozenset(two) for two in combinations(seats, 2) if times_met(field, *two)}
    planned = lookahead.plan(rounds_left(field, seats, range(field.round, field.rounds + 1), is_begun=True))
    duels = most_games(field, seats) if planned is None else planned[0]
    explanation = ["Earlier rounds were not played by the plan, so the games that are left are planned anew."]
    if planned is None:
        explanation.append("Not everybody can meet everybody any more: this round has as many games as possible.")
    return PlannedMeetings(meetings=in_roles(seats, duels, met), explanation=tuple(explanation))


def most_games(field: Field, seats: Sequence[str]) -> list[Link]:
    there = {player.id for player in field.players}
    open_duels = [
        (one, other)
        for one, other in combinations(range(len(seats)), 2)
        if {seats[one], seats[other]} <= there
        and times_met(field, seats[one], seats[other]) < cycles(field)
        and not field.is_banned(seats[one], seats[other], field.round)
    ]
    return matching.largest(len(seats), open_duels)


def rounds_left(field: Field, seats: Sequence[str], numbers: Sequence[int], *, is_begun: bool) -> RoundsToCome:
    """The bye of an odd field is one more seat; everybody has it as often as no game is left for a round."""
    bye = len(seats)
    everybody = range(bye + bye % 2)
    left = {
        (one, other): cycles(field) - (times_met(field, seats[one], seats[other]) if is_begun else 0)
        for one, other in combinations(range(bye), 2)
    }
    games = [sum(times for duel, times in left.items() if one in duel) for one in range(bye)]
    rests = {(one, bye): len(numbers) - games[one] for one in range(bye)} if bye % 2 else {}
    return RoundsToCome(
        rounds=tuple(
            tuple(
                sum(1 << other for other in everybody if other != one and fits(field, seats, one, other, number))
                for one in everybody
            )
            for number in numbers
        ),
        meetings=left | rests,
    )


def fits(field: Field, seats: Sequence[str], one: int, other: int, number: int) -> bool:
    return len(seats) in (one, other) or not is_too_late(field, (seats[one], seats[other]), number)


def times_met(field: Field, one: str, other: str) -> int:
    return field.met.get(one, {}).get(other, 0)


def in_roles(seats: Sequence[str], duels: Iterable[Link], met: Container[frozenset[str]]) -> list[Meeting]:
    """Who meets whom in which role, without the rest of an odd field. Whoever has met already changes roles."""
    even = len(seats) + len(seats) % 2
    meetings: list[Meeting] = []
    for duel in duels:
        if max(duel) < len(seats):
            first, second = berger.named(duel[0] + 1, duel[1] + 1, even)
            one, other = seats[first - 1], seats[second - 1]
            meetings.append((other, one) if frozenset((one, other)) in met else (one, other))
    return meetings


def why(field: Field, table: int, meeting: Meeting) -> Iterator[str]:
    one, other = meeting
    again = ", for the second time and with the roles changed" if times_met(field, one, other) else ""
    yield f"Everybody meets everybody: in round {field.round} {one} and {other} meet{again}."
    if field.round == 1 and first_named.goes_by_tables(field):
        yield first_named.by_table_explained(table, one)


def with_a_bye(field: Field, meetings: Iterable[Meeting], resting: Iterable[str]) -> Iterator[str]:
    """Those for whom their rest counts as a bye."""
    match field.settings.scoring.rest:
        case "bye":
            yield from resting
        case "bye-if-opponent-away":
            opponents = opponents_in(meetings)
            yield from (
                one for one in resting if one in opponents and not field.is_banned(one, opponents[one], field.round)
            )
        case "nothing":
            pass


def opponents_in(meetings: Iterable[Meeting]) -> Mapping[str, str]:
    return {one: other for meeting in meetings for one, other in (meeting, meeting[::-1])}


def rests(field: Field, meetings: Iterable[Meeting], resting: Iterable[str]) -> Iterator[str]:
    """Why somebody who is there has nobody to play."""
    opponents = opponents_in(meetings)
    for one in resting:
        other = opponents.get(one)
        if other is None:
            yield f"{one} rests: the field is odd."
        elif is_never(field, (one, other)):
            yield f"{one} rests: {other} must never be met."
        elif field.is_banned(one, other, field.round):
            yield f"{one} rests: {other} must not be met in this round."
        else:
            instead = ", so BYE takes the place" if field.settings.scoring.rest == "bye-if-opponent-away" else ""
            yield f"{one} rests: {other}, who would be the opponent, is not there{instead}."
