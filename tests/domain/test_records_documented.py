"""What stands in the logs is written about, all of it."""

import re

import pytest

from deploy.documents import DOCS, records
from services.registration.domain.federation import FederationFounded
from services.results.domain.sheet.facts import ResultCorrected
from shared.checkpoints.stream import SIGNED_LOG
from shared.commands.decider import Fact
from shared.story import sentence, title

WRITTEN = (DOCS / "records.md").read_text(encoding="utf-8")


def test_every_kind_of_record_has_its_words_and_the_message_that_it_becomes() -> None:
    for one in records.kept():
        for event in one.decider.events:
            assert f'<a id="{records.anchor(one.service, event.__name__)}"></a>{event.__name__}\n' in WRITTEN
    (corrected,) = [line for line in WRITTEN.splitlines() if line.startswith("An official puts this result")]
    assert corrected.endswith("Others are told [ResultCorrected](events.md#resultcorrected).")
    assert (ResultCorrected.__doc__ or "").split()[:2] == ["An", "official"]


def test_a_kind_of_record_without_words_fails_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FederationFounded, "__doc__", None)
    with pytest.raises(records.NoWords, match="FederationFounded"):
        records.require_words()


def test_a_kind_of_record_without_a_sample_fails_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "SAMPLES", records.SAMPLES / "nowhere")
    with pytest.raises(records.NoWords, match="registration/FederationFounded"):
        records.require_words()


def test_every_kind_of_record_can_be_told_and_takes_the_place_of_one_of_its_own_stream() -> None:
    for one in records.kept():
        names = {event.__name__ for event in one.decider.events}
        for event in one.decider.events:
            assert issubclass(event, Fact), event
            assert sentence(event).endswith((".", "…")), event
            assert names.issuperset(event.REPLACES), event


def test_the_pages_have_a_title_for_each_kind_of_record_of_a_tournament() -> None:
    of_tournaments = {"the tournament", "what it is about"}
    kept = [one for one in records.kept() if one.decider.kind != SIGNED_LOG.kind]
    wanted = {
        event.__name__
        for one in kept
        if not one.service or records.scope_of(one) in of_tournaments
        for event in one.decider.events
    }
    titles = (records.ROOT / "clients" / "web" / "src" / "texts" / "story_titles.ts").read_text(encoding="utf-8")
    assert set(re.findall(r"^  (\w+): \[", titles, re.MULTILINE)) == wanted


def test_what_a_record_says_is_its_first_paragraph() -> None:
    assert sentence(ResultCorrected) == "An official puts this result in the place of the final one, for this reason."
    assert (title("ResultCorrected"), title("LotDrawn")) == ("Result corrected", "Lot drawn")
