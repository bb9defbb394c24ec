"""What callers see of a score sheet, each what they may."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from services.results.api.games import bodies
from services.results.api.permissions import RULE, TELL, allowed_actions, pointless
from services.results.domain.sheet import facts, states
from services.results.domain.sheet.decider import result_of
from services.results.domain.sheet.lifecycle import is_untouched
from services.results.domain.sheet.refusals import refused
from services.results.domain.sheet.states import (
    LOT,
    ChoiceTaken,
    Final,
    KnownSheet,
    Postponed,
    Prepared,
    Sheet,
    SheetObjection,
    State,
    UnknownSheet,
    awaits_director,
    complaints_of,
    objections_of,
    reports_of,
    status,
    winning_seat,
)
from services.results.games.scrabble.tiles import played_with
from services.results.tournaments import KnownTournament, boards
from shared.access.asker import Asker
from shared.log.envelope import Envelope
from shared.log.store import Recorded
from shared.numbers import Number, exact, shown
from shared.personal.shown_names import NamesToShow
from shared.rulesets.play import Contest
from shared.rulesets.schema import Game
from shared.rulesets.settings import Settings
from shared.rulesets.times import times
from shared.values import Value

NO_NAMES = NamesToShow(names={}, seen_by="", own_names=frozenset(), schools=frozenset())

PLAYED = "played"
OF_TWO = 2

# Terms of the games of a stage about which nothing was agreed, by the stage and the number of seats.
TERMS_OF_STAGES: WeakKeyDictionary[KnownTournament, dict[tuple[str, int], msgspec.Raw]] = WeakKeyDictionary()


def require_known(state: State) -> KnownSheet:
    if isinstance(state, UnknownSheet):
        raise refused(state)
    return state


NO_WORDS: Mapping[str, str] = MappingProxyType({})


class ShownBesides(Value):
    """What an answer shows besides the sheet. An act is answered without any of it, since its answer is kept."""

    told: NamesToShow = NO_NAMES
    corrected_at: datetime | None = None
    why_corrected: str | None = None
    words: Mapping[str, str] = NO_WORDS  # of objections, by their ids
    drawn: Sequence[str] = ()  # how anybody draws again what a lot has decided


BARE = ShownBesides()


def sheet(state: State, asker: Asker, tournament: KnownTournament, besides: ShownBesides = BARE) -> bytes:
    """The JSON of a `Game`. It is what results answers most, so it is put together without a model in between."""
    known = require_known(state)
    game = known.sheet
    room, label = tournament.tables.get(game.table, (None, None))
    why_not_tell = asker.why_not(TELL, game.tournament)
    why_not_rule = asker.why_not(RULE, game.tournament)
    without = pointless(known, tournament, asker)
    sees = why_not_tell is None
    objected = objections_of(known)
    final = known.result if isinstance(known, Final) else None
    shown_final = final and result(final, game.seats)
    return msgspec.json.encode(
        {
            "id": game.game,
            "tournament": game.tournament,
            "family": family(tournament),
            "stage": game.stage,
            "round": game.round,
            "table": game.table,
            "room": room,
            "label": label,
            "seats": [seated(entrant, tournament, besides.told) for entrant in game.seats],
            "first": game.first,
            "option": game.option,
            "group": game.group,
            "match": game.match,
            "number": game.number,
            "starts_at": game.starts_at,
            **prepared(game, with_line_ups=sees or not is_untouched(known)),
            "drawn_again": besides.drawn,
            "terms": terms(game, tournament),
            "complaints": [{"number": one.number, "upheld": one.upheld} for one in complaints_of(known)],
            "status": status(known),
            "postponed_until": known.until if isinstance(known, Postponed) else None,
            "result": shown_final,
            "corrected": isinstance(known, Final) and known.corrected,
            "correction": correction(besides) if isinstance(known, Final) and known.corrected else None,
            "reports": [
                report(said, game.seats, shown_final if said.result == final else None) for said in reports_of(known)
            ]
            if sees
            else None,
            "objections": len(objected) if sees else None,
            "objected": [said_no(one, besides.words) for one in objected] if sees else None,
            "awaits_director": awaits(known, tournament) if sees else None,
            "allowed_actions": allowed_actions(status(known), why_not_tell, why_not_rule, without),
        }
    )


def family(tournament: KnownTournament) -> Game | None:
    return None if tournament.facts is None else tournament.rules().game


def awaits(state: KnownSheet, tournament: KnownTournament) -> bool:
    sheet = state.sheet
    return tournament.facts is not None and awaits_director(state, tournament.terms(sheet.stage, sheet.match))


def said_no(of: SheetObjection, words: Mapping[str, str]) -> dict[str, object]:
    """The JSON of a `SaidNo`."""
    return {"entrant": of.entrant, "reason": words.get(of.reason or "")}


def seated(entrant: str, tournament: KnownTournament, told: NamesToShow) -> dict[str, object]:
    """The JSON of a `SeatedPlayer`."""
    return {
        "entrant": entrant,
        "number": tournament.number(entrant),
        "name": told.names.get(entrant),
        "home": told.homes.get(entrant),
    }


def with_names(answered: bytes, told: NamesToShow) -> bytes:
    """A sheet that was answered without names, with those of today."""
    found: dict[str, Any] = msgspec.json.decode(answered)
    for seat in found["seats"]:
        seat |= {"name": told.names.get(seat["entrant"]), "home": told.homes.get(seat["entrant"])}
    return msgspec.json.encode(found)


def correction(besides: ShownBesides) -> dict[str, object] | None:
    """The JSON of a `ResultCorrection`."""
    return None if besides.corrected_at is None else {"at": besides.corrected_at, "reason": besides.why_corrected}


def prepared(game: Sheet, *, with_line_ups: bool) -> dict[str, object]:
    """Who will sit at which board is nobody else's business before the match begins."""
    of = game.prepared
    line_ups = [{"entrant": entrant, "persons": persons} for entrant, persons in of.line_ups.items()]
    return {
        "choices": [choice(one, game.seats) for one in of.choices],
        "line_ups": line_ups if with_line_ups else [],
        "boards_drawn": of.are_drawn,
        "seats_drawn": of.seats,
        "wishes": [{"entrant": entrant, "wish": wish} for entrant, wish in of.wishes],
    }


