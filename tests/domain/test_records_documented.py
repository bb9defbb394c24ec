"""What stands in the logs is written about, all of it."""

import pytest

from deploy import records
from deploy.documents import DOCS
from services.registration.domain.federation import FederationFounded
from services.results.domain.sheet.facts import ResultCorrected

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
