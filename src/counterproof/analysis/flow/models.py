"""What functions from outside the project do to data: pass it on, make it harmless, or return something else altogether.

Always holds: by its full name only what the languages, their standard libraries and widely used packages document; of others
whose code is not there to be read, those that check or clean by their name: `is_safe_path`, `validate_url`, `secure_filename`,
where both words are needed, what is done and what it is done to, except where one says both. A function that is neither passes
its arguments on with the flow marked as broken by an external library. `Markup` escapes whatever its own methods and operators
take in; only its constructor trusts what it is given, and that is a sink of its own. Does not belong here: sanitisers of a rule.
"""

import re
from functools import lru_cache

from counterproof.analysis.flow.constant_folding import TEXT_METHODS
from counterproof.analysis.flow.values import Value
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.words import vocabulary
from counterproof.model.survey import Language

HARMLESS = frozenset(names("propagator", "none-call"))
"""Results that no outsider can shape, whatever goes in."""

_HARMLESS_MODULES = names("propagator", "none")
"""Statements of an object-relational mapper count: what goes into them becomes a parameter, and raw text is a sink of its own."""

PASSING = frozenset(names("propagator", "whole"))
"""Results that carry whatever went in."""

_PASSING_MODULES = names("propagator", "module")

UNDOING = frozenset(names("propagator", "decoding"))
"""Calls that take an encoding off again, and with it whatever safety it gave."""

TOKEN_DECODERS = frozenset(names("token", "verify"))
"""Calls that check a signature before they hand on what was signed, unless they are told not to."""

NO_RETURN = frozenset(names("response", "abort"))
"""Calls that end the path they stand on."""

QUESTIONS = vocabulary("""
isdigit isalpha isalnum isdecimal isnumeric isidentifier islower isupper isspace istitle isascii startswith endswith find rfind
index rindex count exists is_file is_dir is_absolute is_relative_to stat has_key hexdigest digest __len__ __contains__ tell
get_absolute_url seek fileno isatty samefile bit_length is_integer issubset issuperset isdisjoint toordinal timestamp
route_path route_url current_route_path current_route_url resource_path resource_url as_sql sql_with_params
""")
"""Methods that answer about a value without handing it on."""

LOOKUPS = vocabulary("""
get filter filter_by exclude get_or_404 first_or_404 one_or_none first all one scalar scalars fetchone fetchall fetchmany execute
executemany executescript query find find_one search search_s search_ext_s aggregate count exists save delete update insert commit
add add_all remove write writelines send sendall log info debug warning error critical exception login logout authenticate verify
check check_password set_password validate authorize has_permission get_user create get_or_create update_or_create put post patch
head options request fetch emit publish notify flash set_cookie delete_cookie append_entry bind close flush publish enqueue delay
findOne findById findAll findByPk findUnique findUniqueOrThrow findFirst findFirstOrThrow findMany findOneBy findOneOrFail findBy
findAndCountAll findOneAndUpdate findOneAndDelete findByIdAndUpdate findByIdAndDelete findOrCreate countDocuments where andWhere
orWhere whereIn whereNot andWhereNot orderBy returning upsert deleteOne deleteMany updateOne updateMany insertMany createMany
""")
"""Methods of things outside the project whose result is chosen by what they look up, not by what they are asked."""

EVERYDAY = (
    LOOKUPS
    | QUESTIONS
    | TEXT_METHODS
    | vocabulary("""
append extend insert pop remove clear copy keys values items setdefault update sort reverse join split rsplit splitlines format
encode decode read readline readlines open close start stop set group groups match fullmatch sub findall acquire release
put_nowait cursor commit rollback connect render json text load loads dump dumps next send throw register
route __init__ __enter__ __exit__
""")
)
"""Method names so common that a call on something unknown says nothing about its class."""

CHECKED_BY_CALL = frozenset(names("sanitiser", "number"))
"""Calls that raise unless their argument has a harmless form, so that the argument itself is harmless afterwards."""


def is_harmless(path: str) -> bool:
    return path in HARMLESS or path.startswith(_HARMLESS_MODULES)


