"""As whom somebody is known who signs in, and for which entries they speak."""

import pytest
from msgspec.structs import replace

from services.registration.domain import accounts, homes, person
from services.registration.domain.accounts import (
    ACCOUNT,
    AccountIsSomebody,
    HomeLinked,
    HomeUnlinked,
    LinkedAccount,
    LinkHome,
    LinkPerson,
    PersonLinked,
    PersonUnlinked,
    UnlinkHome,
    UnlinkPerson,
)
from services.registration.domain.homes import (
    HOMES,
    EntrustHome,
    Home,
    HomeEntrusted,
    Homes,
    HomeTakenBack,
    HomeUnknown,
    NobodySpeaks,
    TakeHomeBack,
)
from services.registration.domain.person import (
    PERSON,
    AccountGiven,
    AccountTaken,
    GiveAccount,
    HasAccount,
    Merged,
    MergeReason,
    NotVouched,
    PersonRegistered,
    Registered,
    RegisterPerson,
    TakeAccount,
    TakeOver,
    Unregistered,
)

ADA = LinkPerson(subject="s1", federation="f", person="ada")
REGISTERED = Registered(person="ada", federation="f")
SIGNED_UP = replace(REGISTERED, account="s1")
VOUCHED = replace(SIGNED_UP, is_vouched=True)


def after(*orders: accounts.Command) -> LinkedAccount:
    state = LinkedAccount()
    for order in orders:
        state = ACCOUNT.fold(ACCOUNT.decide(state, order), state)
    return state


def test_an_account_is_one_person_in_each_federation() -> None:
    assert ACCOUNT.decide(LinkedAccount(), ADA) == [PersonLinked(subject="s1", federation="f", person="ada")]
    assert ACCOUNT.decide(after(ADA), ADA) == []
    with pytest.raises(AccountIsSomebody):
        ACCOUNT.decide(after(ADA), replace(ADA, person="ben"))
    with pytest.raises(AccountIsSomebody):
        ACCOUNT.decide(after(ADA), replace(ADA, person="ben", instead_of="cyril"))
    assert after(ADA, replace(ADA, person="ben", instead_of="ada")).persons == {"f": "ben"}
    assert after(ADA, replace(ADA, federation="g", person="ben")).persons == {"f": "ada", "g": "ben"}


def test_an_account_is_nobody_any_more_once_it_is_taken_away() -> None:
    unlink = UnlinkPerson(subject="s1", federation="f", person="ada")
    assert ACCOUNT.decide(after(ADA), unlink) == [PersonUnlinked(subject="s1", federation="f", person="ada")]
    assert ACCOUNT.decide(after(ADA), replace(unlink, person="ben")) == []
    assert after(ADA, unlink).persons == {}


def test_an_account_speaks_for_several_schools() -> None:
    link = LinkHome(subject="s1", federation="f", home="h1")
    unlink = UnlinkHome(subject="s1", federation="f", home="h1")
    assert ACCOUNT.decide(LinkedAccount(), link) == [HomeLinked(subject="s1", federation="f", home="h1")]
    assert ACCOUNT.decide(after(link), link) == []
    assert after(link, replace(link, home="h2")).homes == {"h1": "f", "h2": "f"}
    assert ACCOUNT.decide(LinkedAccount(), unlink) == []
    assert ACCOUNT.decide(after(link), unlink) == [HomeUnlinked(subject="s1", federation="f", home="h1")]
    assert after(link, unlink).homes == {}


def test_who_registers_themselves_has_an_account_that_nobody_has_vouched_for() -> None:
    events = PERSON.decide(Unregistered(), RegisterPerson(person="ada", federation="f", account="s1"))
    given = AccountGiven(person="ada", subject="s1", vouched=False)
    assert events == [PersonRegistered(person="ada", federation="f"), given]
    assert PERSON.fold(events, Unregistered()) == SIGNED_UP


def test_an_official_vouches_for_one_account_of_a_person() -> None:
    vouched = AccountGiven(person="ada", subject="s1", vouched=True)
    for state in (REGISTERED, SIGNED_UP):
        assert PERSON.decide(state, GiveAccount(subject="s1")) == [vouched]
        assert PERSON.evolve(state, vouched) == VOUCHED
    assert PERSON.decide(VOUCHED, GiveAccount(subject="s1")) == []
    with pytest.raises(HasAccount):
        PERSON.decide(SIGNED_UP, GiveAccount(subject="s2"))
    assert PERSON.decide(REGISTERED, TakeAccount()) == []
    assert PERSON.decide(VOUCHED, TakeAccount()) == [AccountTaken(person="ada", subject="s1")]
    assert PERSON.evolve(VOUCHED, AccountTaken(person="ada", subject="s1")) == REGISTERED


def test_who_has_registered_themselves_takes_over_nobody() -> None:
    order = TakeOver(duplicate="other", reason=MergeReason.REGISTERED_TWICE)
    with pytest.raises(NotVouched):
        PERSON.decide(SIGNED_UP, order)
    assert PERSON.decide(VOUCHED, order)
    assert PERSON.decide(REGISTERED, order)
    merged = PERSON.evolve(VOUCHED, person.PersonMerged(person="ada", into="other"))
    assert isinstance(merged, Merged), "nobody signs in as them any more"


def test_schools_and_clubs_are_entrusted_and_nothing_else() -> None:
    known = {"h": Home(kind="school", name="H"), "r": Home(kind="region", name="R")}
    state = Homes(federation="f", known=known)
    entrust, take_back = EntrustHome(home="h", subject="s1"), TakeHomeBack(home="h", subject="s1")
    assert HOMES.decide(state, entrust) == [HomeEntrusted(home="h", federation="f", subject="s1")]
    entrusted = HOMES.fold(HOMES.decide(state, entrust), state)
    assert (entrusted.entrusted, entrusted.known) == ({"h": ("s1",)}, known)
    assert HOMES.decide(entrusted, entrust) == []
    assert HOMES.decide(state, take_back) == []
    assert HOMES.decide(entrusted, take_back) == [HomeTakenBack(home="h", federation="f", subject="s1")]
    assert HOMES.fold(HOMES.decide(entrusted, take_back), entrusted).entrusted == {"h": ()}
    with pytest.raises(NobodySpeaks):
        HOMES.decide(state, replace(entrust, home="r"))
    for order in (replace(entrust, home="x"), replace(take_back, home="x")):
        with pytest.raises(HomeUnknown):
            HOMES.decide(state, order)
    changed = HOMES.decide(entrusted, homes.ChangeHome(home="h", said=Home(kind="school", name="Other")))
    assert HOMES.fold(changed, entrusted).entrusted == {"h": ("s1",)}
