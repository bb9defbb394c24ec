"""How figures are printed: what we reach, what the limit is here and now, and how much of it must be reached."""

from collections.abc import Sequence
from statistics import median

from shared.values import Value

LINE = "{:<58} {:>10} {:>10} {:>7} {:>9}  {}"


class Figure(Value):
    """Pairs of runs, ours and the limit's in turn, so that a noisy machine slows both."""

    name: str
    ours: Sequence[float]
    limit: Sequence[float]
    at_least: float | None = None
    key: str = ""  # by which it is found in other runs, where its name has numbers of this one

    @property
    def ratios(self) -> Sequence[float]:
        return [own / other for own, other in zip(self.ours, self.limit, strict=True)]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def holds(self) -> bool:
        return self.at_least is None or self.ratio >= self.at_least


def print_heading(title: str) -> None:
    print(f"\n{title}")
    print(LINE.format("", "ours /s", "limit /s", "ratio", "at least", ""))


def print_figure(figure: Figure) -> None:
    at_least = "" if figure.at_least is None else f"{figure.at_least:.2f}×"
    verdict = "" if figure.at_least is None else "holds" if figure.holds else "MISSED"
    own, other = f"{median(figure.ours):,.0f}", f"{median(figure.limit):,.0f}"
    print(LINE.format(figure.name, own, other, f"{figure.ratio:.2f}×", at_least, verdict), flush=True)
