"""Names of secrets: `DB_PASSWORD`, `apiKey`, `client-secret`; and names that only mention one: `password_field`.

A name is split into words, in any style. The words decide, so `keyword`, `tokenizer` and `compass` do not match. Whether the
value behind a name is a secret is judged elsewhere.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
MAX_NAME = 100


class Kind(StrEnum):
    """The kind of secret; also the kind of the ledger's items."""

    PASSWORD = "password"  # noqa: S105 (the word itself)
    KEY = "key"
    TOKEN = "token"  # noqa: S105 (the word itself)


class Secret(NamedTuple):
    """A secret at `start` to `end` of the text."""

    start: int
    end: int
    kind: Kind


def _set_of(text: str) -> frozenset[str]:
    """A set of words. (Not `program.words.vocabulary`: an audit whose results are kept loads no syntax trees.)"""
    return frozenset(text.split())


_PASSWORD = frozenset(("password", "passwd", "passphrase", "passcode", "pwd", "passwords", "userpass", "userpassword", "userpwd"))
_PASSWORD_LAST = frozenset(("pass", "pw", "psw", "psk"))
_SECRET = frozenset(("secret", "secretkey", "apikey", "apisecret", "privatekey"))
_KEY_OWNERS = _set_of(
    "secret api private encryption encrypt signing sign signature access master auth hmac aes des rsa jwt crypto cipher "
    "fernet session cookie app service client consumer license symmetric shared account"
)
_TOKEN = frozenset(("token", "tokens", "bearer", "credential", "credentials", "pat"))

_ABOUT_LAST = _set_of(
    "field fields label labels name names url uri urls path paths file files filename dir directory prefix suffix header "
    "headers param params parameter placeholder hint message messages msg error errors err regex regexp pattern length len "
    "min max size count kind expiry expires expiration expire ttl timeout lifetime age type types id ids class cls "
    "algorithm alg algo format help text title description desc column col attr attribute input form widget policy "
    "validator validators reset hash hashes hashed hasher hashers digest encoding separator sep template view endpoint "
    "route env var variable storage backend location provider generator manager store strength score confirm confirmation "
    "changed required enabled disabled valid invalid version salt rules rule strategy scope scopes issuer audience usage "
    "index style icon link button page pages limit rotation date at re arn ref schema model serializer status state mode "
    "flag option options prompt tip info subject from source for authenticator charset chars characters alphabet protected "
    "startswith endswith stdin istartswith iendswith contains icontains isnull"
)
_ABOUT_FIRST = _set_of(
    "is has no not invalid wrong bad missing forgot forgotten reset show hide enable disable use require requires csrf xsrf "
    "public check verify validate get set err error msg label lost incorrect mismatch weak can should allow"
)
_ABOUT_ANYWHERE = _set_of(
    "csrf xsrf public pagination regex label placeholder error syntax header invalid wrong incorrect mismatch forgot forgotten"
)

_GIVEN = frozenset(("api", "apikey", "apisecret", "client", "consumer"))
_OWN = _set_of("jwt sign signing signature session encrypt encryption master private hmac fernet")

SIGNING = ("SECRET_KEY", "JWT_SECRET_KEY", "SECURITY_PASSWORD_SALT", "WTF_CSRF_SECRET_KEY")
"""Settings for the key with which frameworks sign sessions and tokens."""

_PEOPLE = frozenset(("users", "usernames", "accounts", "credentials", "logins", "creds", "userlist"))

_STORES = frozenset(("db", "cache", "redis", "dict", "storage", "config", "settings", "context", "metadata"))
"""Words before `key` that make it a lookup key, not a secret key."""


@lru_cache(maxsize=20_000)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case: `dbPassword2` is db, password, 2."""
    return tuple(word.lower() for word in _WORD.findall(name[:MAX_NAME]))


@lru_cache(maxsize=20_000)
def secret_kind(name: str) -> Kind | None:
    """The kind of secret in a variable, option or field of this name; None for other names."""
    words = words_of(name)
    while words and words[-1].isdigit():
        words = words[:-1]
    if not words or words[-1] in _ABOUT_LAST or words[0] in _ABOUT_FIRST or any(word in _ABOUT_ANYWHERE for word in words):
        return None
    if any(word in _PASSWORD or word.endswith("password") for word in words) or words[-1] in _PASSWORD_LAST:
        return Kind.PASSWORD
    if words[-1] in _TOKEN:
        return Kind.TOKEN
    if words[-1] == "key" and words[-2:-1] and words[-2] in _STORES:
        return None
    if any(word in _SECRET for word in words) or _is_key(words):
        return Kind.KEY
    return None


_FOREIGN = re.compile(
    r"(?:^|[\W_\d])(?:contrase[nñ]a|contrasenya|senha|clave|mot ?_?de ?_?passe|mdp|passwort|kennwort|wachtwoord|has[lł]o|parola|"
    r"lösenord|salasana|adgangskode|heslo|lozinka|geslo|jelszó|şifre|sifre|mật khẩu|пароль|密码|密碼|口令|"
    r"パスワード|비밀번호|รหัสผ่าน|كلمة المرور|סיסמה)s?\d?$",
    re.IGNORECASE,
)


def foreign_kind(name: str) -> Kind | None:
    """The kind of secret that a label or a non-English name means: `Mot de passe`, `db_senha`."""
    return Kind.PASSWORD if _FOREIGN.search(name[:MAX_NAME]) else None


def speaks_of_password(name: str) -> bool:
    """`reset-password`, `invalid_password`, `password_policy`: words about a password, without one."""
    words = words_of(name)
    return secret_kind(name) is None and len(words) > 1 and any(word in _PASSWORD for word in words)


def _is_key(words: tuple[str, ...]) -> bool:
    return len(words) > 1 and words[-1] in ("key", "keys") and any(word in _KEY_OWNERS for word in words[:-1])


def is_outside(name: str) -> bool:
    """`API_KEY`, `client_secret`, `consumer_key`: a credential that another service issued to identify this program."""
    words = words_of(name)
    return bool(_GIVEN & {*words}) and not _OWN & {*words}


def names_accounts(name: str) -> bool:
    """Return True if a collection of this name contains people who can log in."""
    return bool(words := words_of(name)) and words[-1] in _PEOPLE
