"""What is settled about a game apart from its result: who has a choice and what he takes, who sits where, whose clock.

Choices and line-ups are for the time before the game. Officials record also what was said on paper, and mend a slip of
the pen as long as nothing has begun.
"""

from services.results.domain.sheet import facts, orders
from services.results.domain.sheet.outcomes import require_at_table
from services.results.domain.sheet.refusals import (
    AlreadyChosen,
    GameHasBegun,
    LineUpsAreDrawn,
    LineUpsMissing,
    LineUpUnfit,
    NobodyAsked,
    NoChoice,
    NoSuchClock,
    NotDrawnFromThis,
    NotOfThisTable,
    OnlyForOwnSeat,
    OnlyTheHolder,
    final,
    refused,
)
from services.results.domain.sheet.states import (
    ChoiceTaken,
    Disputed,
    Final,
    Pending,
    Postponed,
    Recalled,
    Reported,
    Sheet,
    Speaker,
    Started,
    State,
    UnknownSheet,
    Voided,
)
from shared.numbers import exact, stored

SIDES = 2


def prepare(state: State, command: orders.Prepare) -> list[facts.Preparation]:
    match command:
        case orders.ChangeClock():
            return change_clock(not_over(state), command)
        case orders.ResetClocks():
            return reset_clocks(not_over(state), command)
        case orders.SayWish():
            return say(not_over(state), command)
        case orders.Choose():
            return choose(before_it(state), command)
        case orders.GiveLineUp():
            return line_up(before_it(state), command)
        case orders.DrawBoards():
            return draw_boards(before_it(state), command)
        case orders.DrawSeats():
            sheet = before_it(state)
            require_asked(sheet, "seat-draw")
            return (
                []
                if sheet.prepared.seats == command.order
                else [facts.SeatsDrawn(game=sheet.game, order=command.order)]
            )


def not_over(state: State) -> Sheet:
    match state:
        case UnknownSheet() | Voided() | Recalled():
            raise refused(state)
        case Final():
            raise final(state)
        case Pending() | Started() | Postponed() | Reported() | Disputed():
            return state.sheet


def before_it(state: State) -> Sheet:
    match state:
        case Pending() | Postponed(before=Pending()):
            return state.sheet
        case Started() | Postponed() | Reported() | Disputed():
            raise GameHasBegun("This game has begun: what belongs before it cannot be changed any more.")
        case UnknownSheet() | Final() | Voided() | Recalled():
            return not_over(state)


def choose(sheet: Sheet, command: orders.Choose) -> list[facts.Preparation]:
    require_speaks_for(sheet, command.by, command.entrant)
    if sheet.option is None:
        raise NoChoice("Nobody has a choice in this game: who begins is as it was paired.")
    chosen = sheet.prepared.choices
    answers = bool(chosen) and chosen[0].takes == "draw" and command.entrant != sheet.option
    if command.entrant != sheet.option and not answers:
        raise OnlyTheHolder("The other side has the choice in this game.")
    if command.takes == "draw" and (answers or not command.option):
        raise NoChoice("There is only the colour to choose here.")
    if command.takes == "colour" and command.first not in sheet.seats:
        raise NotOfThisTable("Say who begins, with black: one of the two entrants at this table.")
    other = next(seat for seat in sheet.seats if seat != command.entrant)
    takes_draw = sheet.option if answers else command.entrant if command.takes == "draw" else other
    choice = facts.ChoiceMade(
        game=sheet.game,
        entrant=command.entrant,
        takes=command.takes,
        first=command.first if command.takes == "colour" else None,
        draw_wins=takes_draw if command.option else None,
        late=command.late,
    )
    if any(says_the_same(known, choice) for known in chosen):
        return []
    if command.by.entrant is not None and any(known.entrant == command.entrant for known in chosen):
        raise AlreadyChosen("This is chosen and announced: an official can still mend what was written down wrongly.")
    return [choice]


def says_the_same(known: ChoiceTaken, choice: facts.ChoiceMade) -> bool:
    return (known.entrant, known.takes, known.first) == (choice.entrant, choice.takes, choice.first)


