"""Where forged requests would get through: applications without tokens and handlers that trust a session cookie."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good
from counterproof.analysis.config.places import Place
from counterproof.analysis.endpoints import entry_points_in
from counterproof.analysis.endpoints.verdict import asked_words
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.traits import anywhere, told, trait
from counterproof.analysis.program.traversal import calls_in, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Compare, Function, Index, Name, Sequence
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind, EntryPoint, Guard
from counterproof.model.severity import Confidence

_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_COOKIE_WORDS = vocabulary("session login logged current user cookie cookies g")
_HEADER_WORDS = vocabulary("bearer jwt authorization headers apikey")
_BARE = names("framework", "no-csrf-check")
"""Frameworks that check no token by themselves, and whose cookies other sites' forms carry along."""
_FORMS = "flask_wtf"
_PLAIN = vocabulary(
    "render_template render_template_string redirect url_for flash jsonify abort get str int len print make_response get_json "
    "format info debug join strip lower cursor connect close fetchone fetchall fetchmany append items keys values range "
    "enumerate sorted reversed list dict set tuple zip float bool hexdigest encode decode split replace now today strftime "
    "rollback"
)
"""Calls that change nothing."""
_SHOWING = ("render_template", "render_template_string", "jsonify", "str", "int", "len")
_VALIDATING = vocabulary("validate validated")
"""A form of Flask-WTF compares the token when it is validated, and only then."""
_EVERYWHERE = vocabulary("before middleware")
"""Words of decorators that make a function run before every handler."""
_PROTECTIONS = ("csrf", "xsrf", "seasurf")
MAX_DEPTH = 2
_SESSIONS = names("session", "store")
MAX_DECORATORS = 12
"""How many decorators around one handler are read."""


def _is_protected(codebase: Codebase) -> bool:
    """Whether every handler is protected: by an extension, a class of the project, or a function that runs before all of them."""
    if anywhere(codebase, _protects):
        return True
    imported = told(codebase, _imports_protection).items()
    return any(codebase.define(name, path) is None for path, names in imported for name in names)


@trait("imports about forged requests")
def _imports_protection(outline: Outline) -> list[str]:
    return [name for name in outline.module.imports.values() if _is_about(name)]


@trait("protects from forged requests")
def _protects(outline: Outline) -> bool:
    if any(_is_about(name) for name in outline.classes):
        return True
    hooked = [each for each in outline.module.functions if words_in(*each.decorators) & _EVERYWHERE]
    if any(_is_about(name) for each in hooked for name in (each.name, *names_in(*each.body))):
        return True
    installed = [site.node for site in outline.of(Call) if words_in(site.node.callee) & _EVERYWHERE]
    return any(_is_about(name) for each in installed for name in names_in(*each.arguments))


@trait("forms of Flask-WTF", "flask_wtf")
def _has_forms(outline: Outline) -> bool:
    return any(name.startswith(_FORMS) for name in outline.module.imports.values())


def _hands_form_on(outline: Outline, function: Function) -> bool:
    """Whether a handler validates a form, or leaves it to another function to do so."""
    if words_in(*function.body, *function.decorators) & _VALIDATING:
        return True
    calls = [node for node in walk(*function.body) if isinstance(node, Call)]
    given = [
        each.value for call in calls if outline.dotted(call.callee).rpartition(".")[2] not in _SHOWING for each in call.arguments
    ]
    return any(isinstance(each, Name) and "form" in words(each.id) for each in given)


@trait("functions about forged requests")
def _by_hand(outline: Outline) -> bool:
    """Whether a file has a check of its own that handlers call or wear."""
    return any(_is_about(name) for name in outline.functions)


def _is_about(name: str) -> bool:
    return "exempt" not in name and any(mark in name.lower() for mark in _PROTECTIONS)


def _checks_token(codebase: Codebase, outline: Outline, function: Function) -> bool:
    """Whether a handler wears a check, makes one, or calls a function of the project that makes one."""
    if any(_is_about(name) for name in names_in(*function.decorators, *function.body)):
        return True
    called = [codebase.meaning(outline, call.callee, function) for call in calls_in(*function.body)]
    inner = [each.node for each in called if each is not None and isinstance(each.node, Function)]
    return any(_is_about(name) for each in inner for name in names_in(*each.body))


