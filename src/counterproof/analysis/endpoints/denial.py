"""Checks inside functions: a test of the caller that ends the call if it fails.

`if "user" not in session: return redirect(…)` is such a check; so is a helper at the top that raises. A password test is not: it
is the login itself. Only checks on every path count, so checks inside another condition do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.endpoints.understanding import asked_by, asked_in_test
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import calls_in, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.location import at
from counterproof.model.recon import KNOWS_CALLER, Asks, Guard, GuardKind, WrittenGuard

MAX_DEPTH = 3
"""Nested helpers that are searched for a check."""

_IDENTITY = vocabulary(
    "session authenticated authorization authorized authorised authorize authorise authenticate auth bearer jwt login "
    "logged token cookie cookies permission permissions staff superuser principal identity apikey signature"
)
_PAIRS = (
    ("api", "key"),
    ("current", "user"),
    ("is", "admin"),
    ("g", "user"),
    ("request", "user"),
    ("user", "role"),
    ("has", "access"),
)
_ASKED = vocabulary("request req")
_CREDENTIALS = vocabulary("password passwd pwd passphrase")
_REFUSAL = vocabulary("unauthorized unauthorised forbidden denied unauthenticated notauthenticated authenticationfailed")
_OTHER_STATUS = (400, 404, 405, 406, 409, 410, 411, 413, 415, 422, 429, 500, 501, 502, 503)
_MISSING = vocabulary("anonymous invalid expired missing error fail failed denied unauthorized unauthenticated none")
_LOGIN = vocabulary("login signin auth authenticate sso")


def checks_in(
    codebase: Codebase, outline: Outline, function: ir.Function, depth: int = 0, raising: bool = False, wrapper: bool = False
) -> Verdict:
    """The check that every call of this function passes through.

    With `raising`, a rejection must leave the caller too. A `wrapper` runs around handlers, so a 401 or 403 in it is a guard
    whatever it tests; in a handler itself it may also be the response to a wrong password."""
    if depth > MAX_DEPTH:
        return OPEN
    reader = _Reader(codebase, outline, function, depth, raising, wrapper)
    return codebase.remembered(("checks", id(function), depth, raising, wrapper), lambda: reader.block(function.body))


IN_HANDLER = "check in the handler"
SAYS_NO = 2
"""The level of a rejection with 401 or 403, or one named as such."""
_PICKY = vocabulary("endpoint path subpath blueprint url url_rule exempt whitelist allowlist skip public")


def hook_verdict(codebase: Codebase, outline: Outline, hook: ir.Function) -> Verdict:
    """The verdict of code that runs before every handler, with the rights it requires."""
    verdict = _hook_verdict(codebase, outline, hook)
    if verdict.by is None:
        return verdict
    asked = asked_by(codebase, outline, hook)
    doubtful = verdict.guard is Guard.UNKNOWN
    written = WrittenGuard(at(outline.path, hook.line), "", asked.asks, asked.right, doubtful and asked.asks in KNOWS_CALLER)
    return replace(verdict, written=(written,)) if doubtful else verdict.understood(written)


def _hook_verdict(codebase: Codebase, outline: Outline, hook: ir.Function) -> Verdict:
    """The verdict of one hook: undecided for all paths if it lets some through."""
    verdict = checks_in(codebase, outline, hook, wrapper=True)
    ends = any(_ends(node) and not _passes_on(hook, node) for node in walk(*hook.body))
    if verdict.by is not None and verdict.by.kind is GuardKind.CHECK and not ends:
        verdict = OPEN  # it does something for known callers, and lets everyone pass
    tests = _tests(hook)
    if {"csrf", "xsrf"} & ({*words(hook.name)} | words_in(*tests)):
        return OPEN  # it checks where a form came from, not who sent it
    picky = bool(tests) and bool(words_in(*tests) & _PICKY)
    refuses = any(_refuses(node) for node in walk(*hook.body) if isinstance(node, ir.Raise | ir.Return | ir.ExprStatement))
    if picky and (refuses or verdict is not OPEN):
        return unknown(outline.path, hook.line, f"{hook.name} guards some paths", hook.name, partly=True)
    if verdict is OPEN and (refuses or (ends and is_identity(words_in(*_deciding(codebase, outline, hook))))):
        return unknown(outline.path, hook.line, f"{hook.name} can refuse callers", hook.name)
    return verdict


def _tests(hook: ir.Function) -> list[ir.Expr]:
    return [branch.test for node in walk(*hook.body) if isinstance(node, ir.If) for branch in node.branches]


def _deciding(codebase: Codebase, outline: Outline, hook: ir.Function, depth: int = 0) -> list[ir.Expr]:
    """The tests that a request ends by: those with an end below them; all of them if the hook ends what they let pass."""
    plain = [node for node in _outside_tests(hook.body) if _ends(node) and not _passes_on(hook, node)]
    call = plain[0].value if len(plain) == 1 and isinstance(plain[0], ir.Return) else None
    owner = outline.classes.get(hook.owner)
    if owner is not None and isinstance(call, ir.Call) and depth < MAX_DEPTH:
        own = codebase.method(Definition(outline, owner), last_name(call.callee))
        return _deciding(codebase, *own, depth + 1) if own is not None else _tests(hook)
    if plain:
        return _tests(hook)
    every = [node for node in walk(*hook.body) if isinstance(node, ir.If)]
    ending = [node for node in every if any(_ends(each) and not _passes_on(hook, each) for each in walk(node))]
    return [branch.test for node in ending for branch in node.branches]


def _outside_tests(body: tuple[ir.Statement, ...]) -> Iterator[ir.Statement]:
    for each in body:
        if isinstance(each, ir.Try | ir.With):
            yield from _outside_tests(each.body)
        elif not isinstance(each, ir.If | ir.Loop | ir.Function | ir.Class):
            yield each


def _ends(node: ir.Node) -> bool:
    """Return True if a statement keeps a request from its handler."""
    if isinstance(node, ir.Return):
        return node.value is not None and not (isinstance(node.value, ir.Const) and node.value.value is None)
    return isinstance(node, ir.Raise) or (isinstance(node, ir.ExprStatement) and _aborts(node))


_NEXT = ("get_response", "call_next", "handler", "app")


def _passes_on(hook: ir.Function, node: ir.Node) -> bool:
    """`return await call_next(request)`, or a variable that holds its result."""
    value = node.value if isinstance(node, ir.Return) else None
    made = [
        each.value
        for each in walk(*hook.body)
        if isinstance(each, ir.Assign) and isinstance(value, ir.Name) and _names(each, value.id)
    ]
    inner = [each.value if isinstance(each, ir.Await) else each for each in (made or [value])]
    return all(isinstance(each, ir.Call) and last_name(each.callee) in _NEXT for each in inner)


def _names(assign: ir.Assign, name: str) -> bool:
    return any(isinstance(target, ir.Name) and target.id == name for target in assign.targets)


def can_refuse(function: ir.Function) -> bool:
    """Return True if a function responds with 401 or 403 anywhere, under any condition."""
    return any(_refuses(node) for node in walk(*function.body) if isinstance(node, ir.Raise | ir.ExprStatement))


@dataclass(frozen=True, slots=True)
class _Reader:
    codebase: Codebase
    outline: Outline
    function: ir.Function
    depth: int
    raising: bool
    wrapper: bool

    def block(self, statements: tuple[ir.Statement, ...]) -> Verdict:
        found: list[Verdict] = []
        for index, statement in enumerate(statements):
            verdict = self.statement(statement, statements[index + 1 :])
            if verdict is not OPEN:
                found.append(verdict)
        return strongest(found)

    def statement(self, statement: ir.Statement, rest: tuple[ir.Statement, ...]) -> Verdict:
        match statement:
            case ir.If():
                return self.condition(statement, rest)
            case ir.With(body=body) | ir.Try(body=body):
                return self.block(body)
            case ir.Return(value=value):
                return strongest((self.helper(value), self.passed_on(value)))
            case ir.ExprStatement(value=value) | ir.Assign(value=value):
                return self.helper(value)
            case _:
                return OPEN

    def condition(self, statement: ir.If, rest: tuple[ir.Statement, ...]) -> Verdict:
        first = statement.branches[0]
        test_words = self.words_of(first.test)
        if test_words & _CREDENTIALS or "csrf" in test_words or "xsrf" in test_words:
            return OPEN
        if self.handed_on(first.test, first.body):
            return self.checked(first.test, passing=False)
        identity = is_identity(test_words)
        refused = self.refusal(first.body) if is_negative(first.test) else self.fallen_through(statement, rest)
        if (identity and refused) or (refused == SAYS_NO and (self.wrapper or test_words & _ASKED)):
            verdict = self.checked(first.test, passing=not is_negative(first.test))
            asks_nobody = all(each.asks is Asks.NOT_UNDERSTOOD for each in verdict.written)
            return OPEN if refused != SAYS_NO and asks_nobody else verdict
        return OPEN

    def checked(self, test: ir.Expr, passing: bool) -> Verdict:
        """The verdict of a test that ends the call."""
        asked = asked_in_test(self.codebase, self.outline, self.function, test, passing)
        verdict = present(self.outline.path, test.line, "", IN_HANDLER, GuardKind.CHECK)
        if asked.asks in (Asks.NOTHING, Asks.NOT_UNDERSTOOD):
            return verdict
        return verdict.understood(WrittenGuard(at(self.outline.path, test.line), "", asked.asks, asked.right, asked.partly))

    def handed_on(self, test: ir.Expr, body: tuple[ir.Statement, ...]) -> bool:
        """`refused = check_token(request)`, then `if refused: return refused`: the check's response is returned."""
        if isinstance(test, ir.Compare):
            nothing = isinstance(test.operands[-1], ir.Const) and test.operands[-1].value is None
            test = test.operands[0] if nothing and test.operators in (("is not",), ("!=",)) else test
        if not isinstance(test, ir.Name) or len(body) != 1 or not isinstance(body[0], ir.Return) or self.raising:
            return False
        assigned = self.outline.local(self.function, test.id)
        call = assigned.value if assigned else None
        call = call.value if isinstance(call, ir.Await) else call
        given = body[0].value
        if not isinstance(given, ir.Name) or given.id != test.id or not isinstance(call, ir.Call):
            return False
        name = frozenset(words(self.outline.dotted(call.callee).rpartition(".")[2]))
        return bool(name & _VERBS and name & _SUBJECTS and not name & _CREDENTIALS)

    def fallen_through(self, statement: ir.If, rest: tuple[ir.Statement, ...]) -> int:
        """The refusal level for a caller for whom `if user.is_authenticated:` is false."""
        after = rest[:1] if len(rest) == 1 and not statement.otherwise else statement.otherwise
        level = self.refusal(after)
        if level == 2 or not _is_login_test(statement.branches[0].test):
            return 2 if level == 2 else 0
        inside = statement.branches[0].body
        if len(inside) == 1 and isinstance(inside[0], ir.Return) and _turns_away(inside[0].value):
            return 0  # a page for users who are not logged in yet
        nothing = not after and not rest and len(statement.branches) == 1
        return 1 if nothing else level

    def words_of(self, test: ir.Expr) -> frozenset[str]:
        """The words of a test, of the imported names in it, and of the values assigned to its variables."""
        names = [node.id for node in walk(test) if isinstance(node, ir.Name)]
        assigned = [self.outline.local(self.function, name) for name in names]
        values = [each.value for each in assigned if each is not None and each.value is not None]
        names += [node.id for node in walk(*values) if isinstance(node, ir.Name)]
        imported = (self.outline.module.imports.get(name, "").rpartition(".")[2] for name in names)
        return words_in(test, *values) | {word for each in imported for word in words(each)}

    def refusal(self, body: tuple[ir.Statement, ...]) -> int:
        """0 if the block continues, 1 if it ends the call, 2 if it explicitly rejects the caller."""
        level = 0
        for statement in body:
            if isinstance(statement, ir.Raise | ir.Return | ir.ExprStatement) and _is_other_answer(statement):
                continue
            if isinstance(statement, ir.Raise):
                level = max(level, 2 if _refuses(statement) else 1)
            elif isinstance(statement, ir.Return):
                ends = 2 if _refuses(statement) else 1 if _turns_away(statement.value) else 0
                level = max(level, 0 if self.raising and not _aborts(statement) else ends)
            elif isinstance(statement, ir.ExprStatement):
                level = max(level, 2 if _refuses(statement) else 1 if _aborts(statement) else 0)
        return level

    def helper(self, value: ir.Expr | None) -> Verdict:
        call = value.value if isinstance(value, ir.Await) else value
        if not isinstance(call, ir.Call):
            return OPEN
        called = self.codebase.meaning(self.outline, call.callee, self.function)
        if called and isinstance(called.node, ir.Function):
            verdict = checks_in(self.codebase, called.outline, called.node, self.depth + 1, raising=True)
            if verdict.guard != "present":
                return OPEN
            asked = asked_by(self.codebase, called.outline, called.node, call)
            helper = present(self.outline.path, call.line, called.node.name, f"{called.node.name}()", GuardKind.HELPER)
            return helper.understood(WrittenGuard(at(self.outline.path, call.line), "", asked.asks, asked.right, asked.partly))
        return _foreign_helper(self.outline, call)

    def passed_on(self, value: ir.Expr | None) -> Verdict:
        """`return change(request, number)`, where `change` has a guarding decorator."""
        call = value.value if isinstance(value, ir.Await) else value
        called = self.codebase.meaning(self.outline, call.callee, self.function) if isinstance(call, ir.Call) else None
        for each in called.node.decorators if called and isinstance(called.node, ir.Function) and not self.raising else ():
            dotted = called.outline.dotted(each.value.callee if isinstance(each.value, ir.Call) else each.value) if called else ""
            if dotted.startswith(_GUARDING):
                return present(called.outline.path, each.line, dotted, f"@{dotted}") if called else OPEN
        return OPEN


