"""What an entry says besides who plays, read: with the homes that it names, and whether its members may play."""

from collections.abc import Mapping

from services.registration.api import comer_forms
from services.registration.domain.clubs_and_schools import Home, Homes
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Also
from services.registration.domain.tournament.reasons import cite
from services.registration.domain.tournament.states import Plan
from services.registration.eligibility import conditions
from services.registration.eligibility.judge import Background
from shared.faults import Fault, Faulty
from shared.numbers import stored
from shared.personal.particulars import Particulars

SENTENCE = "This is no entry yet."


def particulars_of(sent: comer_forms.Particulars) -> Particulars:
    return Particulars(
        born=sent.born,
        citizenship=sent.citizenship,
        town=sent.town,
        email=sent.email,
        phone=sent.phone,
        licence=sent.licence,
    )


def entry_said(
    sent: comer_forms.NewEntry,
    plan: Plan,
    background: Background,
    *,
    base: tuple[str, ...],
    substitutes: tuple[str, ...],
    captain: str | None,
) -> tuple[Also, tuple[str, ...], tuple[facts.Verdict, ...]]:
    """All else that it says, the lists that it is on, and whether its members may play."""
    also = also_said(sent, background, team=sent.team, substitutes=substitutes, captain=captain)
    members = background.of((*base, *substitutes))
    wanted = tuple(sorted(set(sent.lists)))
    require_lists_fit(wanted, plan, members)
    on = conditions.lists_of(plan.ruleset, members, plan.starts_on)
    judged = conditions.verdicts(plan.ruleset, members, background.entering(also, plan))
    return also, tuple(sorted({*wanted, *on})), judged


def require_lists_fit(wanted: tuple[str, ...], plan: Plan, members: Mapping[str, Particulars]) -> None:
    if wrong := conditions.not_for(plan.ruleset, wanted, members, plan.starts_on):
        named = ", ".join(f"{one.id}{cite(one.rule_id)}" for one in wrong)
        raise Faulty(
            "They cannot be on these lists.", [Fault("/lists", f"They are too old for {named}: leave it out.")]
        )


def also_said(
    sent: comer_forms.AsDetailed,
    background: Background,
    *,
    team: str | None,
    substitutes: tuple[str, ...],
    captain: str | None,
) -> Also:
    """With the region, the types and the parts that their school or club has now."""
    faults = list[Fault]()
    found = {
        kind: home_of(background.homes, identity, kind, faults)
        for kind, identity in (("school", sent.school), ("club", sent.club), ("region", sent.region))
    }
    if faults:
        raise Faulty(SENTENCE, faults)
    school, club = found["school"], found["club"]
    region = sent.region or (school.region if school else None) or (club.region if club else None)
    return Also(
        substitutes=substitutes,
        captain=captain,
        team=team,
        school=sent.school,
        club=sent.club,
        region=region,
        parts=school.parts if school else 1,
        declared=tuple(sorted(set(sent.declared))),
        consents=tuple(sorted(set(sent.consents))),
        needs=tuple(sorted(set(sent.needs))),
        history=sent.history,
        history_source=sent.history_source,
        direct_source=sent.direct_source,
        carried=stored(sent.carried),
        direct=sent.direct,
    )


def home_of(known: Homes, identity: str | None, kind: str, faults: list[Fault]) -> Home | None:
    if identity is None:
        return None
    home = known.known.get(identity)
    if home is None or home.kind != kind:
        faults.append(Fault(f"/{kind}", f"The federation has no {kind} {identity}: register it first."))
        return None
    return home
