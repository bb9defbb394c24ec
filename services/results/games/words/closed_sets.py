"""Words that are valid because the regulations name them, whatever a dictionary says (10.1.1, 10.1.2, 10.1.6).

Declined forms are those that the named pattern gives without doubt. Another one is for the dictionary or the referee
(SK.D31).
"""

from collections.abc import Iterator

from services.results.games.tiles.letters import spelled

SYLLABLES = "do re mi fa sol la si"
TONES = "ces cis des dis es eis fes fis ges gis as ais hes his"
GREEK = (
    "alfa beta gama delta epsilon zéta dzeta zeta éta théta ióta kapa lambda mí ní ksí omikron pí ró sigma tau "
    "ypsilon fí chí psí omega"
)
GREEK_LIKE_ZENA = (
    ("alfa", "álf"),
    ("beta", "biet"),
    ("gama", "gám"),
    ("delta", "delt"),
    ("zéta", "zét"),
    ("dzeta", "dziet"),
    ("éta", "ét"),
    ("théta", "théth"),
    ("kapa", "káp"),
    ("lambda", "lámbd"),  # printed as 'lámdb'
    ("sigma", "sigiem"),
    ("omega", "omeg"),
)
SLOVAK_LIKE_MESTO = (
    "áčko béčko céčko déčko éčko efko géčko háčko cháčko íčko jéčko káčko elko emko enko óčko péčko erko esko téčko "
    "účko véčko iksko ixko zetko"
)
LONG = frozenset("áéíóúý")


def like_zena(word: str, plural_genitive: str) -> Iterator[str]:
    """žena: after a long syllable the endings -ám and -ách are short."""
    stem = word.removesuffix("a")
    a = "a" if ends_long(stem) else "á"
    yield from (stem + ending for ending in ("a", "y", "e", "u", "ou", f"{a}m", f"{a}ch", "ami"))
    yield plural_genitive


def like_mesto(word: str) -> Iterator[str]:
    """mesto: with -u in the locative after k. The genitive of the plural is no mere ending."""
    stem = word.removesuffix("o")
    a = "a" if ends_long(stem) else "á"
    yield from (stem + ending for ending in ("o", "a", "u", "om", a, f"{a}m", f"{a}ch", "ami"))


def like_dub(word: str) -> Iterator[str]:
    """dub: the genitive of the singular may be -a or -u; -u is a form in any case, as the dative."""
    yield from (word + ending for ending in ("", "u", "e", "om", "y", "ov", "och", "mi"))


def ends_long(stem: str) -> bool:
    """Whether the last vowel of the stem is long."""
    return next((sign in LONG for sign in reversed(stem) if sign in LONG or sign in "aeiouyäô"), False)


def named() -> Iterator[tuple[str, str]]:
    """Each form with the clause that allows it."""
    yield from ((word, "10.1.1") for word in f"{SYLLABLES} {TONES}".split())
    yield from ((word, "10.1.2") for word in GREEK.split())
    yield from ((form, "10.1.2") for word, plural in GREEK_LIKE_ZENA for form in like_zena(word, plural))
    yield from ((form, "10.1.2") for form in like_dub("epsilon"))
    yield from ((form, "10.1.6") for word in SLOVAK_LIKE_MESTO.split() for form in like_mesto(word))
    yield from ((form, "10.1.6") for form in like_dub("ypsilon"))


CLAUSE_OF = {spelled(word): clause for word, clause in named()}