def is_passing(path: str) -> bool:
    return path in PASSING or path.startswith(_PASSING_MODULES)


def is_text_method(name: str) -> bool:
    return name in TEXT_METHODS or name in ("encode", "decode", "format", "join", "format_map", "translate")


ESCAPED = "markupsafe.escape"
"""What text has passed that was put into markup."""

_MARKUP = names("template", "markup")
_FILLING = vocabulary("format format_map join replace")


def is_markup(value: Value | None) -> bool:
    return value is not None and value.path.startswith(_MARKUP)


def fills_markup(receiver: Value | None, method: str) -> bool:
    """`Markup("<b>{}</b>").format(name)`."""
    return method in _FILLING and is_markup(receiver)


HARMLESS_IN_SCRIPTS = frozenset(names("propagator", "none-call", Language.JAVASCRIPT))
"""Results that no outsider can shape, whatever goes in."""

PASSING_IN_SCRIPTS = frozenset(names("propagator", "whole", Language.JAVASCRIPT))
"""Results that carry whatever went in."""

NORMALISING_IN_SCRIPTS = frozenset(names("code", "path-normalisation", Language.JAVASCRIPT))
"""Calls whose result has no `..` left to climb with, so that its beginning can be compared."""

WORD_QUESTIONS = frozenset(names("code", "word-check", Language.JAVASCRIPT))
"""Questions whose answer yes leaves letters, digits and a few harmless signs."""

COLLECTION = "mongodb.Collection()"
"""A collection of documents, whoever gave it."""


def made_by(path: str, method: str) -> str:
    """The name of what a call outside the project returns."""
    if method == "collection" and (not path or path.startswith(("mongo", "monk"))):
        return COLLECTION
    return f"{path}()" if path else ""


PATH, HOST = "prefix check", "host check"
_BOTH = frozenset({PATH, HOST})
_CONFINED = vocabulary("within inside subpath subdir contained")
_APPROVED = vocabulary("safe allowed permitted trusted whitelisted allowlisted")
_REFUSED = vocabulary("unsafe private internal forbidden blocked blacklisted disallowed malicious traversal ssrf")
_CHECKING = vocabulary("validate check verify ensure assert reject require")
_CLEANING = vocabulary("safe secure sanitize sanitise sanitized sanitised clean clear cleaned")
_PATHS = vocabulary("path paths file filename filepath name dir directory folder join destination dest traversal member")
_ADDRESSES = vocabulary("url urls uri redirect link next host hostname address ssrf target")
_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+")
"""`is_safe_path` and `isSafePath` say the same."""
_NOTHING: frozenset[str] = frozenset()


@lru_cache(maxsize=16_384)
def told(name: str, truth: bool) -> frozenset[str]:
    """What holds for the argument of a question of this name that was answered so."""
    spoken = _spoken(name)
    if truth and (spoken & _CONFINED or {"is", "in"} <= spoken or {"relative", "to"} <= spoken):
        return frozenset({PATH})
    return _BOTH if spoken & (_APPROVED if truth else _REFUSED) else _NOTHING


@lru_cache(maxsize=16_384)
def sounds_strict(name: str) -> bool:
    """Whether a function of this name may be one that raises unless all is well."""
    return bool(_spoken(name) & _CHECKING)


@lru_cache(maxsize=16_384)
def insisted(name: str) -> frozenset[str]:
    """What holds for the arguments after a call of this name that nobody asked for an answer."""
    spoken = _spoken(name)
    return _about(spoken) if spoken & _CHECKING else _NOTHING


@lru_cache(maxsize=16_384)
def cleaned(name: str) -> frozenset[str]:
    """What holds for the result of a call of this name."""
    spoken = _spoken(name)
    return _about(spoken) if spoken & _CLEANING else _NOTHING


def _about(spoken: frozenset[str]) -> frozenset[str]:
    return frozenset(label for label, subjects in ((PATH, _PATHS), (HOST, _ADDRESSES)) if spoken & subjects)


def _spoken(name: str) -> frozenset[str]:
    return frozenset(each.lower() for each in _WORD.findall(name[:200]))
