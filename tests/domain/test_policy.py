"""Who may: officials where they are appointed and, for a tournament, in its federation; captains in their own one."""

from shared.access.asker import Asker, Concerned
from shared.access.captain_tokens import Captaincy, Issuer
from shared.access.grants import Grant
from shared.access.policy import ANYBODY, OPERATORS, SIGNED_IN, also_themselves, in_person, roles
from shared.access.roles import Role
from shared.access.scorer_links import ScorerLink
from shared.access.tokens import Caller

SCORING = roles(Role.SCORER, Role.DIRECTOR, scope="game_id", captains="game_id")
OFFICIALS_ONLY = roles(*Role, scope="tournament_id", operators=True)


def official(role: Role, scope: str) -> Asker:
    caller = Caller(subject="ann", expires=0)
    grants = frozenset({Grant(subject="ann", role=role, scope=scope)})
    return Asker(caller=caller, grants=grants, is_operator=False, above={"open": "federation"})


def speaking_for(entrant: str, tournament: str) -> Captaincy:
    issuer = Issuer(subject="dora", role=Role.DIRECTOR, scope=tournament, term=0)
    return Captaincy(tournament=tournament, entrant=entrant, generation=1, serial=1, issuer=issuer)


def captain(tournament: str, *about: str) -> Asker:
    captaincy = speaking_for("bob", tournament)
    caller = Caller(subject=captaincy.subject, expires=0, captain=captaincy)
    return Asker(caller=caller, grants=frozenset(), is_operator=False, concerned=Concerned(entrants=about))


def test_a_federations_official_acts_for_its_tournaments() -> None:
    director = official(Role.DIRECTOR, "federation")
    assert director.may(SCORING, "open")
    assert not director.may(SCORING, "open-of-another-federation")
    assert not official(Role.AUDITOR, "federation").may(SCORING, "open")


def test_a_tournaments_official_is_nobody_in_its_federation() -> None:
    scorer = official(Role.SCORER, "open")
    assert scorer.may(SCORING, "open")
    assert not scorer.may(SCORING, "federation")


def test_whoever_announces_a_tournament_sees_at_once_what_they_may_do_there() -> None:
    director = official(Role.DIRECTOR, "federation")
    assert not director.may(SCORING, "new")
    assert director.within("new", "federation").may(SCORING, "new")


def test_a_captain_acts_for_the_own_entrant_where_captains_may() -> None:
    assert captain("open", "ann", "bob").may(SCORING, "open")
    assert not captain("open", "ann", "cid").may(SCORING, "open")
    assert not captain("open").may(SCORING, "open")
    assert not captain("open", "ann", "bob").may(SCORING, "another")
    assert not captain("open").may(OFFICIALS_ONLY, "open")
    assert captain("open").may(ANYBODY)
    assert captain("open").may(SIGNED_IN)


def test_a_captain_is_no_official_whatever_was_granted_to_their_name() -> None:
    captaincy = speaking_for("bob", "another")
    grants = frozenset({Grant(subject=captaincy.subject, role=Role.DIRECTOR, scope="open")})
    caller = Caller(subject=captaincy.subject, expires=0, captain=captaincy)
    assert not Asker(caller=caller, grants=grants, is_operator=False).may(SCORING, "open")


def test_being_signed_in_is_enough_where_the_policy_says_so() -> None:
    somebody = official(Role.AUDITOR, "nowhere")
    nobody = Asker(caller=None, grants=frozenset(), is_operator=False)
    assert somebody.may(SIGNED_IN)
    assert not somebody.may(OPERATORS)
    assert not nobody.may(SIGNED_IN)
    assert nobody.may(ANYBODY)


def test_a_policy_says_who_may() -> None:
    assert ANYBODY.sentence == "Anybody may, without a token."
    assert SIGNED_IN.sentence == "Needs a token, of anybody."
    assert OPERATORS.sentence == "Needs a token of an operator."
    assert SCORING.sentence == (
        "Needs a token of whoever is appointed there as one of: director, scorer or of a captain of an entrant that it is "
        "about."
    )


def test_a_scorers_link_scores_in_its_tournament_and_hands_nothing_on() -> None:
    issuer = Issuer(subject="dora", role=Role.DIRECTOR, scope="open", term=0)
    link = ScorerLink(tournament="open", number=1, issuer=issuer)
    caller = Caller(subject=link.subject, expires=0, link=link)
    grant = Grant(subject=link.subject, role=Role.SCORER, scope="open")
    scorer = Asker(caller=caller, grants=frozenset({grant}), is_operator=False, above={"open": "federation"})
    assert scorer.may(SCORING, "open")
    assert not scorer.may(SCORING, "another")
    assert not scorer.may(in_person(SCORING), "open")
    assert not scorer.may(also_themselves(OFFICIALS_ONLY), "another")
    assert official(Role.SCORER, "open").may(in_person(SCORING), "open")
