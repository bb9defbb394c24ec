"""What the places bring, with names, and who has to choose."""

from services.standings.api.awards.bodies import Awards, PrizesToChoose
from services.standings.api.permissions import allowed_on_awards
from services.standings.api.tables.views import award_views
from services.standings.tournaments import EntrantNames, KnownTournament
from shared.access.asker import Asker
from shared.tournament.awards import offered


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
        allowed_actions=allowed_on_awards(known, asker),
    )