_GUARDING = names("guard", "login")
_VERBS = vocabulary("require requires verify check ensure assert validate enforce authenticate authorize")
_SUBJECTS = vocabulary("login auth authenticated jwt token user permission permissions role access session admin identity")


def _foreign_helper(outline: Outline, call: ir.Call) -> Verdict:
    dotted = outline.dotted(call.callee)
    if dotted.endswith(("verify_jwt_in_request", "require_login", "login_required")):
        return present(outline.path, call.line, dotted, f"{dotted}()", GuardKind.HELPER)
    name = frozenset(words(dotted.rpartition(".")[2]))
    if name & _VERBS and name & _SUBJECTS and not name & _CREDENTIALS:
        return unknown(outline.path, call.line, f"{dotted or 'helper'}() could be a check", dotted)
    return OPEN


def _is_login_test(test: ir.Expr) -> bool:
    """`user.is_authenticated`, called or not: a login test and nothing else."""
    asked = test.callee if isinstance(test, ir.Call) and not test.arguments else test
    return isinstance(asked, ir.Attribute) and asked.name == "is_authenticated"


def is_identity(found: frozenset[str]) -> bool:
    """Return True if the words of a test refer to the caller's identity."""
    return bool(found & _IDENTITY) or any(first in found and second in found for first, second in _PAIRS)


