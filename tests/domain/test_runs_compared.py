"""What `make bench` says of two runs: only what has moved further than either run by itself."""

from benchmarks.history import Run, drawn, kept, moved
from benchmarks.table import Figure


def run(**ratios: tuple[float, float, float]) -> Run:
    figures = [Figure(name=name, ours=found, limit=(1.0, 1.0, 1.0), at_least=0.6) for name, found in ratios.items()]
    return Run(at="2026-11-23T08:00:00+00:00", commit="c0ffee", machine="here", kind="quick", figures=kept(figures))


def test_only_what_is_apart_from_the_run_before_has_moved() -> None:
    before = run(rebuild=(0.5, 0.55, 0.6), push=(0.8, 0.9, 1.0), start=(1.0, 1.0, 1.0), left=(1.0, 1.0, 1.0))
    this = run(rebuild=(0.7, 0.75, 0.8), push=(0.6, 0.7, 0.85), start=(0.95, 0.96, 0.97), record=(0.9, 0.9, 0.9))
    assert list(moved(before, this)) == [
        "  quicker  rebuild: 0.55× before, 0.75× now",
        "  new      record: 0.90×",
        "  gone     left",
    ]
    assert next(iter(moved(this, before))) == "  slower   rebuild: 0.75× before, 0.55× now"


def test_the_picture_has_a_strip_for_each_figure_and_a_dot_for_each_run() -> None:
    picture = drawn([run(push=(0.5, 0.5, 0.5)), run(push=(0.9, 0.9, 0.9), start=(1.0, 1.0, 1.0))])
    assert (picture.count("<polyline"), picture.count("<circle"), picture.count("#b3261e")) == (2, 3, 1)
