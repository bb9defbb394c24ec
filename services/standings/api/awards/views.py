"""What the places bring, with names, and who has to choose."""

from fastapi import Response

from services.standings.api.awards.bodies import Awards, PrizesToChoose
from services.standings.api.permissions import allowed_on_awards
from services.standings.api.tables.views import award_views
from services.standings.tournaments import EntrantNames, KnownTournament
from shared.access.asker import Asker
from shared.http.orders import answer_in, with_body
from shared.tournament.awards import offered

UNNAMED: EntrantNames = {}


def awards_view(known: KnownTournament, names: EntrantNames, asker: Asker) -> Awards:
    facts = known.facts
    return Awards(
        tournament=known.tournament,
        completed=known.is_over,
        inputs=str(known.inputs),
        awards=award_views(facts, names),
        to_choose=[
            PrizesToChoose(
                entrant=entrant,
                name=names.get(entrant),
                lists=list(lists),
                chosen=is_chosen,
                among=facts.chosen[entrant] if is_chosen else None,
            )
            for entrant, lists in offered(facts).items()
            for is_chosen in [entrant in facts.chosen and facts.chosen[entrant] in lists]
        ],
        allowed_actions=allowed_on_awards(known, names, asker),
    )


def with_names(response: Response, names: EntrantNames) -> Response:
    """An answer that was kept without names, where nobody could erase them, with those of today."""
    answered = answer_in(response, Awards)
    for one in (*answered.awards, *answered.to_choose):
        one.name = names.get(one.entrant)
    return with_body(response, answered)
