"""Files that a plan leaves alone, and what they take from a file that it changes.

Always: a file that the plan may name is not left alone, and a thing that more than one file defines belongs to nobody.
What the plan makes of the thing does not belong here.
"""

import ast
import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import OWN, SHELLS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.created_files import is_carried_out
from counterproof.analysis.plans.importing import Place
from counterproof.analysis.plans.layout import Block
from counterproof.analysis.plans.python_trees import parsed
from counterproof.model.plan.outline import Intent, Mention

MIN_NAME = 5
"""Letters from which on a name that one file alone defines is taken for that thing."""
MAX_READ = 40
"""Files that are read for one name."""
_GENERAL = frozenset(
    ["index", "__init__", "main", "mod", "lib", "page", "route", "layout", "types", "utils", "app", "test", "api"]
)
_STAYS = re.compile(
    r"\b(?:out of scope|untouched|left (?:alone|as|using)|no changes?)\b"
    r"|(?:\bnot|\bnever|n't) (?:be )?(?:touch|chang|modif|edit)\w{0,4}\b",
    re.IGNORECASE,
)
"""Words by which a line leaves a file as it is."""
_SCRIPTS = {
    "ts": "ts",
    "mts": "ts",
    "cts": "ts",
    "tsx": "tsx",
    "js": "js",
    "jsx": "jsx",
    "mjs": "js",
    "vue": "vue",
    "svelte": "svelte",
}
_LANGUAGES = {**_SCRIPTS, "py": "python", "go": "go", "rs": "rust"}


def rewritten(case: Case) -> dict[str, list[Code]]:
    """The blocks that say how files of the code are to be, by these files; none of a plan that was carried out, nor of a file
    that the plan takes for new."""
    found: dict[str, list[Code]] = {}
    new = {case.ground.resolve(each.text) for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm}
    for code in case.new_codes if not is_carried_out(case) else ():
        home = case.ground.resolve(code.path) if code.path and case.ground.count(code.path) == 1 else ""
        if home and home not in new and family(home) and code.block.language not in SHELLS:
            found.setdefault(home, []).append(code)
    return found


def is_left(case: Case, path: str) -> bool:
    """Whether no line of the plan names a file, nor its module in code marks, or each line that names it says that it stays."""
    name = path.rpartition("/")[2]
    stem = name.partition(".")[0]
    module = path.rpartition("/")[0].rpartition("/")[2] if stem in _GENERAL else stem
    named = path in case.touched or name in case.text or module in case.prose_words
    return not named or stays(case, path)


def stays(case: Case, path: str) -> bool:
    """Whether each line that names a file says that it stays as it is."""
    lines = case.lines_with(re.compile(re.escape(path.rpartition("/")[2])))
    return bool(lines) and all(_STAYS.search(line) for _, line in lines)


def read(case: Case, path: str) -> Code:
    """A file of the repository as a block of code."""
    text = case.ground.text(path)
    language = _LANGUAGES.get(path.rpartition(".")[2], "")
    return Code(Block(language, 1, text, ""), 0, path, parsed(text) if language == "python" else None)


def words_of(code: Code) -> frozenset[str]:
    """The words of a file that is code: of Python that parses, its names and texts of one word."""
    if code.tree is None:
        return frozenset(re.findall(r"[\w$]+", code.text))
    nodes = list(ast.walk(code.tree))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    imported = {each.name.rpartition(".")[2] for each in nodes if isinstance(each, ast.alias)}
    named = {
        value for node in nodes for field in ("id", "attr", "arg", "name") if isinstance(value := getattr(node, field, None), str)
    }
    return frozenset({text for text in texts if text.isidentifier()} | imported | named)


def family(path: str) -> str:
    """Languages of files that can take from each other."""
    ending = path.rpartition(".")[2]
    return "script" if ending in _SCRIPTS else _LANGUAGES.get(ending, "")


def is_only(case: Case, name: str, home: str) -> bool:
    """Whether one file alone defines a name, so that whoever uses it means that one."""
    found = case.ground.occurrences(name)
    return len(name) >= MIN_NAME and not found.full and {path for path, _ in found.definitions} <= {home}


def users(case: Case, name: str, home: str) -> Iterator[Code]:
    """The files that are left alone and hold a name, tests too, read as code."""
    found = case.ground.occurrences(name)
    paths = dict.fromkeys(path for path, _ in (*found.uses, *found.test_uses))
    same = [path for path in paths if path != home and family(path) == family(home) and is_left(case, path)]
    return (read(case, path) for path in same[:MAX_READ])


def takes(code: Code, name: str, home: str) -> bool:
    """Whether a file takes a name from its own project: by an import, or without one where the language needs none."""
    if family(home) == "go":
        return code.path.rpartition("/")[0] == home.rpartition("/")[0]
    if family(home) == "rust":
        return name in dict(code.taken)
    if code.tree is not None:
        folders = set(home.removesuffix(".py").split("/"))
        nodes = [node for node in ast.walk(code.tree) if isinstance(node, ast.ImportFrom)]
        return any(
            name in {each.name for each in node.names} and (node.level or set((node.module or "").split(".")) & folders)
            for node in nodes
        )
    return any(each.name == name and each.module.startswith(OWN) for each in code.imports)


def first_use(code: Code, pattern: str) -> Place | None:
    """Where a pattern is found first in a file, imports and comments aside."""
    found = re.search(pattern, code.plain)
    return (code.path, code.plain.count("\n", 0, found.start()) + 1) if found else None