def is_negative(test: ir.Expr) -> bool:
    """Return True if the test holds when the caller is *not* authenticated."""
    match test:
        case ir.Not(operand=operand):
            return not is_negative(operand)
        case ir.Compare(operators=operators, operands=operands):
            return _negative_comparison(operators, operands)
        case ir.Boolean(operands=operands):
            return any(is_negative(each) for each in operands)
        case ir.Name() | ir.Attribute() | ir.Call():
            return bool(words_in(test) & _MISSING)
        case _:
            return False


def _negative_comparison(operators: tuple[str, ...], operands: tuple[ir.Expr, ...]) -> bool:
    if any(operator in ("not in", "!=") for operator in operators):
        return True
    nothing = any(isinstance(each, ir.Const) and each.value in (None, False, "", 0) for each in operands)
    if nothing:
        return operators[0] in ("is", "==")
    return operators[0] == "in" and bool(set(words(text_of(operands[0]) or "")) & _MISSING)


def _refuses(statement: ir.Raise | ir.Return | ir.ExprStatement) -> bool:
    """Return True for a 401, a 403, or a name that means rejection."""
    if statement.value is None:
        return False
    for node in walk(statement.value):
        if isinstance(node, ir.Const) and node.value in (401, 403):
            return True
        if isinstance(node, ir.Name | ir.Attribute):
            spelled = node.id if isinstance(node, ir.Name) else node.name
            if set(words(spelled)) & _REFUSAL or spelled.lower() in _REFUSAL or spelled.endswith(("_401", "_403")):
                return True
    return any(_redirects_to_login(call) for call in calls_in(statement.value))


