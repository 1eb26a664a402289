"""How to start a target: the interpreter, the modules that may contain its application, its functions.

Invariant: nothing of the target is executed here; files are read as text, and only the user's own interpreter is queried about
itself. Not handled here: the running target.
"""

import ast
import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from counterproof.analysis.confinement.program import find_program
from counterproof.demonstration.actions import INPUT, Call
from counterproof.demonstration.sandbox.running import NoSandbox
from counterproof.model.survey import Language, Survey

MAX_CANDIDATES: Final = 8
_ASK = "import json,sys;print(json.dumps([sys.executable,sys.prefix,sys.base_prefix,*sys.path]))"
_APPLICATION = re.compile(
    r"\b(?:Flask|FastAPI|Starlette|Quart|Bottle|Sanic|FlaskApp|AsyncApp)\s*\(|\bconnexion\.\w*App\("
    r"|\bdef (?:create|make|get|build)_app\("
)
_SERVES = re.compile(r"\.run\(|serve_forever\(|run_app\(|uvicorn\.run|\bserve\(|\.listen\(|IOLoop|HTTPServer\(")
_MAIN = re.compile(r"^if\s+__name__\s*==\s*[\"']__main__[\"']", re.M)
_SETTINGS = re.compile(r"DJANGO_SETTINGS_MODULE[\"']\s*[,\]]\s*=?\s*[\"']([\w.]+)[\"']")
_MAKES = re.compile(
    r"^(?:async )?def (?:db_?init|init_?db|init_?database|create_?(?:schema|tables?|db)|set_?up_?db)\w*\(\s*\)", re.M | re.I
)
_NOT_AN_APP = re.compile(r"(?:^|/)(?:tests?|docs?|examples?|migrations|node_modules)/|(?:^|/)test_\w+\.py$|conftest\.py$")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A program that runs a target, and the host folders that it reads."""

    program: Path
    readable: tuple[Path, ...]
    environment: tuple[tuple[str, str], ...] = ()


def python_for(root: Path, given: Path | None, fetched: Path | None = None) -> Interpreter:
    """The interpreter that the user named, or the one on PATH; fetched packages, and those of the target's virtual
    environment, are readable too."""
    program = _named(given) or find_program("python3", root) or find_program("python", root)
    if program is None:
        raise NoSandbox("no Python was found outside the target")
    try:
        asked = subprocess.run((str(program), "-I", "-c", _ASK), capture_output=True, text=True, timeout=60, check=False, cwd="/")
    except (OSError, subprocess.SubprocessError) as error:
        raise NoSandbox(f"{program} is not a working Python") from error
    if asked.returncode:
        raise NoSandbox(f"{program} is not a working Python")
    executable, *folders = json.loads(asked.stdout)
    own = tuple(each for each in (fetched,) if each and each.is_dir())
    own += tuple(each for each in sorted(root.glob("*/lib/python3*/site-packages")) if (each.parents[2] / "pyvenv.cfg").is_file())
    readable = [Path(each) for each in folders if each and Path(each).exists()]
    readable += [Path(executable), Path(os.path.realpath(executable)).parent, *own]
    environment = [_path_with(Path(executable)), *((("PYTHONPATH", os.pathsep.join(map(str, own))),) if own else ())]
    return Interpreter(Path(executable), tuple(readable), tuple(environment))


def _named(given: Path | None) -> Path | None:
    """The program that the user named below the current folder; a virtual environment's link is not followed."""
    return given and Path(os.path.abspath(given))


def _path_with(program: Path) -> tuple[str, str]:
    """A PATH on which commands in the copy find the interpreter and its tools first."""
    return "PATH", f"{program.parent}:/usr/bin:/bin"


def node_for(root: Path, given: Path | None, fetched: Path | None = None) -> Interpreter:
    """Node, if it is installed, with fetched packages."""
    program = _named(given) or find_program("node", root)
    if program is None:
        raise NoSandbox("Node was not found; it is needed for JavaScript")
    own = (fetched,) if fetched and fetched.is_dir() else ()
    return Interpreter(program, (program, *own), (_path_with(program), *(("NODE_PATH", str(each)) for each in own)))


def module_of(root: Path, path: str) -> tuple[str, str]:
    """(folder below the target, dotted name) of a Python file, as its package is imported."""
    parts = path.removesuffix(".py").split("/")
    names = [parts.pop()]
    while parts and (root / "/".join(parts) / "__init__.py").is_file():
        names.insert(0, parts.pop())
    if parts[:1] == ["src"] and len(parts) == 1 and names == [parts[0]]:
        return "", names[0]
    return "/".join(parts), ".".join(names[:-1] if names[-1] == "__init__" and len(names) > 1 else names)


