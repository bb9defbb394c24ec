"""What the columns of tables are called."""

from shared.rulesets import catalogue
from shared.tournament.criteria import CRITERIA
from shared.tournament.criteria.columns import SAID, columns


def test_every_criterion_has_a_title_a_short_one_and_a_sentence() -> None:
    assert SAID.keys() == CRITERIA.keys()
    for one in columns(CRITERIA):
        assert one.title[0] != one.title[0].lower() or not one.title[0].isalpha()
        assert 0 < len(one.short) <= 7
        assert one.description.endswith(".")


def test_no_table_of_the_catalogue_has_two_columns_of_one_title() -> None:
    for name in catalogue.ids():
        held = catalogue.load(name).standings
        found = columns(held.criteria, held.shown)
        assert len({one.title for one in found}) == len(found)