def _compares_token(function: Function) -> bool:
    """`if session["csrf_token"] != form["csrf_token"]`: the handler's own check, wherever the token is kept."""
    for node in walk(*function.body):
        spoken = (*names_in(node), *(text_of(each) or "" for each in walk(node))) if isinstance(node, Compare) else ()
        if any(_is_about(name) for name in spoken):
            return True
    return False


def forgeable_handlers(project: Project, codebase: Codebase, outline: Outline) -> Iterator[Match]:
    """Handlers that change state for whoever the session cookie names."""
    found = [each for each in entry_points_in(project, outline.path) if _is_candidate(each)]
    if not found:
        return
    protected, by_hand = _is_protected(codebase), anywhere(codebase, _by_hand)
    seen: set[str] = set()
    for each in found:
        function = outline.functions.get(each.name)
        if function is None or each.name in seen:
            continue
        seen.add(each.name)
        site = Site(Name(function.line, function.line, function.name), function, None)
        by_form = anywhere(codebase, _has_forms) and _hands_form_on(outline, function)
        checked = protected or by_form or _compares_token(function) or (by_hand and _checks_token(codebase, outline, function))
        stranger = each.guard is Guard.ABSENT and not _acts_for_session(codebase, outline, function)
        trusts = not stranger and _trusts_cookie(codebase, outline, function, each)
        if checked or not trusts or not _does_something(codebase, outline, function):
            yield good(site, f"handler {each.name}", "protected, or not known by a cookie")
        else:
            verdict = "changes state for whoever the session cookie names, without a token"
            yield bad(site, f"handler {each.name}", verdict, Confidence.MEDIUM)


def _acts_for_session(codebase: Codebase, outline: Outline, function: Function) -> bool:
    """Whether a handler, or a helper that it calls, reads who is logged in from the session, and nobody is logged in there.

    `if "user" in session:` deep inside a handler is no guard of the whole of it, and what it does then is still done for
    whoever the cookie names.
    """
    called = [codebase.meaning(outline, call.callee, function) for call in calls_in(*function.body)]
    inner = [each for each in called if each is not None and isinstance(each.node, Function) and each.node is not function]
    bodies = [(outline, function), *((each.outline, each.node) for each in inner if isinstance(each.node, Function))]
    if any(_logs_in(place, body) for place, body in bodies):
        return False
    return any(_reads_entry(place, body) for place, body in bodies)


def _reads_entry(outline: Outline, function: Function) -> bool:
    return any(isinstance(node, Index) and outline.dotted(node.value) in _SESSIONS for node in walk(*function.body))


def _logs_in(outline: Outline, function: Function) -> bool:
    """`session["user"] = …`: a login, or what a form of many pages keeps."""
    for node in walk(*function.body):
        for target in node.targets if isinstance(node, Assign) else ():
            if isinstance(target, Index) and outline.dotted(target.value) in _SESSIONS:
                return True
    return False


def _does_something(codebase: Codebase, outline: Outline, function: Function, depth: int = 0) -> bool:
    """Whether a handler does more than show a page: it keeps something, or calls anything that may change state."""
    for node in walk(*function.body):
        if isinstance(node, Assign) and depth == 0 and any(isinstance(each, Index | Attribute) for each in node.targets):
            return True
        if isinstance(node, Call) and _may_change(codebase, outline, function, node, depth):
            return True
    return False


def _may_change(codebase: Codebase, outline: Outline, function: Function, call: Call, depth: int) -> bool:
    """What a call does is known of functions of the project, of statements that only ask, and of those in the list."""
    name = call.callee.name if isinstance(call.callee, Attribute) else outline.dotted(call.callee).rpartition(".")[2]
    if name in _PLAIN:
        return False
    if name.startswith("execute"):
        return not statement_text(statement_parts(outline, function, call)).startswith("select ")
    found = codebase.meaning(outline, call.callee, function) if depth < MAX_DEPTH and isinstance(call.callee, Name) else None
    if found is not None and isinstance(found.node, Function) and found.node is not function:
        return _does_something(codebase, found.outline, found.node, depth + 1)
    return True