def _is_other_answer(statement: ir.Raise | ir.Return | ir.ExprStatement) -> bool:
    """Return True for a 400 or 404, which is about the request, not the caller."""
    if statement.value is None or _refuses(statement):
        return False
    return any(isinstance(node, ir.Const) and node.value in _OTHER_STATUS for node in walk(statement.value))


def _aborts(statement: ir.Return | ir.ExprStatement) -> bool:
    return statement.value is not None and any("abort" in words_in(call.callee) for call in calls_in(statement.value))


def _turns_away(value: ir.Expr | None) -> bool:
    """Return True if a return value rejects the request: a redirect, an error, or nothing."""
    if value is None or isinstance(value, ir.Const):
        return True
    found = words_in(value)
    texts = {word for node in walk(value) for word in words(text_of(node) or "")} if isinstance(value, ir.Call) else set[str]()
    return bool(found & {"redirect", "error", "abort", "fail", "problem"} or texts & _LOGIN or _is_redirect(value))


def _is_redirect(value: ir.Node) -> bool:
    """`redirect(…)`, and the responses of aiohttp, Falcon and Pyramid named after their status."""
    callee = value.callee if isinstance(value, ir.Call) else value
    name = last_name(callee)
    return name in ("HTTPFound", "HTTPSeeOther", "HTTPTemporaryRedirect") or "redirect" in words_in(callee)


def _redirects_to_login(call: ir.Call) -> bool:
    if not _is_redirect(call):
        return False
    return any(
        set(words(text_of(node) or "")) & _LOGIN for each in call.arguments for node in walk(each) if isinstance(node, ir.Const)
    )
