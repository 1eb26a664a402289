"""What the functions and classes of Python code take and have: of the repository's modules, and of a plan's own blocks.

Always: a class is known only when all its bases are, up to those of the standard kinds (`object`, dataclasses, pydantic models,
named tuples); one whose body is shown in part, or that may answer to any name, is not known. Nothing is run.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

_TRANSPARENT = (
    *("staticmethod", "classmethod", "override", "cache", "lru_cache", "final", "abstractmethod"),
    *("contextmanager", "asynccontextmanager"),
)
_MODELS = ("BaseModel", "BaseSettings")
_PLAIN = ("object", "ABC", "Protocol", "Generic", "Exception", "ValueError", "RuntimeError", "NamedTuple", *_MODELS)
_OF_MODELS = frozenset(
    [
        *("copy", "construct", "dict", "json", "parse_obj", "parse_raw", "parse_file", "from_orm"),
        *("schema", "schema_json", "validate", "update_forward_refs"),
    ]
)
"""Members that every pydantic model has, beside those that begin with `model_`."""
_ODD_MODELS = {"alias", "validation_alias", "alias_generator", "root_validator", "populate_by_name"}
_ODD_FIELDS = {"ClassVar", "init", "KW_ONLY", "InitVar", "PrivateAttr"}
_OPEN = ("__getattr__", "__getattribute__", "__new__")


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function or a class takes. `most` is None where any number of positional arguments goes; `lax` classes pass over
    arguments that they do not know."""

    name: str
    place: str
    names: tuple[str, ...]
    required: tuple[str, ...]
    most: int | None
    any_keyword: bool
    lax: bool = False
    returns: str = ""
    """The class that it is declared to return, where that is one plain name."""


@dataclass(frozen=True, slots=True)
class ClassShape:
    """A class: what its objects have, what it takes to make one (None if that is not known), its methods."""

    name: str
    place: str
    members: frozenset[str]
    built: Signature | None
    methods: dict[str, Signature]
    closed: bool
    """Whether no other member can come from anywhere."""


Finder = Callable[[str], ClassShape | None]
"""Finds a base class by its name."""