def candidates(root: Path, survey: Survey, near: str) -> list[dict[str, Any]]:
    """Possible locations of the application, most likely first: a start script, a module that creates an application, a Django
    project; those nearest to the finding's code come first."""
    found: list[tuple[tuple[int, int, int, str], dict[str, Any]]] = []
    for path, text in _python_files(root, survey):
        folder, name = module_of(root, path)
        shared = _shared(near, path)
        depth = path.count("/")
        if settings := _SETTINGS.search(text):
            below = path.rpartition("/")[0] if path.endswith("manage.py") else folder
            found.append(((-shared, 0, depth, path), {"how": "django", "name": settings[1], "folder": below}))
        elif _MAIN.search(text) and _SERVES.search(text):
            found.append(((-shared, 1, depth, path), {"how": "script", "name": path, "folder": path.rpartition("/")[0]}))
        if _APPLICATION.search(text):
            found.append(((-shared, 2, depth, path), {"how": "import", "name": name, "folder": folder}))
    unique = {json.dumps(each): each for _, each in sorted(found, key=lambda row: row[0])}
    return list(unique.values())[:MAX_CANDIDATES]


def _shared(one: str, other: str) -> int:
    """The number of common folders of two paths."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(one.count("/"), other.count("/")))


def makers(root: Path, survey: Survey) -> list[tuple[str, str]]:
    """Modules with functions that create tables, as (folder, dotted name)."""
    return [module_of(root, path) for path, text in _python_files(root, survey) if _MAKES.search(text)][:MAX_CANDIDATES]


def _python_files(root: Path, survey: Survey) -> Iterator[tuple[str, str]]:
    for file in survey.files:
        if file.language is Language.PYTHON and not _NOT_AN_APP.search(file.path):
            try:
                yield file.path, (root / file.path).read_text(encoding="utf-8", errors="replace")[:400_000]
            except OSError:
                continue


def calls_of(root: Path, path: str, line: int, parameter: str) -> tuple[Call, ...]:
    """Calls of the Python function at a line with the input as this parameter; empty if it cannot be called from outside."""
    try:
        tree = ast.parse((root / path).read_text(encoding="utf-8", errors="replace"))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ()
    found = _function(tree, line, parameter)
    if found is None:
        return ()
    above, function = found
    folder, module = module_of(root, path)
    make = _made(above)
    name = f"{above.name}.{function.name}" if above else function.name
    static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in function.decorator_list)
    return tuple(
        Call(f"{folder}:{module}", name, arguments, make)
        for arguments in _arguments(function, parameter, above is not None and not static)
    )


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _function(tree: ast.Module, line: int, parameter: str) -> tuple[ast.ClassDef | None, Function] | None:
    """The function whose parameters are at the line, with its class; functions inside another one are excluded."""
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for each in inner:
            if isinstance(each, Function) and each.lineno <= line <= (each.end_lineno or line):
                names = [one.arg for one in (*each.args.posonlyargs, *each.args.args, *each.args.kwonlyargs)]
                if parameter in names:
                    return (node if isinstance(node, ast.ClassDef) else None), each
    return None


def _made(above: ast.ClassDef | None) -> tuple[tuple[str, Any], ...]:
    """Harmless arguments for the class."""
    init = next((each for each in above.body if isinstance(each, Function) and each.name == "__init__"), None) if above else None
    if init is None:
        return ()
    needed = init.args.args[1 : len(init.args.args) - len(init.args.defaults)]
    return tuple((each.arg, _harmless(init, each)) for each in needed)


def _arguments(function: Function, parameter: str, method: bool) -> Iterator[tuple[Any, ...]]:
    """The input as its argument, and harmless values for every other argument that precedes it or has no default."""
    given = [*function.args.posonlyargs, *function.args.args][1 if method else 0 :]
    names = [each.arg for each in given]
    if parameter not in names:
        return
    needed = max(names.index(parameter) + 1, len(names) - len(function.args.defaults))
    for text in (INPUT, [INPUT], {"name": INPUT}):
        yield tuple(text if each.arg == parameter else _harmless(function, each) for each in given[:needed])


TEXT: Final = "/tmp"  # noqa: S108 (inside)
"""A harmless text, also where the name of an existing folder is needed."""
_ANNOTATED: Final[tuple[tuple[str, Any], ...]] = (
    ("Callable", {"$callable": ""}), ("[dD]ict|Mapping", {}), ("[lL]ist|Sequence|Iterable|set|tuple", []), ("int\\b|float", 1),
    ("bool", False), ("bytes", {"$bytes": ""}), ("", TEXT),
)  # fmt: skip


def _harmless(function: Function, argument: ast.arg) -> Any:
    """A harmless value that fits the argument's annotation, or its uses in the function: called, or read by key."""
    if argument.annotation:
        text = ast.unparse(argument.annotation)
        return next(value for form, value in _ANNOTATED if re.search(rf"\b(?:{form})", text))
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=argument.arg)):
                return {"$callable": ""}
            case (
                ast.Subscript(value=ast.Name(id=argument.arg), slice=ast.Constant(value=str()))
                | ast.Attribute(value=ast.Name(id=argument.arg), attr="get" | "items" | "keys" | "values")
            ):
                return {}
            case _:
                continue
    return TEXT
