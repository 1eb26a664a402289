"""The requirement on the caller that the identifiers in a condition express, for Python and JavaScript.

Invariant: names about a form, a client program, a limit or a setting require nothing of the caller.
"""

from collections.abc import Iterable

from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.recon import Asks

_ROLE = vocabulary(
    "role roles permission permissions perm perms admin administrator staff staffed superuser superadmin moderator scope "
    "scopes group groups acl privilege privileges capability capabilities ability"
)
_NAMED = vocabulary("admin administrator staff superuser superadmin moderator")
"""Words that name a role themselves."""
_IDENTITY = vocabulary(
    "authn authed user username users userid session sessions authenticated login logged signed identity principal account "
    "anonymous viewer currentuser caller member auth authenticate"
)
_STORE = vocabulary("session sessions cookie cookies")
_TOKEN = vocabulary("token tokens apikey bearer jwt authorization signature hmac secret credential credentials digest")
_OWNER = vocabulary("owner owned owns author")
_SCOPE = vocabulary("scope")
_ADDRESS = vocabulary("addr ip ips host hostname hosts localhost loopback")
_OF_REQUEST = vocabulary("request req environ headers header meta client remote http forwarded ctx scope peer")
_FORM = vocabulary("csrf xsrf")
_ELSEWHERE = vocabulary("agent captcha limit limits limiter rate throttle maintenance nonce code state")
"""A name with one of these words is about a form, a client program or the server's load, not about the caller."""
_SETTINGS = vocabulary("config settings setting feature enabled disabled debug")


_PLUMBING = vocabulary("get request req g app self context ctx pop has ctx locals web secure signed self")
"""Name words of ways to reach a session; any other word names the session entry."""


def asked_of_names(names: Iterable[str]) -> Asks:
    """The strongest requirement that these identifiers express."""
    names = tuple(names)
    every = [frozenset((*words(name), name.lower())) for name in names]
    if any(each & _FORM for each in every):
        every = [each for each in every if not each & (_FORM | _TOKEN | _STORE | {"user"})]
    every = [each for each in every if not each & _ELSEWHERE]
    spoken = frozenset(word for each in every for word in each)
    looked_up = {word for name in names for word in words(name)} - _STORE - _PLUMBING
    if spoken & _SETTINGS and not spoken & (_OF_REQUEST | {"user", "session", "token"}):
        return Asks.NOTHING
    if spoken & _ROLE and not (spoken & _ROLE == _SCOPE and spoken & _ADDRESS):
        return Asks.ROLE
    if spoken & _OWNER:
        return Asks.OWNER
    if spoken & (_IDENTITY - _STORE) or (spoken & _STORE and not looked_up):
        return Asks.IDENTITY
    header_key = {"key", "secret"} & spoken and {"header", "headers"} & spoken
    if spoken & _TOKEN or header_key or any({"api", "key"} <= each for each in every):
        return Asks.TOKEN
    return Asks.ADDRESS if spoken & _ADDRESS and spoken & _OF_REQUEST else Asks.NOTHING


MAX_CLASS_WORDS = 2
"""`ProjectAdminService` is named after its function, not after a role."""


def role_named(names: Iterable[str]) -> str:
    """The roles in identifiers: "admin" of `is_admin`, "edit" of `role_edit()`; '' for a bare `role` and for other names, such as
    `permission_holder`."""
    found: list[str] = []
    for name in names:
        spoken = words(name)
        is_class = name[:1].isupper() and not name.isupper() and len(spoken) > MAX_CLASS_WORDS
        is_role = set(spoken) & _NAMED or {"role", "roles"}.intersection((*spoken[:1], *spoken[-1:]))
        if not is_class and is_role and (rest := [each for each in spoken if each not in _FILLING]):
            found.append("_".join(rest))
    return ", ".join(dict.fromkeys(found))


_FILLING = vocabulary("is has get current user role roles permission permissions perm perms check allowed required scopes groups")


def speaks_of_request(names: Iterable[str]) -> bool:
    return any(set(words(name)) & _OF_REQUEST for name in names)


_NO_CALLER = vocabulary(
    "path method endpoint url blueprint route time count size length version mode accept content type scheme secure testing "
    "requested with enabled startswith endswith lower strip in any all len int str bool not is none true false view args"
)


def is_about_something_else(names: Iterable[str]) -> bool:
    """Return True if every identifier is about the request's shape, a setting, the load or a client program."""
    names = tuple(names)
    spoken = {word for name in names for word in words(name)}
    if spoken & _SETTINGS and not spoken & _OF_REQUEST:
        return True
    known = _NO_CALLER | _ELSEWHERE | _FORM | _SETTINGS | _OF_REQUEST | _PLUMBING
    return all(frozenset(words(name)) & known for name in names)


def right_in(test: ir.Expr, names: tuple[str, ...]) -> str:
    """The role that a test names: a literal that it compares with or passes, or a flag of the caller."""
    parts = [each for each in walk(test) if isinstance(each, ir.Compare | ir.Call)]
    about = [each for each in parts if any(_ROLE.intersection(words(name)) for name in names_in(each))]
    texts = [text for node in walk(*about) if (text := text_of(node)) is not None and not _is_key(test, node)]
    if texts:
        return ", ".join(dict.fromkeys(texts))[:80]
    return role_named(names)


def _is_key(test: ir.Expr, text: ir.Node) -> bool:
    """`session["role"]`, `session.get("role")`: the text is the key of the role, not its value."""
    for node in walk(test):
        match node:
            case ir.Index(key=key):
                keys = [key]
            case ir.Mapping(entries=entries):
                keys = [key for key, _ in entries]
            case ir.Call(callee=callee, arguments=arguments) if last_name(callee) in ("get", "getattr"):
                keys = [each.value for each in arguments]
            case _:
                continue
        if any(key is text for key in keys):
            return True
    return False
