"""Secrets in the answers of scripts (CWE-200): rows with a password in them, such a field by itself, a secret of the server.

Always holds: the answer is one that a route's handler, or a function inside it, sends as data; what is handed to a page shows no
more than the page prints. A row counts where it stands in the answer as a whole and no field of it is taken away before. Through
functions of the project rows are followed to those that fetch them. Does not belong here: records of mappers, and pages.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import script_outline
from counterproof.analysis.control.exposure import is_about, is_sensitive
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.control.scripts import function_of, language_of, meant
from counterproof.analysis.control.secret_columns import secret_asked, secrets_kept
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.project import SCRIPTS, Project, Quotes
from counterproof.analysis.secrets.secret_names import secret_kind
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.severity import Confidence

_SENDING = frozenset({"json", "send", "jsonp", "end"})
_ANSWERS = frozenset({"res", "response", "resp", "reply", "NextResponse", "Response"})
_ROWS = frozenset({"rows", "recordset", "recordsets", "data"})
_SENT = frozenset({"req", "request", "body", "params", "query", "ctx"})
"""What holds what the caller sent himself."""
MAX_DEPTH = 4
MAX_CALLS = 2
"""Functions that rows are followed through."""
MAX_NODES = 20_000


def answered_secrets(project: Project, entries: tuple[EntryPoint, ...]) -> Iterator[Finding]:
    """Of each handler the first of each kind."""
    quotes = Quotes(project)
    seen: set[int] = set()
    for entry in (each for each in entries if each.kind is EntryKind.HTTP and language_of(project, each) is not None):
        function = function_of(project, entry)
        if function is None or id(function) in seen:
            continue
        seen.add(id(function))
        rows = _Rows(project, entry.handler.path, function)
        for why, line in _told(rows):
            yield finding(quotes, EXPOSED_FIELD, at(entry.handler.path, line), entry, why, entry.name, Confidence.MEDIUM)


def _told(rows: "_Rows") -> Iterator[tuple[str, int]]:
    kinds: set[str] = set()
    for call in rows.answers:
        for kind, why in _secrets(rows, call.arguments[0].value, MAX_DEPTH):
            if kind not in kinds:
                kinds.add(kind)
                yield why, call.line


class _Rows:
    """One function, and which of its variables hold rows with a secret column."""

    def __init__(self, project: Project, path: str, function: ir.Function, left: int = MAX_CALLS) -> None:
        self._project = project
        self._path = path
        self._function = function
        self._left = left
        self.nodes = [node for node, _ in zip(walk(*function.body), range(MAX_NODES), strict=False)]
        self.calls = [node for node in self.nodes if isinstance(node, ir.Call)]
        self.answers = [each for each in self.calls if each.arguments and _sends(each)]
        self.held: dict[str, str] = {}
        self._fill()

    def _fill(self) -> None:
        inner = {each.name: each for each in self.nodes if isinstance(each, ir.Function)}
        for call in self.calls:
            column = self.fetched(call)
            named = [last_name(each.value) for each in call.arguments]
            for function in (inner[each] for each in named if column and each in inner):
                self.held.update({each.name: column for each in function.parameters[1:2]})
        assigned = [node for node in self.nodes if isinstance(node, ir.Assign) and node.value is not None]
        cleared = {(last_name(each), line) for node in self.nodes if (found := _cleared(node)) for each, line in (found,)}
        for node in assigned:
            parts = isinstance(node.value, ir.Name) and (node.value.id, node.line) in cleared  # `{ password, ...rest } = user`
            if node.value is not None and not parts and (column := self.column(node.value)):
                self.held.update({each.id: column for each in node.targets if isinstance(each, ir.Name)})
        for name, line in cleared:
            if not line:
                self.held.pop(name, None)

    def column(self, expr: ir.Expr) -> str:
        """The secret column of the row, or rows, that an expression is as a whole; '' if it is none."""
        match expr:
            case ir.Await(value=value) | ir.Index(value=value, key=ir.Const(value=int())):
                return self.column(value)
            case ir.Attribute(value=value, name=name) if name in _ROWS:
                return self.column(value)
            case ir.Name(id=name):
                return self.held.get(name, "")
            case ir.Call():
                return self.fetched(expr)
            case _:
                return ""

    def fetched(self, call: ir.Call) -> str:
        """The secret column that a call, or the function of the project that it means, fetches."""
        outline = script_outline(self._project, self._path)
        text = statement_text(statement_parts(outline, self._function, call))
        if text:
            return secret_asked(text, lambda: _tables(self._project))
        there = meant(self._project, self._path, self._function, call) if self._left else []
        return next((found for path, each in there if (found := _returned(self._project, path, each, self._left - 1))), "")


def _returned(project: Project, path: str, function: ir.Function, left: int) -> str:
    """The secret column of the rows that a function of the project returns."""
    known = project.once("secret columns of rows that functions return", dict[tuple[str, int], str])
    key = (path, function.line)
    if key not in known:
        known[key] = ""  # while it is looked at: it may call itself
        rows = _Rows(project, path, function, left)
        given = (node.value for node in rows.nodes if isinstance(node, ir.Return) and node.value is not None)
        known[key] = next((found for each in given if (found := rows.column(each))), "")
    return known[key]


def _tables(project: Project) -> dict[str, str]:
    return project.once("secret columns of scripts", lambda: dict(_kept(project)))


def _kept(project: Project) -> Iterator[tuple[str, str]]:
    """What the statements of scripts, and files of statements, say of tables."""
    for file in project.survey.files:
        if file.language in SCRIPTS and not file.test:
            texts = (text_of(each) or "" for each in script_outline(project, file.path).texts)
            yield from (pair for text in texts for pair in secrets_kept(text))
        elif file.path.endswith(".sql"):
            yield from (pair for text in project.text(file.path).split(";") for pair in secrets_kept(text))


def _sends(call: ir.Call) -> bool:
    """`res.json(…)`, `res.status(200).send(…)`, `NextResponse.json(…)`."""
    holder: ir.Expr = call.callee
    if last_name(holder) not in _SENDING:
        return False
    for _ in range(MAX_DEPTH):
        if isinstance(holder, ir.Call):
            holder = holder.callee
        if not isinstance(holder, ir.Attribute):
            break
        holder = holder.value
    return isinstance(holder, ir.Name) and holder.id in _ANSWERS


def _cleared(node: ir.Node) -> tuple[ir.Expr, int] | None:
    """What loses its secret field: `delete user.password`, `user.password = undefined`, with line 0; and what one is taken out of
    under its own name, `const { password, ...rest } = user`, with the line."""
    if isinstance(node, ir.Unary) and node.operator == "delete":
        lost, line = node.operand, 0
    elif isinstance(node, ir.Assign) and isinstance(node.targets[0], ir.Attribute):
        lost, line = node.targets[0], 0
    elif isinstance(node, ir.Assign) and node.value is not None and last_name(node.targets[0]) == last_name(node.value):
        lost, line = node.value, node.line
    else:
        return None
    return (lost.value, line) if isinstance(lost, ir.Attribute) and is_sensitive(lost.name) else None


def _secrets(rows: _Rows, expr: ir.Expr, left: int) -> Iterator[tuple[str, str]]:
    """What an answer gives away, with its kind."""
    if column := rows.column(expr):
        yield "row", f"{column} of every row that is found is part of the answer."
    elif name := _setting(expr):
        yield "setting", f"{name}, a secret of the server, is part of the answer."
    elif isinstance(expr, ir.Mapping) and left:
        for key, value in expr.entries:
            name = text_of(key) if key is not None else ""
            if name and is_sensitive(name) and _is_field(value):
                yield "field", f"{name} of a stored object is part of the answer."
            yield from _secrets(rows, value, left - 1)
    elif isinstance(expr, ir.Sequence) and left:
        for each in expr.items:
            yield from _secrets(rows, each, left - 1)


def _setting(expr: ir.Expr) -> str:
    """`process.env.JWT_SECRET`, or a constant of such a name."""
    name = last_name(expr)
    if not name.isupper() or secret_kind(name) is None or is_about(name):
        return ""
    read = isinstance(expr, ir.Attribute) and last_name(expr.value) == "env"
    return name if read or isinstance(expr, ir.Name) else ""


def _is_field(value: ir.Expr) -> bool:
    """`user.password`: a field of something that is not the request."""
    if not isinstance(value, ir.Attribute) or not is_sensitive(value.name):
        return False
    holder: ir.Expr = value.value
    while isinstance(holder, ir.Attribute | ir.Index):
        holder = holder.value
    return isinstance(holder, ir.Name) and holder.id not in _SENT
