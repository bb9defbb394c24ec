"""Who plays in the demo. Nobody of them exists."""

from collections.abc import Mapping

from shared.values import Value

RULESET = "scrabble-sk-2022-qt"
SCORERS = tuple(f"scorer-{n}" for n in range(1, 9))
ARBITER = "arbiter"


class CastPlayer(Value):
    """Or the team that bears the name."""

    name: str
    rating: int


PLAYERS = tuple(
    CastPlayer(name=name, rating=rating)
    for name, rating in (
        ("Alžbeta Horská", 1942),
        ("Boris Kováčik", 1897),
        ("Cecília Drevená", 1850),
        ("Dušan Riečny", 1833),
        ("Ema Slnečná", 1790),
        ("Fedor Lúčny", 1764),
        ("Gizela Modrá", 1751),
        ("Hugo Tichý", 1738),
        ("Ivana Skalná", 1702),
        ("Juraj Večerný", 1695),
        ("Katarína Zimná", 1688),
        ("Leo Pastier", 1671),
        ("Mária Vŕbová", 1660),
        ("Norbert Hlinka", 1655),
        ("Oľga Perníková", 1643),
        ("Peter Dážď", 1632),
        ("Renáta Makovická", 1621),
        ("Samuel Mlynár", 1614),
        ("Tamara Letná", 1608),
        ("Urban Zvonár", 1604),
        ("Viera Jarná", 1600),
        ("Xénia Poľná", 1600),
        ("Yvona Hájová", 1588),
        ("Zoltán Brezový", 1571),
        ("Adam Lipový", 1560),
        ("Beata Ranná", 1552),
        ("Cyril Studený", 1541),
        ("Dana Potočná", 1533),
        ("Emil Javor", 1520),
        ("Františka Biela", 1512),
        ("Gregor Hruška", 1505),
        ("Helena Ďateľová", 1500),
    )
)

# How many play, where it is not twelve. The championships have a field of their size.
FIELDS: Mapping[str, int] = {
    RULESET: 24,
    "scrabble-sk-2022-ms": 16,
    "carcassonne-cz-qualification": 16,
    "carcassonne-cz-final": 32,
    "othello-pl-2021": 16,
    "pisqworky-2025-zs-grf": 32,
    "pisqworky-2025-ss-grf": 24,
}
USUAL_FIELD = 12


def cast(ruleset: str) -> tuple[CastPlayer, ...]:
    return PLAYERS[: FIELDS.get(ruleset, USUAL_FIELD)]
