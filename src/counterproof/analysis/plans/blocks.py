"""Python that a plan writes out in code blocks: what it imports from the project, and what it calls.

Always: blocks are parsed and never run; one that does not parse says nothing. What a block defines itself is not looked up.
"""

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator

from counterproof.analysis.plans.doubts import Case, Doubt, Kind
from counterproof.analysis.plans.layout import Line
from counterproof.model.plan.challenge import Weight
from counterproof.model.plan.outline import Mention, Named

MAX_BLOCK = 20_000
MAX_CALL = 150
MAX_THINGS = 300
IMPORT = "import"
_PYTHON = ("python", "py", "python3", "text")


def written_in(lines: tuple[Line, ...]) -> Iterator[tuple[int, str, str]]:
    """(line, dotted name, the call as written or `import`) of what the blocks of a plan import and call."""
    count = 0
    for first, text in _blocks(lines):
        tree = _parsed(text)
        if tree is None:
            continue
        for number, name, detail in sorted(_things(tree, text)):
            count += 1
            if count > MAX_THINGS:
                return
            yield first + number - 1, name, detail


def _blocks(lines: tuple[Line, ...]) -> Iterator[tuple[int, str]]:
    held: list[Line] = []
    for line in (*lines, Line(0, "")):
        if line.code in _PYTHON:
            held.append(line)
        elif held:
            yield held[0].number, "\n".join(each.text for each in held)
            held = []


def _parsed(text: str) -> ast.Module | None:
    if len(text) > MAX_BLOCK or "\0" in text:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _things(tree: ast.Module, text: str) -> Iterator[tuple[int, str, str]]:
    imported: dict[str, str] = {}
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                imported[each.asname or each.name] = f"{node.module}.{each.name}"
                yield node.lineno, f"{node.module}.{each.name}", IMPORT
    for node in nodes:
        if isinstance(node, ast.Call):
            name = _dotted(node.func)
            first, _, rest = name.partition(".")
            called = ast.get_source_segment(textwrap.dedent(text), node) or ""
            if name and first in imported and len(called) <= MAX_CALL and "\n" not in called:
                yield node.lineno, f"{imported[first]}.{rest}" if rest else imported[first], called


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = _dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def missing_imports(case: Case) -> Iterator[Doubt]:
    """Names that a block imports from a module of the project which does not have them."""
    for each in case.of(Mention.CODE):
        module, _, name = each.text.rpartition(".")
        if each.detail != IMPORT or name == "*" or case.creates(name) or case.creates(module):
            continue
        path = module_path(case, module)
        if path:
            text = case.ground.text(path)
            submodule = module_path(case, each.text)
            if not submodule and text and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)|import[ \t]+\*|__getattr__", text):
                yield _missing(case, each, f"`{path}` has no `{name}`", case.ground.nearest_name(name), path)
        elif _is_ours(case, module) and not case.creates(_as_path(module)):
            yield _missing(case, each, f"the project has no module `{module}`", "", "")


def module_path(case: Case, dotted: str) -> str:
    """The file of a module of the project; '' if there is none."""
    path = dotted.replace(".", "/")
    return case.ground.resolve(f"{path}.py") or case.ground.resolve(f"{path}/__init__.py")


def _as_path(dotted: str) -> str:
    return dotted.replace(".", "/") + ".py"


def _is_ours(case: Case, module: str) -> bool:
    """Whether the first part of a module is a package of the project, and the module would stand in it."""
    first, _, rest = module.partition(".")
    return bool(rest and case.ground.resolve(f"{first}/__init__.py"))


def _missing(case: Case, each: Named, why: str, near: str, path: str) -> Doubt:
    return Doubt(
        Kind.IMPORT,
        each.text,
        "",
        f"The import cannot work: {why}" + (f"; `{near}` comes closest" if near else ""),
        f"The code of line {each.line} raises ImportError",
        f"Import `{near}`, or say in which step the name is created" if near else "Say in which step it is created",
        Weight.SIGNIFICANT,
        lines=(each.line,),
        places=(f"{path}:1",) if path else (),
    )
