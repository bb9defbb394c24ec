"""The draw of groups: by lot, with schools as far apart as they can be, or by hand (`shared/tournament/groups.py`)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from services.pairing.engines.paired_round import DrawLots, GroupsUnusable, NoPairing, named
from shared.rulesets.settings import group_count
from shared.tournament.facts import Facts
from shared.tournament.groups import (
    LETTERS,
    Groups,
    by_letter,
    conflicts,
    drawn,
    fewest,
    in_groups,
    members_of,
    schools_of,
    sizes,
    together,
)
from shared.tournament.stages import groups_of, has_rounds, settings_of


def with_groups(facts: Facts, stage: str, lots: DrawLots) -> Facts:
    """The facts with the group of everybody: as it was drawn, by hand or by lot; or as a lot would have it.

    Once a round of theirs stands they are what they are: whoever has left since without playing leaves them uneven.
    """
    members, drawn_before = members_of(facts, stage), groups_of(facts, stage)
    known = {one: drawn_before[one] for one in members if one in drawn_before}
    has_begun = bool(known) and has_rounds(facts, stage)
    count = len({*drawn_before.values()}) if has_begun else require_band(facts, stage, len(members))
    if len(known) < len(members):
        known = completed(facts, known, lots(purpose(stage), members), count)
    if not has_begun:
        require_even(known, count)
    return replace(facts, drawn={**facts.drawn, stage: {one: known[one] for one in members}})


def purpose(stage: str) -> str:
    """What the lot is drawn for."""
    return f"groups of {stage}"


def by_lot(facts: Facts, stage: str, lots: DrawLots) -> Groups:
    """The groups as a draw would have them."""
    members = members_of(facts, stage)
    count = require_band(facts, stage, len(members))
    return drawn(lots(purpose(stage), members), count, schools_of(facts.entrants.values()))


def by_hand(facts: Facts, stage: str, groups: Groups) -> str | None:
    """What speaks against groups that somebody has made, once they are groups of this stage at all."""
    members = members_of(facts, stage)
    count = require_band(facts, stage, len(members))
    named_in_them = Counter(one for several in groups for one in several)
    faults = [
        *(f"{one} is in no group." for one in members if one not in named_in_them),
        *(f"{one} does not play in this stage." for one in named_in_them if one not in members),
        *(f"{one} is there {times} times." for one, times in named_in_them.items() if times > 1),
    ]
    if faults:
        raise GroupsUnusable(f"{' '.join(faults)} Send all groups, with everybody in exactly one.")
    require_even(by_letter(groups), count)
    schools = schools_of(facts.entrants.values())
    found, least = conflicts(groups, schools), fewest(members, count, schools)
    return None if found == least else f"{pairs_of_one_school(found)}: {least} would do."


def require_band(facts: Facts, stage: str, size: int) -> int:
    """How many groups there are for a field of this size."""
    count = group_count(facts.ruleset, stage, size=size)
    if count is None:
        by = settings_of(facts, stage).pairing.by("groups")
        raise NoPairing(
            f"The rules know no groups for {size}{by}. Before the start the option pairing.system round-robin lets everybody "
            "meet everybody; after it, take back who has left until groups are drawn and the first round is published."
        )
    return count


def require_even(letters: Mapping[str, str], count: int) -> None:
    """There have to be as many groups as the play-off takes, and none larger than another by more than one."""
    found = {letter: len(members) for letter, members in in_groups(letters).items()}
    wanted = sizes(len(letters), count)
    if set(found) != set(LETTERS[:count]) or sorted(found.values(), reverse=True) != wanted:
        there = named(f"{letter} with {size}" for letter, size in found.items())
        raise GroupsUnusable(
            f"{len(letters)} entrants play in groups of {named(map(str, wanted))}, called "
            f"{named(LETTERS[:count])}: there are {there}."
        )


def completed(facts: Facts, known: Mapping[str, str], order: Sequence[str], count: int) -> dict[str, str]:
    """Everybody by the lot of all, if that agrees with what is known; otherwise who has no group yet goes where there is room."""
    schools = schools_of(facts.entrants.values())
    as_drawn = by_letter(drawn(order, count, schools))
    if known.items() <= as_drawn.items():
        return as_drawn
    letters = dict(known)
    for one in (one for one in order if one not in known):
        members = {letter: [other for other, its in letters.items() if its == letter] for letter in LETTERS[:count]}
        letters[one] = min(
            members,
            key=lambda letter: (
                len(members[letter]),
                sum(schools.get(other) == schools.get(one, other) for other in members[letter]),
            ),
        )
    return letters


def draw_explained(facts: Facts, groups: Groups) -> Iterator[str]:
    """Who is in which group, and whether schools are as far apart as can be."""
    for letter, members in zip(LETTERS, groups, strict=False):
        yield f"Group {letter}: {', '.join(members)}."
    yield from schools_apart(facts, groups)


def how_drawn(facts: Facts, groups: Groups, *, by_hand: bool) -> Iterator[str]:
    """How the groups came about, for those who look at them."""
    if by_hand:
        yield "The groups were drawn by hand."
    else:
        yield f"Everybody was drawn by lot and dealt in turn to {named(LETTERS[: len(groups)])}."
        yield "Then some changed places, until every school was spread as evenly as the groups allow."
    yield from schools_apart(facts, groups)


def schools_apart(facts: Facts, groups: Groups) -> Iterator[str]:
    schools = schools_of(facts.entrants.values())
    found = conflicts(groups, schools)
    least = fewest([one for members in groups for one in members], len(groups), schools)
    if not found:
        yield "No school is in a group twice."
        return
    for letter, _, several in together(groups, schools):
        yield f"Of one school are in group {letter}: {named(several)}."
    yield f"{pairs_of_one_school(found)}: {'fewer cannot be had' if found == least else f'{least} would do'}."


def pairs_of_one_school(count: int) -> str:
    return f"{'1 pair' if count == 1 else f'{count} pairs'} of one school in one group"
