"""What somebody is shown of a name, and that nothing else leads from an id to a name in an answer."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

import services
import shared
from shared.access.asker import ASKING, Asker
from shared.access.captain_tokens import Captaincy, Issuer
from shared.access.grants import Grant, Grants
from shared.access.roles import Role
from shared.access.tokens import Caller
from shared.personal.names import Names
from shared.personal.shown_names import Bearer, NameField, NamesShown, as_decided, shortened, tells
from shared.rulesets.entry import ShownNames

T, SEASON, FEDERATION = "cup", "2026", "scg"
NAMES = {
    "p1": "Alžbeta Nová",
    "p2": "Adam Nemec",
    "p3": "Adam Novotný",
    "p4": "Boris Kráľ",
    "p5": "Cyril Sokol",
    "pair": "Kráľ a Sokol",
    "team": "Gymnázium Trnava",
    "club": "Šachový klub Sokol",
    "school": "Gymnázium Trnava",
}
BEARERS = {
    "one": Bearer(persons=("p1",), number=1, home="club"),
    "two": Bearer(persons=("p2",), number=2),
    "three": Bearer(persons=("p3",), number=3),
    "pair": Bearer(persons=("p4", "p5"), number=4),
    "team": Bearer(persons=("p1", "p2"), number=5, home="school"),
}
OWN = {"p1", "p2"}  # persons of the federation
ALONE = ("one", "two", "three")

# They need a name for something else than an answer, or are for officials of the person's federation only.
IN_FULL = {
    "shared/personal/shown_names.py",
    "services/registration/api/persons/directory.py",  # two who are one: their names are put together
    "services/registration/api/persons/routes.py",  # whether a name is another one
    "services/registration/api/persons/export.py",  # for the person
    "services/registration/api/levels.py",  # for officials, who decide who comes from the tournament before
    "services/registration/api/entries/files.py",  # to recognise who is there already
    "services/registration/api/persons/files.py",  # files of and for officials
    "services/registration/next_levels.py",  # what teams are called in the next tournament
    "services/standings/api/seasons/known.py",  # who is registered
}


class Known(Names):
    async def in_full(self, ids: Collection[str]) -> Mapping[str, str]:  # pyrefly: ignore[bad-override] - a fake
        return {one: NAMES[one] for one in ids if one in NAMES}


class Above(Grants):
    async def above(self, scope: str) -> str | None:
        return FEDERATION if scope in {T, SEASON} else None


def asked_by(asker: Asker | None) -> None:
    ASKING.set(asker)


def official(scope: str, role: Role = Role.SCORER) -> Asker:
    caller = Caller(subject="sam", expires=0)
    return Asker(caller=caller, grants=frozenset({Grant(subject="sam", role=role, scope=scope)}), is_operator=False)


async def persons_of(federation: str, ids: Collection[str]) -> Collection[str]:
    return OWN & set(ids) if federation == FEDERATION else ()


def shown(decided: ShownNames, bearers: Mapping[str, Bearer] = BEARERS) -> NamesShown:
    async def field(_: str) -> NameField:
        return NameField(shown=decided, bearers=bearers)

    async def of_tournaments(tournaments: Collection[str]) -> Mapping[str, ShownNames]:
        every: dict[str, ShownNames] = {"open": "full", "school": "first-name-and-initial", "hidden": "number"}
        return {one: every[one] for one in tournaments}

    return NamesShown(Known(""), grants=Above(""), persons_of=persons_of, field=field, decided=of_tournaments)


async def names(decided: ShownNames, asker: Asker | None = None) -> Mapping[str, str]:
    asked_by(asker)
    return (await shown(decided).of_tournament(T)).names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Alžbeta Nová", "Alžbeta N."),
        ("Anna Mária Nováková", "Anna N."),
        ("Nová, Alžbeta", "Alžbeta N."),
        ("de la Cruz, Juan", "Juan C."),
        ("NOVÁ Alžbeta", "Alžbeta N."),
        ("Juan de la Cruz", "Juan C."),
        ("Jean-Pierre O'Neil", "Jean-Pierre O."),
        ("Anna Nová (Kováčová)", "Anna K."),
        ("Jozef Novák ml.", "Jozef m."),
        ("Z\u030ce\u030cna Z\u030ca\u0301ková", "Ž\u011bna Ž."),
        ("Иван Петров", "Иван П."),
        ("محمد صلاح", "محمد ص."),
        ("Madonna", "M."),
        ("山田 太郎", "太郎"),
        ("김민준", None),
        ("1234", None),
        (" ", None),
    ],
)
def test_a_name_is_shortened_to_the_first_name_and_an_initial(name: str, expected: str | None) -> None:
    assert shortened(name) == expected


async def test_without_a_token_names_are_as_the_federation_has_decided() -> None:
    everything = await names("full")
    assert (everything["one"], everything["pair"], everything["p4"]) == ("Alžbeta Nová", "Kráľ a Sokol", "Boris Kráľ")
    first = await names("first-name-and-initial")
    assert (first["one"], first["p1"], first["team"]) == ("Alžbeta N.", "Alžbeta N.", "Gymnázium Trnava")
    number = await names("number")
    assert (number["one"], number["two"], number["team"]) == ("No. 1", "No. 2", "Gymnázium Trnava")


async def test_who_is_called_the_same_then_has_the_start_number_behind_it() -> None:
    first = await names("first-name-and-initial")
    assert (first["two"], first["three"]) == ("Adam N. (2)", "Adam N. (3)")


async def test_a_pair_that_is_called_by_its_members_is_not() -> None:
    assert (await names("first-name-and-initial"))["pair"] == "Boris K. / Cyril S."
    number = await names("number")
    assert (number["pair"], number["p4"], number["p5"]) == ("No. 4", "No. 4.1", "No. 4.2")


async def test_before_there_are_numbers_there_is_a_neutral_word() -> None:
    asked_by(None)
    early = {name: Bearer(persons=one.persons) for name, one in BEARERS.items() if name in ALONE}
    found = (await shown("number", early).of_tournament(T)).names
    assert {found[name] for name in ALONE} == {"Player"}


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("scope", [T, FEDERATION])
async def test_whoever_holds_an_office_there_sees_full_names(role: Role, scope: str) -> None:
    assert (await names("number", official(scope, role)))["one"] == "Alžbeta Nová"


async def test_an_office_elsewhere_is_none_here() -> None:
    assert (await names("number", official("another-cup")))["one"] == "No. 1"


async def test_a_captain_sees_the_own_entrant_in_full_and_no_other() -> None:
    captaincy = Captaincy(
        entrant="pair",
        tournament=T,
        generation=1,
        serial=1,
        issuer=Issuer(subject="dora", role=Role.DIRECTOR, scope=T, term=0),
    )
    asker = Asker(
        caller=Caller(subject=captaincy.subject, expires=0, captain=captaincy), grants=frozenset(), is_operator=False
    )
    found = await names("number", asker)
    assert (found["pair"], found["p4"], found["one"]) == ("Kráľ a Sokol", "Boris Kráľ", "No. 1")
    assert not {"Alžbeta Nová", "Adam Nemec"} & {*found.values()}


async def test_schools_are_shown_of_teams_that_bear_a_name_only() -> None:
    asked_by(None)
    assert (await shown("first-name-and-initial").of_tournament(T)).schools - {""} == {"team"}
    asked_by(official(T))
    assert (await shown("first-name-and-initial").of_tournament(T)).schools == BEARERS.keys()


async def test_schools_and_clubs_are_named_of_those_of_whom_it_is_shown() -> None:
    asked_by(None)
    assert (await shown("number").of_tournament(T)).homes == {"team": "Gymnázium Trnava"}
    assert (await shown("full").of_tournament(T)).homes == {"one": "Šachový klub Sokol", "team": "Gymnázium Trnava"}


async def test_in_a_season_everybody_is_shown_as_the_strictest_of_their_tournaments_has_it() -> None:
    played = {"open": {"p1", "p2", "p3"}, "school": {"p2", "p3"}, "hidden": {"p3"}}
    asked_by(None)
    found = await shown("full").of_season(SEASON, ["p1", "p2", "p3", "p4"], played)
    assert found == {"p1": "Alžbeta Nová", "p2": "Adam N.", "p3": "Player", "p4": "Player"}
    asked_by(official(FEDERATION))
    assert (await shown("full").of_season(SEASON, ["p3"], played)) == {"p3": "Adam Novotný"}


async def test_who_is_in_a_tournament_is_told_of_those_alone_that_hide_names() -> None:
    found = await shown("number").persons_where_hidden(["open", "school", "hidden"])
    everybody = {person for one in BEARERS.values() for person in one.persons}
    assert found == {"school": everybody, "hidden": everybody}


async def test_problems_name_persons_to_officials_only() -> None:
    asked_by(None)
    assert await shown("full").of_officials(["p1"]) == {}
    asked_by(official(T))
    assert await shown("full").of_officials(["p1"]) == {}, "a request about nothing in particular"


async def test_problems_name_only_who_belongs_to_what_the_request_is_about() -> None:
    there = {"three": BEARERS["three"]}
    asked_by(replace(official(T), scope=T))
    assert await shown("number", there).of_officials(NAMES.keys() | BEARERS.keys()) == {
        "p1": "Alžbeta Nová",
        "p2": "Adam Nemec",
        "p3": "Adam Novotný",
        "three": "Adam Novotný",
    }
    asked_by(replace(official(FEDERATION), scope=FEDERATION))
    assert await shown("full", {}).of_officials(NAMES) == {"p1": "Alžbeta Nová", "p2": "Adam Nemec"}
    asked_by(replace(official("another-cup"), scope="another-cup"))
    assert await shown("full", {}).of_officials(NAMES) == {}


def test_what_a_newer_version_has_decided_hides_the_most() -> None:
    assert [as_decided(one) for one in ("full", "first-name-and-initial", "number", "initials")] == [
        "full",
        "first-name-and-initial",
        "number",
        "number",
    ]


def test_no_other_module_gets_names_in_full() -> None:
    root = Path(shared.__file__).parent.parent
    found = {
        path.relative_to(root).as_posix()
        for package in (shared, services)
        for path in Path(next(iter(package.__path__))).rglob("*.py")
        if re.search(r"\.in_full\(|names\.names\b(?!_)", path.read_text().replace("from names.names ", ""))
    }
    assert (
        found
        - {"shared/personal/names.py", "shared/personal/name_stream.py", "services/registration/projection/persons.py"}
        == IN_FULL
    )


@pytest.mark.parametrize(
    ("team", "person", "is_told"),
    [
        ("Kovacova tím", "Alžbeta Kováčová", True),
        ("Drużyna Walesy", "Lech Wałęsa", True),  # a stroke is no accent to Unicode
        ("Hold Østergaard", "Ida Ostergaard", True),
        ("Zeleny", "Dušan Zelený", True),
        ("Kováčovci", "Boris Kováčová", True),
        ("Malá a spol", "Cecília Veľká-Malá", True),
        ("Lo a Li", "Jana Lo", True),
        ("ZŠ Malacky", "Eva Malá", False),
        ("Gymnázium Nová Ves", "Filip Novák", False),
    ],
)
def test_a_team_is_not_called_by_what_is_hidden_of_its_persons(team: str, person: str, *, is_told: bool) -> None:
    assert tells(team, person, shortened(person) or "") == is_told
