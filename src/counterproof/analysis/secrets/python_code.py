"""Where secrets stand in code, read from the lowered form: assignments, arguments, mappings, defaults, comparisons, seeds.

Yields candidates only; nothing is judged here. Formats that need no context are found in the text of every file, elsewhere.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.secrets.candidate import Candidate, Place
from counterproof.analysis.secrets.literals import is_text, literals_of, looked_up_key, name_of, without_conversion
from counterproof.analysis.secrets.secret_names import Kind, is_bare_key, names_accounts, secret_kind, words_of
from counterproof.analysis.secrets.signatures import Signatures
from counterproof.analysis.secrets.sql_seeds import password_holder, seeded_passwords
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, last_name, walk

_PASSWORD_CALLS = (
    "set_password", "generate_password_hash", "make_password", "hash_password", "hashpw", "get_password_hash",
    "create_password_hash",
)  # fmt: skip
_KEY_CALLS = {each.call: each.arguments[0] for each in sinks("key") if isinstance(each.arguments[0], int)}
"""Where each call takes its key."""
_CHECKS = ("verify", "check", "compare")
_SAMPLES = frozenset({"example", "examples", "openapi_examples", "sample"})
_BASIC_AUTH = names("token", "basic-credentials")

_TELLING = frozenset({ir.Assign, ir.Call, ir.Mapping, ir.Parameter, ir.Compare, ir.Const})
"""Kinds of node that can hold a secret; asking this first is faster than matching every node against every pattern."""


def _telling(body: Iterable[ir.Node], alone: set[int]) -> Iterator[ir.Node]:
    """Nodes to look at, without the texts that stand alone: they are documentation. `alone` gets what nothing uses."""
    for node in walk(*body):
        if isinstance(node, ir.ExprStatement):
            alone.add(id(node.value))
        elif type(node) in _TELLING and not (isinstance(node, ir.Const) and id(node) in alone):
            yield node


def _listing(kind: ir.Class) -> list[ir.Const]:
    """The values of a class that lists kinds of things: `SECRET = "Secret"` among others that repeat their names."""
    pairs = [
        (name_of(each.targets[0]), each.value)
        for each in kind.body
        if isinstance(each, ir.Assign) and len(each.targets) == 1 and isinstance(each.value, ir.Const)
    ]
    same = [value for name, value in pairs if _letters(text_of(value) or "") == _letters(name)]
    return same if len(same) >= 3 else []


def _is_marker(text: str) -> bool:
    """`user.password == "LDAP"`: a word in capitals that says where the password is kept."""
    return 2 <= len(text) <= 8 and text.isalpha() and text.isupper()


def _names_client(mapping: ir.Mapping) -> bool:
    """`{"client_id": …, "secret": …}`: what another service knows the program by."""
    return any(text_of(key) in ("client_id", "app_id", "consumer_key") for key, _ in mapping.entries)


def _told_twice(row: tuple[ir.Expr, ...]) -> bool:
    """`("bot@example.org", "night-watch", "Night Watch")`: a name for people beside the same one for machines."""
    return (
        len(row) > 2
        and bool(_letters(text_of(row[1]) or ""))
        and _letters(text_of(row[1]) or "") == _letters(text_of(row[2]) or "")
    )


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


class CodeReader:
    """Reads one module."""

    def __init__(self, module: ir.Module, signatures: Signatures) -> None:
        self.module = module
        self.signatures = signatures
        self._functions = sorted(module.functions, key=lambda each: (each.line, -each.end))
        self._listed = frozenset(id(each) for kind in module.classes for each in _listing(kind))
        self._tested = frozenset(
            line
            for kind in module.classes
            if words_of(kind.name)[:1] in (("test",), ("tests",), ("testing",))
            for line in range(kind.line, kind.end + 1)
        ) | {each.line for each in walk(*module.body) if isinstance(each, ir.Assert)}
        """Lines of classes that hold the settings of tests, and of what code holds against itself."""
        self._constants = {
            target.id: each.value
            for each in module.body
            if isinstance(each, ir.Assign) and isinstance(each.value, ir.Const)
            for target in each.targets
            if isinstance(target, ir.Name)
        }
        self._replaced = frozenset(
            line for kind in module.classes if _reads_environment(kind) for line in range(kind.line, kind.end + 1)
        )
        """Lines of classes whose fields the environment replaces."""
        self._alone: set[int] = set()
        self._tables: dict[int, int] = {}
        self._samples: set[int] = set()
        """Mappings that are told as examples, with what is in them."""

    def candidates(self) -> Iterator[Candidate]:
        for node in _telling(self.module.body, self._alone):
            if node.line in self._tested:
                continue
            match node:
                case ir.Assign(targets=targets, value=value) if value is not None and id(value) not in self._listed:
                    for target in targets:
                        yield from self._assigned(target, value)
                case ir.Call():
                    yield from self._call(node)
                case ir.Mapping():
                    yield from self._entries(node)
                case ir.Parameter(name=name, default=default) if default is not None:
                    yield from self._literal(name, default, Place.DEFAULT)
                case ir.Compare(operators=("==" | "!=",), operands=(left, right)):
                    yield from self._compared(left, right)
                    yield from self._compared(right, left)
                case ir.Const(value=str() as text) if len(text) < 20_000:
                    yield from self._seeded_by_sql(node, text)
                case _:
                    pass

    def _candidate(self, name: str, kind: Kind, value: ir.Const, place: Place, generic: bool = False) -> Iterator[Candidate]:
        text = value.value.decode("latin-1") if isinstance(value.value, bytes) else value.value
        if isinstance(text, str):
            yield Candidate(self.module.path, value.line, name, text, kind, place, self._function(value.line), generic=generic)

    def _function(self, line: int) -> str:
        inner = ""
        for function in self._functions:
            if function.line > line:
                break
            if line <= function.end:
                inner = function.qualified
        return inner

    def _literal(self, name: str, value: ir.Expr, place: Place) -> Iterator[Candidate]:
        kind = secret_kind(name) if name else None
        generic = kind is None and bool(name) and is_bare_key(name)
        if kind is None and not generic:
            return
        for literal, where in literals_of(self._written(value), self._place(name, value, place), self.module):
            if where is Place.ENTRY and _is_marker(text_of(literal) or ""):
                continue
            yield from self._candidate(name, kind or Kind.KEY, literal, where, generic)

    def _place(self, name: str, value: ir.Expr, place: Place) -> Place:
        """A field that the environment replaces, and what is called a default, is one."""
        default = value.line in self._replaced or "default" in words_of(name)
        return Place.DEFAULT if default and place in (Place.ASSIGNED, Place.ENTRY) else place

    def _written(self, value: ir.Expr) -> ir.Expr:
        """The literal that a constant of the module stands for, unless its own name tells that it is a secret."""
        if not isinstance(value, ir.Name) or secret_kind(value.id) is not None or is_bare_key(value.id):
            return value
        return self._constants.get(value.id, value)

    def _assigned(self, target: ir.Expr, value: ir.Expr) -> Iterator[Candidate]:
        if isinstance(target, ir.Sequence) and isinstance(value, ir.Sequence):
            for inner, part in zip(target.items, value.items, strict=False):
                yield from self._literal(name_of(inner), part, Place.ASSIGNED)
            return
        self._mark_table(value)
        name = name_of(target)
        handed = isinstance(target, ir.Attribute | ir.Index)
        yield from (replace(each, handed=handed) for each in self._literal(name, value, Place.ASSIGNED))
        if names_accounts(name):
            yield from self._seeded_by_collection(name, value)

    def _entries(self, mapping: ir.Mapping) -> Iterator[Candidate]:
        for key, value in mapping.entries:
            name = text_of(key) or ""
            if id(mapping) in self._samples or name.lower() in _SAMPLES:
                self._samples.update(id(each) for each in walk(value) if isinstance(each, ir.Mapping))
                continue
            repeated = (text_of(value) or "").lower() in (name.lower(), f"{name.lower()}s")
            if repeated and secret_kind(name) is not Kind.PASSWORD:
                continue  # one name stands for another: `{"free": "free", "secret": "secret"}`
            told = f"client_{name}" if name == "secret" and _names_client(mapping) else name
            for each in self._literal(told, value, Place.ENTRY):
                yield replace(each, table=self._tables.get(id(mapping), 0))

    def _mark_table(self, value: ir.Expr) -> None:
        """Remember the rows of `users = [{…}, {…}]` or `users = {"a": {…}, "b": {…}}`, so that they are told together."""
        rows = value.items if isinstance(value, ir.Sequence) else ()
        rows = tuple(each for _, each in value.entries) if isinstance(value, ir.Mapping) else rows
        found = [each for each in rows if isinstance(each, ir.Mapping)]
        if len(found) > 1:
            self._tables.update((id(each), value.line) for each in found)

    def _seeded_by_collection(self, name: str, value: ir.Expr) -> Iterator[Candidate]:
        pairs: list[ir.Expr] = []
        if isinstance(value, ir.Sequence):
            rows = [row.items for row in value.items if isinstance(row, ir.Sequence) and len(row.items) >= 2]
            pairs = [row[1] for row in rows if is_text(row[0]) and not _told_twice(row)]
        elif isinstance(value, ir.Mapping):
            pairs = [entry for key, entry in value.entries if is_text(key)]
        for password in pairs:
            if isinstance(password, ir.Const):
                yield from self._candidate(name, Kind.PASSWORD, password, Place.SEEDED)

    def _seeded_by_sql(self, node: ir.Const, text: str) -> Iterator[Candidate]:
        if "insert" not in text[:2_000].lower():
            return
        for offset, password in seeded_passwords(text):
            line = min(node.end, node.line + text.count("\n", 0, offset))
            yield Candidate(self.module.path, line, "INSERT", password, Kind.PASSWORD, Place.SEEDED, self._function(node.line))

    def _seeded_by_values(self, places: list[ir.Expr]) -> Iterator[Candidate]:
        """`execute("INSERT INTO users (name, password) VALUES (?, ?)", ("admin", "letmein"))`."""
        given = places[1].items if len(places) > 1 and isinstance(places[1], ir.Sequence) else ()
        text = text_of(places[0]) if given else None
        position = password_holder(text) if text and "insert" in text[:200].lower() else None
        value = given[position] if position is not None and position < len(given) else None
        if isinstance(value, ir.Const):
            yield from self._candidate("INSERT", Kind.PASSWORD, value, Place.SEEDED)

    def _compared(self, subject: ir.Expr, literal: ir.Expr) -> Iterator[Candidate]:
        if not isinstance(literal, ir.Const) or isinstance(subject, ir.Const):
            return
        name = name_of(subject) or looked_up_key(subject)
        kind = secret_kind(name) if name else None
        if kind and not _is_marker(text_of(literal) or ""):
            yield from self._candidate(name, kind, literal, Place.COMPARED)

    def _call(self, call: ir.Call) -> Iterator[Candidate]:
        for each in call.arguments:
            if each.keyword:
                yield from self._literal(each.keyword, each.value, Place.PASSED)
            if each.keyword == "auth":
                yield from self._pair(each.value)
        callee = dotted(call.callee, self.module) or ""
        last = call.callee.name if isinstance(call.callee, ir.Attribute) else callee.rpartition(".")[2]
        places = [each.value for each in call.arguments if not each.keyword and not each.spread]
        wasted = id(call) in self._alone and (last in _PASSWORD_CALLS or last.startswith(_CHECKS)) and last != "set_password"
        if not places or wasted:  # hashed for the time it takes; nothing gets this password
            return
        yield from self._named(call, callee, last, places)
        yield from self._seeded_by_values(places)
        if last in _PASSWORD_CALLS or (callee.startswith("passlib.") and last in ("hash", "encrypt")):
            yield from self._positional(last, Kind.PASSWORD, places[-1 if last == "set_password" else 0], Place.SEEDED)
        elif callee in _KEY_CALLS and len(places) > _KEY_CALLS[callee]:
            yield from self._positional(last, Kind.KEY, places[_KEY_CALLS[callee]])
        elif callee in _BASIC_AUTH and len(places) > 1:
            yield from self._positional(last, Kind.PASSWORD, places[1])
        elif last in self.signatures.parameters and self._is_own(call.callee):
            yield from self._by_signature(self.signatures.parameters[last], places)

    def _named(self, call: ir.Call, callee: str, last: str, places: list[ir.Expr]) -> Iterator[Candidate]:
        """Calls that say in a text what their value is called: `setattr(options, "api_key", …)`, `--password` of a program."""
        if last in ("setdefault", "setattr") and len(places) > 1:
            yield from self._literal(text_of(places[-2]) or "", places[-1], Place.ASSIGNED)
        elif last == "add_argument" or callee == "click.option":
            yield from self._option(call, places)

    def _positional(self, name: str, kind: Kind, value: ir.Expr, place: Place = Place.PASSED) -> Iterator[Candidate]:
        literal = without_conversion(value)
        if isinstance(literal, ir.Const):
            yield from self._candidate(f"{name}()", kind, literal, place)

    def _is_own(self, callee: ir.Expr) -> bool:
        """Whether the call can reach a function of the project, and is not `codecs.open` or a builtin of the same name."""
        root = callee
        while isinstance(root, ir.Attribute):
            root = root.value
        if not isinstance(root, ir.Name):
            return True
        if root.id in self.module.imports:
            return self.module.imports[root.id].partition(".")[0] in self.signatures.packages
        return root is not callee or any(each.name == root.id for each in self.module.functions)

    def _by_signature(self, parameters: tuple[str, ...], places: list[ir.Expr]) -> Iterator[Candidate]:
        for name, value in zip(parameters, places, strict=False):
            if secret_kind(name) is Kind.PASSWORD and isinstance(value, ir.Const):
                yield from self._candidate(name, Kind.PASSWORD, value, Place.SEEDED)

    def _option(self, call: ir.Call, places: list[ir.Expr]) -> Iterator[Candidate]:
        names = [text.lstrip("-") for text in map(text_of, places) if text]
        default = next((each.value for each in call.arguments if each.keyword == "default"), None)
        if default is not None and names:
            yield from self._literal(names[-1], default, Place.DEFAULT)

    def _pair(self, value: ir.Expr) -> Iterator[Candidate]:
        if isinstance(value, ir.Sequence) and len(value.items) == 2 and isinstance(value.items[1], ir.Const):
            yield from self._candidate("auth", Kind.PASSWORD, value.items[1], Place.PASSED)


def _reads_environment(kind: ir.Class) -> bool:
    """`class Settings(BaseSettings)`: its fields are read from the environment, and what stands in the code is the default."""
    return any((last_name(each) or "").endswith("BaseSettings") for each in kind.bases)
