"""Who somebody is: a signed token says it. What they may do stands elsewhere, in grants."""

import re
from collections.abc import Callable
from typing import Any

import jwt

from shared.access import captain_tokens, scorer_links
from shared.access.captain_tokens import Captaincy
from shared.access.keys import ALGORITHM, Keyring
from shared.access.scorer_links import ScorerLink
from shared.cache import LruCache
from shared.clock import Now
from shared.values import Value

CALLER = "roundlog.caller"  # where the middleware that checks tokens leaves in a scope what it found

LEEWAY = 5.0  # seconds by which clocks may differ
REMEMBERED = 30.0  # seconds that a checked token is not checked again
MOST_REMEMBERED = 10_000
LONGEST_TOKEN = 4096
REQUIRED = ["exp", "iat", "iss", "aud", "sub"]
TIMES = ("exp", "iat", "nbf")
END_OF_TIME = 253_402_300_800  # the year 10000, in seconds since 1970

# An opaque id. It stands in the log for ever, so it cannot be an address or a name with spaces.
SUBJECT = r"^[A-Za-z0-9][A-Za-z0-9._:|-]{0,127}$"
SUBJECTS = re.compile(SUBJECT)


class Caller(Value):
    """Somebody who has shown a good token."""

    subject: str
    expires: float  # seconds since 1970 up to which the token is taken
    captain: Captaincy | None = None  # of whom registration says that they speak for an entrant; no official then
    link: ScorerLink | None = None  # with which somebody enters results of one tournament; nothing else then

    @property
    def is_account(self) -> bool:
        """Whether they have signed in as themselves, and not with what an official has handed out."""
        return self.captain is None and self.link is None


class Unauthenticated(Exception):
    """Nobody can tell who is asking. `error` is the word of RFC 6750, or none when there was no token at all."""

    def __init__(self, sentence: str, *, error: str | None = "invalid_token") -> None:
        super().__init__(sentence)
        self.error = error


class Tokens:
    """Checks tokens, and remembers for a moment those that were good.

    They come from the issuer, with its `keys`, or from registration, which has keys of its own for `captains` and links of
    scorers. Whether a captain was dismissed meanwhile, or a link revoked, is asked with each request, at the door.
    """

    def __init__(self, keys: Keyring, *, captains: Keyring, issuer: str, audience: str, now: Now) -> None:
        self._keys = keys
        self._captains = captains
        self._issuer = issuer
        self._audience = audience
        self._now = now
        self._good = LruCache[str, tuple[Caller, float]](MOST_REMEMBERED)

    async def caller(self, token: str) -> Caller:
        now = self._now().timestamp()
        if (known := self._good.get(token)) and now < known[1]:
            return known[0]
        caller = await self._check(token)
        self._good.put(token, (caller, min(now + REMEMBERED, caller.expires - LEEWAY)))
        return caller

    async def _check(self, token: str) -> Caller:
        if len(token) > LONGEST_TOKEN:
            raise Unauthenticated("The token is too long to be one: get a new one.")
        if claimed(token).get("iss") == captain_tokens.ISSUER:
            return handed_out(await self._claims(token, self._captains, captain_tokens.ISSUER))
        return official(await self._claims(token, self._keys, self._issuer))

    async def _claims(self, token: str, keys: Keyring, issuer: str) -> dict[str, Any]:
        key = await keys.key(claimed_key(token))
        if key is None:
            raise Unauthenticated("The token was signed with a key that its issuer does not have: get a new one.")
        return checked(
            lambda: jwt.decode(
                token,
                key,
                algorithms=[ALGORITHM],
                audience=self._audience,
                issuer=issuer,
                leeway=LEEWAY,
                options={"require": REQUIRED},
            )
        )


def official(claims: dict[str, Any]) -> Caller:
    """Somebody of whom only the issuer knows who they are."""
    subject = str(claims["sub"])
    if not SUBJECTS.fullmatch(subject):
        raise Unauthenticated("The subject of the token must be an opaque id, for it stands in the log for ever.")
    if subject.startswith((captain_tokens.PREFIX, scorer_links.PREFIX)):
        raise Unauthenticated("Only registration makes tokens of captains and links of scorers: get one there.")
    return Caller(subject=subject, expires=float(claims["exp"]) + LEEWAY)


def handed_out(claims: dict[str, Any]) -> Caller:
    return scorer(claims) if str(claims["sub"]).startswith(scorer_links.PREFIX) else captain(claims)


def scorer(claims: dict[str, Any]) -> Caller:
    claimed = scorer_links.claimed(claims)
    if claimed is None:
        raise Unauthenticated("The token names no tournament to enter results of: get a new link.")
    return Caller(subject=claimed.subject, expires=float(claims["exp"]) + LEEWAY, link=claimed)


def captain(claims: dict[str, Any]) -> Caller:
    claimed = captain_tokens.claimed(claims)
    if claimed is None:
        raise Unauthenticated("The token names no entrant to speak for: get a new one.")
    return Caller(subject=claimed.subject, expires=float(claims["exp"]) + LEEWAY, captain=claimed)


def claimed(token: str) -> dict[str, Any]:
    """What it says, whoever has signed it. Times are numbers that a clock can show, which the library takes for granted."""
    claims = checked(lambda: jwt.decode(token, options={"verify_signature": False}))
    if not all(is_time(claims[name]) for name in TIMES if name in claims):
        raise Unauthenticated("The times of the token are no seconds since 1970: get a new one.")
    return claims


def is_time(claim: object) -> bool:
    return isinstance(claim, int | float) and not isinstance(claim, bool) and 0 <= claim < END_OF_TIME


def claimed_key(token: str) -> str:
    header = checked(lambda: jwt.get_unverified_header(token))
    match header:
        case {"alg": alg, "kid": str(identity)} if alg == ALGORITHM:
            return identity
        case _:
            raise Unauthenticated(f"Tokens are signed with {ALGORITHM} and name their key in `kid`: get such a one.")


def checked(check: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return check()
    except jwt.ExpiredSignatureError as error:
        raise Unauthenticated("The token has expired: get a new one.") from error
    except jwt.ImmatureSignatureError as error:
        raise Unauthenticated("The token is not valid yet: wait, or look at the clocks.") from error
    except (jwt.InvalidAudienceError, jwt.InvalidIssuerError) as error:
        raise Unauthenticated(
            "The token was made by somebody else, or for something else: get one for this."
        ) from error
    except (jwt.PyJWTError, ValueError, RecursionError) as error:
        raise Unauthenticated("The token is damaged or not complete: get a new one.") from error


def bearer(authorization: bytes) -> str:
    """The token out of the header `Authorization`."""
    scheme, _, token = authorization.partition(b" ")
    if scheme.lower() != b"bearer" or not token.strip():
        raise Unauthenticated("Send the token as `Authorization: Bearer …`.", error="invalid_request")
    return token.strip().decode("latin-1")