def lots_of(known: KnownSheet) -> list[str]:
    """For what lots were drawn here, as the log has them."""
    game = known.sheet
    boards = [of_boards(entrant, game.game) for entrant in game.prepared.line_ups] if game.prepared.are_drawn else []
    seats = [of_seats(game.game)] if game.prepared.seats is not None else []
    is_by_lot = isinstance(known, Final) and known.result.decided_by == LOT
    return [*boards, *seats, *([of_winner(game.game)] if is_by_lot else [])]


def of_boards(entrant: str, game: str) -> str:
    return f"boards of {entrant} in game {game}"


def of_seats(game: str) -> str:
    return f"seats of game {game}"


def of_winner(game: str) -> str:
    return f"winner of game {game}"


def terms(game: Sheet, tournament: KnownTournament) -> msgspec.Raw | None:
    """The JSON of a `Terms`. Most games have the same terms, so they are made once for each stage."""
    if tournament.facts is None:
        return None
    if game.prepared.clocks or game.prepared.wishes:
        return made_terms(game, tournament)
    usual, key = TERMS_OF_STAGES.setdefault(tournament, {}), (game.stage, len(game.seats))
    if key not in usual:
        usual[key] = made_terms(game, tournament)
    return usual[key]


def made_terms(game: Sheet, tournament: KnownTournament) -> msgspec.Raw:
    holds = tournament.settings(game.stage)
    contest, rules = holds.contest, holds.results
    tiles = played_with(contest)
    found: dict[str, object] = {
        "clocks": [clock(time_of(holds), seat, game.prepared) for seat in range(len(game.seats))],
        "periods": [{"moves": one.moves, "minutes": shown(one.minutes)} for one in contest.periods],
        "minutes_of_turn": optional(rules.minutes_of_turn),
        "turn_warnings": rules.turn_warnings,
        "measured_at": rules.clocks,
        "clocks_by": rules.clocks_by,
        "minutes_of_duel": together(rules.minutes) if any(one.id == "duel" for one in contest.levels) else None,
        "latest_start": rules.latest_start,
        "limit": rules.limit,
        "opening": contest.opening,
        "starter": contest.starter,
        "boards": boards(contest),
        "variant": [contest.variant] if isinstance(contest.variant, str) else contest.variant,
        "tiles": tiles.id if tiles else None,
        "deciding": deciding(contest, game.prepared),
        "confirmed_by": rules.confirmed_by,
        "in_words": times(holds),
    }
    return msgspec.Raw(msgspec.json.encode(found))


def time_of(holds: Settings) -> Fraction | None:
    """What the clock of each side shows at the beginning."""
    periods = holds.contest.periods
    return periods[0].minutes if periods else holds.results.minutes


def clock(minutes: Fraction | None, seat: int, of: Prepared) -> dict[str, object]:
    changes = {change.why: exact(change.minutes) for change in of.clocks if change.seat == seat and change.minutes}
    left = None if minutes is None else max(minutes + sum(changes.values()), Fraction(0))
    return {"minutes": optional(left), "changes": {why: shown(change) for why, change in changes.items()}}


def deciding(contest: Contest, of: Prepared) -> dict[str, object] | None:
    """Where one player asks for the other opening, that one is played."""
    drawn = contest.drawn
    if not drawn.duels:
        return None
    asked = any(wish == "swap2" for _, wish in of.wishes)
    opening = "swap2" if asked and contest.opening is not None else contest.opening
    return {
        "duels": drawn.duels,
        "minutes": optional(drawn.minutes),
        "minutes_of_duel": together(drawn.minutes),
        "opening": opening,
        "then": drawn.then,
    }