def line_up(sheet: Sheet, command: orders.GiveLineUp) -> list[facts.Preparation]:
    require_speaks_for(sheet, command.by, command.entrant)
    if not command.boards:
        raise LineUpUnfit("This is no match of teams: it has no boards.")
    if len(command.persons) != command.boards:
        raise LineUpUnfit(f"Name {command.boards} players, board by board; null where nobody sits.")
    sitting = [person for person in command.persons if person is not None]
    if len(set(sitting)) != len(sitting):
        raise LineUpUnfit("Nobody sits at two boards of one match.")
    if unknown := [person for person in sitting if person not in command.team]:
        raise LineUpUnfit(f"{unknown[0]} does not belong to this team as it was entered.")
    prepared = sheet.prepared
    if prepared.line_ups.get(command.entrant) == command.persons:
        return []
    if prepared.are_drawn and command.by.entrant is not None:
        raise LineUpsAreDrawn("The opponents at the boards were drawn: ask an official.")
    return [facts.LineUpGiven(game=sheet.game, entrant=command.entrant, persons=command.persons)]


def draw_boards(sheet: Sheet, command: orders.DrawBoards) -> list[facts.Preparation]:
    if sheet.prepared.are_drawn:
        return []
    require_asked(sheet, "board-draw")
    require_not_expelled(sheet, command.expelled)
    if len(command.drawn_from) != SIDES:
        raise NotDrawnFromThis("Both teams have to say first who plays.")
    if command.drawn_from != sheet.prepared.line_ups:
        raise NotDrawnFromThis("A line-up has changed meanwhile: draw again.")
    return [facts.BoardsDrawn(game=sheet.game, line_ups=command.line_ups)]


def say(sheet: Sheet, command: orders.SayWish) -> list[facts.Preparation]:
    require_speaks_for(sheet, command.by, command.entrant)
    if (command.entrant, command.wish) in sheet.prepared.wishes:
        return []
    return [facts.WishSaid(game=sheet.game, entrant=command.entrant, wish=command.wish)]


def change_clock(sheet: Sheet, command: orders.ChangeClock) -> list[facts.Preparation]:
    if len(sheet.seats) > SIDES:
        raise NoSuchClock("Only a game of two has clocks for the whole game: put a limit per move on record instead.")
    if command.seat >= len(sheet.seats):
        raise NotOfThisTable(f"Seats are counted from 0 to {len(sheet.seats) - 1}.")
    of_reason = [one for one in sheet.prepared.clocks if (one.seat, one.why) == (command.seat, command.why)]
    before = sum(exact(one.minutes) for one in of_reason) if command.more else 0
    minutes = stored(exact(command.minutes) + before)
    if any(one.minutes == minutes for one in of_reason):
        return []
    return [
        facts.ClockChanged(game=sheet.game, seat=command.seat, minutes=minutes, why=command.why, reason=command.reason)
    ]


def reset_clocks(sheet: Sheet, command: orders.ResetClocks) -> list[facts.Preparation]:
    """What else has changed a clock counts no more, so that the same given once more is added to the new time."""
    before = [one for one in sheet.prepared.clocks if one.why != "clock" and exact(one.minutes)]
    gone = [orders.ChangeClock(seat=one.seat, minutes=0, why=one.why, reason=command.reason) for one in before]
    less = stored(exact(command.minutes) - exact(command.usual))
    new = [
        orders.ChangeClock(seat=n, minutes=less, why="clock", reason=command.reason) for n in range(len(sheet.seats))
    ]
    return [changed for one in (*gone, *new) for changed in change_clock(sheet, one)]


def require_asked(sheet: Sheet, wish: str) -> None:
    if not any(said == wish for _, said in sheet.prepared.wishes):
        raise NobodyAsked("Nobody at this table has asked for a lot: record who asks first.")


def require_speaks_for(sheet: Sheet, by: Speaker, entrant: str) -> None:
    require_at_table(sheet, by)
    if entrant not in sheet.seats:
        raise NotOfThisTable("This entrant does not play at this table.")
    if by.entrant is not None and by.entrant != entrant:
        raise OnlyForOwnSeat("You speak for your own entrant only.")


def require_not_expelled(sheet: Sheet, expelled: frozenset[str]) -> None:
    """A line-up may have been given before."""
    for entrant, persons in sheet.prepared.line_ups.items():
        if gone := [person for person in persons if person in expelled]:
            raise LineUpsMissing(f"{gone[0]} was expelled: say anew who of {entrant} sits at which board.")


def require_line_ups(sheet: Sheet, *, first: bool) -> None:
    """Where the match sheet has to stand before anything is played."""
    if first and not set(sheet.seats) <= sheet.prepared.line_ups.keys():
        raise LineUpsMissing("Both teams have to say who sits at which board before the match begins.")