def functions_in(tree: ast.Module, path: str, first: int) -> Iterator[Signature]:
    """The functions of a module, by what they take; decorated ones may take anything."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_plain(node.decorator_list):
            yield _of_function(node, f"{path}:{first + node.lineno - 1}", node.name, skip=0)


def classes_in(tree: ast.Module, path: str, first: int, find: Finder) -> Iterator[ClassShape]:
    """The classes of a module, in order; bases are looked for in the module itself, then by `find`."""
    known: dict[str, ClassShape] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            known[node.name] = _shape(node, path, first, lambda name: known.get(name) or find(name))
            yield known[node.name]


def _shape(node: ast.ClassDef, path: str, first: int, find: Finder) -> ClassShape:
    place = f"{path}:{first + node.lineno - 1}"
    names = [_last(each) for each in node.bases]
    bases = [find(name) for name in names if name not in _PLAIN]
    known = [each for each in bases if each]
    whole = len(known) == len(bases) and not _is_in_part(node) and not node.keywords
    defs = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
    members = {each.name for each in defs} | set(_assigned(node)) | set(_set_on_self(node))
    members |= {name for each in known for name in each.members} | (_OF_MODELS if set(names) & set(_MODELS) else set())
    methods = {name: one for each in known for name, one in each.methods.items()}
    methods |= {each.name: _method(each, f"{path}:{first + each.lineno - 1}") for each in defs if _is_plain(each.decorator_list)}
    for each in defs:
        if not _is_plain(each.decorator_list):
            methods.pop(each.name, None)
    closed = whole and all(each.closed for each in known) and not members & set(_OPEN)
    plain = set(names) <= {"object", "ABC", "Protocol", "Generic", "NamedTuple", *_MODELS} | {each.name for each in known}
    built = _built(node, place, defs, fields, known, set(names)) if not _is_in_part(node) else None
    return ClassShape(node.name, place, frozenset(members), built, methods, closed and plain and not _is_special(node))


def _built(
    node: ast.ClassDef,
    place: str,
    defs: list[ast.FunctionDef | ast.AsyncFunctionDef],
    fields: list[ast.AnnAssign],
    known: list[ClassShape],
    bases: set[str],
) -> Signature | None:
    """What it takes to make one: its own `__init__`, its fields, or what its one base takes."""
    own = next((each for each in defs if each.name == "__init__"), None)
    kinds = {_last(each.func if isinstance(each, ast.Call) else each) for each in node.decorator_list}
    if own:
        return _of_function(own, place, node.name, skip=1) if not kinds and _is_plain(own.decorator_list) else None
    above = known[0].built if len(known) == 1 and len(bases) == 1 else None
    fielded = "dataclass" in kinds or bool(bases & {*_MODELS, "NamedTuple"}) or (above is not None and above.lax)
    if not fielded:
        return replace(above, name=node.name) if above and not kinds else None
    if kinds - {"dataclass"} or (known and above is None) or any(_is_odd(each) for each in fields):
        return None
    lax = bool(bases & set(_MODELS)) or (above is not None and above.lax)
    if lax and _is_odd_model(node):
        return None
    own_names = [each.target.id for each in fields if isinstance(each.target, ast.Name)]
    needed = [each.target.id for each in fields if isinstance(each.target, ast.Name) and _is_required(each)]
    names = tuple(dict.fromkeys([*(above.names if above else ()), *own_names]))
    required = tuple(dict.fromkeys([*(each for each in (above.required if above else ()) if each not in own_names), *needed]))
    return Signature(node.name, place, names, required, 0 if lax else len(names), False, lax) if names else None


def _is_required(each: ast.AnnAssign) -> bool:
    if each.value is None:
        return True
    first = each.value.args[0] if isinstance(each.value, ast.Call) and each.value.args else None
    return isinstance(first, ast.Constant) and first.value is Ellipsis


def _is_odd(each: ast.AnnAssign) -> bool:
    """Whether a field is none that is given when an object is made, or only by its name."""
    return bool(_ODD_FIELDS & _words(each))


def _is_odd_model(node: ast.ClassDef) -> bool:
    """Whether a model may take what is no field of it: by another name, before it is checked, or whatever comes."""
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    told = {(_last(each.func), word.arg, getattr(word.value, "value", None)) for each in calls for word in each.keywords}
    early = "model_validator" in _words(node) and {value for name, _, value in told if name == "model_validator"} != {"after"}
    settings = [each for each in ast.walk(node) if isinstance(each, ast.Assign) and _last(each.targets[0]) == "extra"]
    extra = {value for _, word, value in told if word == "extra"} | {getattr(each.value, "value", None) for each in settings}
    return early or not extra <= {"forbid", "ignore"} or bool(_ODD_MODELS & _words(node))


def _words(node: ast.AST) -> set[str]:
    """The names, members and keywords that stand in a piece of code. It is walked, so that no depth of it can overflow."""
    inside = list(ast.walk(node))
    names = {each.id for each in inside if isinstance(each, ast.Name)} | {
        each.attr for each in inside if isinstance(each, ast.Attribute)
    }
    return names | {each.arg for each in inside if isinstance(each, ast.keyword) and each.arg}


def _is_special(node: ast.ClassDef) -> bool:
    """Whether decorators other than `dataclass` may add members."""
    return any(_last(each.func if isinstance(each, ast.Call) else each) != "dataclass" for each in node.decorator_list)


def _is_in_part(node: ast.ClassDef) -> bool:
    """Whether only a part of the class is shown: `...` in its body, beside other things."""
    dots = [each for each in node.body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
    return any(isinstance(each.value, ast.Constant) and each.value.value is Ellipsis for each in dots)


def _assigned(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        targets = each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AnnAssign) else []
        yield from (target.id for target in targets if isinstance(target, ast.Name))
        if isinstance(each, ast.ClassDef):
            yield each.name


def _set_on_self(node: ast.ClassDef) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and isinstance(each.value, ast.Name):
            yield each.attr


def _method(node: ast.FunctionDef | ast.AsyncFunctionDef, place: str) -> Signature:
    static = any(_last(each) == "staticmethod" for each in node.decorator_list)
    return _of_function(node, place, node.name, skip=0 if static else 1)


def _last(node: ast.expr) -> str:
    """The last part of a dotted name; of `Generic[T]` that of the generic one."""
    if isinstance(node, ast.Subscript):
        return _last(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_plain(decorators: list[ast.expr]) -> bool:
    return all(_last(each.func if isinstance(each, ast.Call) else each) in _TRANSPARENT for each in decorators)


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef, place: str, name: str, skip: int) -> Signature:
    given = node.args
    positional = [*given.posonlyargs, *given.args][skip:]
    optional = len(given.defaults)
    keyword = [each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is None]
    required = [each.arg for each in (positional[:-optional] if optional else positional)]
    names = tuple(each.arg for each in (*positional, *given.kwonlyargs))
    returns = node.returns.id if isinstance(node.returns, ast.Name) else ""
    most = None if given.vararg else len(positional)
    return Signature(name, place, names, (*required, *keyword), most, given.kwarg is not None, returns=returns)