def _is_candidate(each: EntryPoint) -> bool:
    changing = any(method in each.method.split(",") for method in _CHANGING)
    return each.kind is EntryKind.HTTP and each.framework in _BARE and changing and each.guard is not Guard.UNKNOWN


def _trusts_cookie(codebase: Codebase, outline: Outline, function: Function, each: EntryPoint) -> bool:
    """Known by a session, not by a header; and the body is a form, which another site can send."""
    body = words_in(*function.body) - (frozenset() if _reads_session(outline, function) else {"session"})
    decorators = words_in(*function.decorators)
    if (body | decorators) & _HEADER_WORDS and not body & {"session"}:
        return False
    guards = _worn(codebase, outline, function)
    if guards & _HEADER_WORDS and not (guards | body) & {"session", "cookie", "cookies"}:
        return False
    sends_json = "json" in body and not body & {"form", "forms", "post"}
    evidence = asked_words(each.guarded_by)
    known = each.guard is Guard.ABSENT or bool((body | decorators | evidence) & _COOKIE_WORDS)  # the session itself was read
    return known and not sends_json


def _reads_session(outline: Outline, function: Function) -> bool:
    """The framework's session, which a cookie names; `db.session` is one of the database."""
    spoken = (node for node in walk(*function.body) if isinstance(node, Name | Attribute))
    return any(outline.dotted(each) in _SESSIONS for each in spoken)


def _worn(codebase: Codebase, outline: Outline, function: Function) -> frozenset[str]:
    """Words of the project's own decorators around a function, and of those that stand inside them."""
    found: frozenset[str] = frozenset()
    waiting = [(outline, function)]
    for _ in range(MAX_DECORATORS):
        if not waiting:
            break
        where, worn = waiting.pop()
        found |= words_in(*worn.body, *worn.decorators) if worn is not function else frozenset()
        inner = [node for node in walk(*worn.body) if isinstance(node, Function)] if worn is not function else []
        for decorator in (*worn.decorators, *(each for one in inner for each in one.decorators)):
            value = decorator.value
            meant = codebase.meaning(where, value.callee if isinstance(value, Call) else value)
            if meant is not None and isinstance(meant.node, Function):
                waiting.append((meant.outline, meant.node))
    return found


def makes_tornado(at: Place) -> bool:
    """`tornado.web.Application(…)`, also where a class derived from it hands its options on."""
    return not at.name.endswith("__init__") or at.name.startswith("tornado.") or _is_super_call(at.outline, at.site)


def lacks_xsrf_cookies(at: Place) -> bool:
    """Tornado checks tokens only where `xsrf_cookies` is set."""
    return at.value is None and not anywhere(at.codebase, _mentions_xsrf) and anywhere(at.codebase, _takes_posts)


def _is_super_call(outline: Outline, site: Site[Call]) -> bool:
    callee = site.node.callee
    is_super = isinstance(callee, Attribute) and callee.name == "__init__" and isinstance(callee.value, Call)
    bases = [outline.dotted(base) for base in site.owner.bases] if site.owner else []
    return is_super and "tornado.web.Application" in bases


@trait("mentions xsrf_cookies", "xsrf_cookies")
def _mentions_xsrf(outline: Outline) -> bool:
    return any("xsrf_cookies" in (text_of(node) or "") for node in walk(*outline.module.body))


@trait("takes posts with Tornado", "tornado")
def _takes_posts(outline: Outline) -> bool:
    return any(
        name.startswith("tornado.web.") and "post" in outline.methods(each)
        for each in outline.module.classes
        for name in (outline.dotted(base) for base in each.bases)
    )


@trait("middleware against forged requests")
def _token_middleware(outline: Outline) -> list[str]:
    names = (each.name for each in outline.module.functions)
    return [name for name in names if "middleware" in name and set(words(name)) & {"csrf", "xsrf"}]


def lacks_own_middleware(at: Place) -> bool:
    """A CSRF middleware that exists in the project and is missing from the list of an aiohttp application."""
    own = any(told(at.codebase, _token_middleware).values())
    return own and isinstance(at.value, Sequence) and not words_in(*at.value.items) & {"csrf", "xsrf"}
