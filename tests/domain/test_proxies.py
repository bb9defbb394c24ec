"""Whose address a request comes from."""

from ipaddress import ip_network

import pytest

from shared.http.proxies import Proxies

PROXIES = Proxies(map(ip_network, ("10.0.0.2", "10.1.0.0/16", "fd00::/8")))


def caller(peer: str, *forwarded: str, proxies: Proxies = PROXIES) -> str:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return proxies.caller({"client": (peer, 1), "headers": headers})


def test_what_strangers_write_does_not_count() -> None:
    assert caller("198.51.100.1", "203.0.113.7") == "198.51.100.1"
    assert caller("127.0.0.1", "203.0.113.7") == "127.0.0.1"
    assert caller("10.0.0.2", "203.0.113.7", proxies=Proxies()) == "10.0.0.2"


def test_what_a_named_proxy_adds_counts_and_nothing_before_it() -> None:
    assert caller("10.0.0.2", "203.0.113.7") == "203.0.113.7"
    assert caller("10.0.0.2", "1.2.3.4, 203.0.113.7") == "203.0.113.7"
    assert caller("10.0.0.2", "1.2.3.4", "203.0.113.7") == "203.0.113.7"
    assert caller("10.0.0.2", "1.2.3.4, 203.0.113.7, 10.1.2.3") == "203.0.113.7"
    assert caller("10.0.0.2", "203.0.113.7:4711") == "203.0.113.7"


def test_where_a_proxy_says_nothing_usable_it_is_itself_the_caller() -> None:
    assert caller("10.0.0.2") == "10.0.0.2"
    assert caller("10.0.0.2", "nobody") == "10.0.0.2"
    assert caller("10.0.0.2", "203.0.113.7, unknown") == "10.0.0.2"
    assert caller("10.0.0.2", "nobody, 10.1.2.3") == "10.1.2.3"
    assert caller("10.0.0.2", ",".join(["10.1.2.3"] * 10_000)) == "10.1.2.3"
    assert caller("10.0.0.2", "9" * 60_000) == "10.0.0.2"


def prefix(peer: str, *said: str) -> str:
    return PROXIES.prefix({"client": (peer, 1), "headers": [(b"x-forwarded-prefix", one.encode()) for one in said]})


def test_below_what_a_path_is_only_a_named_proxy_says() -> None:
    assert prefix("10.0.0.2", "/registration") == "/registration"
    assert prefix("198.51.100.1", "/registration") == ""
    assert prefix("10.0.0.2") == ""
    for odd in ("//evil.example", "registration", "/a b", "/" + "x" * 100, "https://evil.example/", "/a/../b", "/a?b"):
        assert prefix("10.0.0.2", odd) == ""
    assert prefix("10.0.0.2", "/registration", "/other") == ""


@pytest.mark.parametrize("host", ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "[2001:db8:1:2::7]:4711"])
def test_one_home_is_one_caller(host: str) -> None:
    assert caller("10.0.0.2", host) == "2001:db8:1:2::/64"
    assert caller("fd00::1", host) == "2001:db8:1:2::/64"


def test_another_home_is_another_caller() -> None:
    assert caller("2001:db8:1:3::1") == "2001:db8:1:3::/64"


def test_an_address_is_the_same_in_both_families() -> None:
    assert caller("::ffff:198.51.100.1") == caller("198.51.100.1") == "198.51.100.1"
    assert caller("::ffff:10.0.0.2", "203.0.113.7") == "203.0.113.7"