def together(minutes: Fraction | None) -> int | float | None:
    """What both sides have where they share the time of a duel."""
    return None if minutes is None else shown(2 * minutes)


def optional(value: Fraction | None) -> int | float | None:
    return None if value is None else shown(value)


def choice(of: ChoiceTaken, seats: Sequence[str]) -> dict[str, object]:
    """The JSON of a `Choice`."""
    return {
        "entrant": of.entrant,
        "takes": of.takes,
        "first": of.first,
        "draw_wins": seat_of(of.draw_wins, seats),
        "late": of.late,
    }


def result(of: states.Result, seats: Sequence[str]) -> dict[str, object]:
    """The JSON of a `Result`: sides are seats, as in what is sent."""
    return {
        "scores": numbers(of.scores),
        "points": numbers(of.points),
        "winner": winning_seat(of, seats),
        "end": of.end,
        "end_reason": of.end_reason,
        "by": of.by,
        "first": of.first,
        "draw_wins": seat_of(of.draw_wins, seats),
        "deciding": of.deciding,
        "decided_by": of.decided_by,
        "unmoved": of.unmoved,
    }


def seat_of(entrant: str | None, seats: Sequence[str]) -> int | None:
    return seats.index(entrant) if entrant in seats else None


def report(
    of: states.GivenReport, seats: Sequence[str], shown_result: dict[str, object] | None = None
) -> dict[str, object]:
    """The JSON of a `Report`. Most say what has become final, which is there already."""
    details = of.details
    return {
        "number": of.number,
        "who": of.by.person,
        "entrant": of.by.entrant,
        "result": shown_result or result(of.result, seats),
        "signed_by": of.signed_by,
        "flags": details.flags,
        "highest_turn": details.highest_turn,
        "bingos": details.bingos,
        "said": as_sent(details.said),
    }


def as_sent(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """By the names that a report has: what an account calls `reason` is `end_reason` there."""
    return {"end_reason" if name == "reason" else name: value for name, value in said.items()} if said else said


def between(names: Sequence[str], of: states.Result) -> str:
    """A result as people say it."""
    said = "" if of.end == PLAYED else f" ({of.end})"
    if len(names) == OF_TWO:
        return f"{names[0]} {counted_scores(of.scores)} {names[1]}{said}"
    return ", ".join(f"{name} {number(score)}" for name, score in zip(names, of.scores, strict=False)) + said


def counted_scores(numbers: Sequence[Number]) -> str:
    return ":".join(str(number(one)) for one in numbers)


def numbers(stored: Sequence[Number]) -> list[int | float]:
    return [one if isinstance(one, int) else shown(exact(one)) for one in stored]


def number(stored: Number) -> int | float:
    return stored if isinstance(stored, int) else shown(exact(stored))


ENVELOPES = msgspec.json.Decoder(Envelope)


def story(recorded: Sequence[Recorded], happened: Sequence[facts.Event], reasons: Mapping[str, str]) -> bodies.Story:
    """What happened to a score sheet, step by step, for those who may look into it."""
    seats: Sequence[str] = ()
    steps: list[bodies.Step] = []
    for one, event in zip(recorded, happened, strict=True):
        if isinstance(event, facts.SheetOpened):
            seats = event.seats
        steps.append(step(one, event, seats, reasons.get(note_of(event) or "")))
    return bodies.Story(steps=steps)


def step(recorded: Recorded, event: facts.Event, seats: Sequence[str], reason: str | None) -> bodies.Step:
    envelope = ENVELOPES.decode(recorded.event.record)
    decided = isinstance(event, facts.ResultAgreed | facts.ResultDecided | facts.ResultCorrected)
    return bodies.Step(
        at=envelope.at,
        what=envelope.type,
        who=envelope.actor,
        role=envelope.role,
        operation=envelope.operation,
        version=envelope.version,
        report=bodies.Report.model_validate(msgspec.to_builtins(report(event.report, seats)))
        if isinstance(event, facts.ResultReported)
        else None,
        result=bodies.Result.model_validate(result(result_of(event), seats)) if decided else None,
        reason=reason,
    )


def last_at(recorded: Sequence[Recorded], *kinds: type[msgspec.Struct]) -> datetime | None:
    """When something of these kinds happened last."""
    names = {kind.__name__ for kind in kinds}
    found = [one for one in recorded if one.event.type in names]
    return ENVELOPES.decode(found[-1].event.record).at if found else None


def note_of(event: facts.Event) -> str | None:
    """Why it was done, where somebody had to say so: the id of the words."""
    return getattr(event, "reason", None)
