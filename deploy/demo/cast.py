"""Who plays in the demo. Nobody of them exists."""

from dataclasses import dataclass

RULESET = "scrabble-sk-2022-qt"
SCORERS = tuple(f"scorer-{n}" for n in range(1, 9))
ARBITER = "arbiter"


@dataclass(frozen=True, kw_only=True, slots=True)
class Player:
    name: str
    rating: int


PLAYERS = tuple(
    Player(name=name, rating=rating)
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
    )
)
