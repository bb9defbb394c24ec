"""Sentences name entrants by their ids, and are heard with their names."""

from shared.personal.sentences import all_spoken, spoken

ADA, BEN = "019aa4c2-11d0-7f6e-8a55-0f2b3c4d5e6f", "019aa4c2-22e1-7a7f-9b66-1a3c4d5e6f70"


def test_an_id_becomes_a_name_and_one_without_a_name_stays() -> None:
    assert spoken(f"{ADA} and {BEN} are equal.", {ADA: "Ada"}) == f"Ada and {BEN} are equal."
    assert all_spoken([f"SF1: {ADA} as A1.", "No school."], {ADA: "Ada"}) == ["SF1: Ada as A1.", "No school."]
