"""How a person is shown; without the name, which is kept nowhere else than in its own table."""

from collections.abc import Collection

from msgspec.structs import asdict

from services.registration.api.permissions import PERSON_ACTIONS
from services.registration.api.persons.bodies import ParticularsShown, Person
from services.registration.domain import person
from shared.access.asker import Asker
from shared.http.responses import action
from shared.personal.particulars import NOTHING_KNOWN, Particulars


def person_view(state: person.State, asker: Asker) -> Person:
    found = person.known(state)
    here = asker.within(found.person, found.federation)
    erased = isinstance(found, person.Erased)
    gone = "They were erased: nothing can be done with them any more." if erased else None
    return Person(
        id=found.person,
        name=None,
        federation=found.federation,
        duplicates=[] if erased else list(found.duplicates),
        account=found.account if isinstance(found, person.Registered) else None,
        account_is_vouched=isinstance(found, person.Registered) and found.is_vouched,
        erased=erased,
        allowed_actions={
            name: action(here.why_not(policy, found.person) or gone) for name, policy in PERSON_ACTIONS.items()
        },
    )


def particulars_view(identity: str, known: Particulars, hidden: Collection[str] = ()) -> ParticularsShown:
    nothing = asdict(NOTHING_KNOWN)
    seen = {name: nothing[name] if name in hidden else value for name, value in asdict(known).items()}
    return ParticularsShown(person=identity, hidden=list(hidden), **seen)
