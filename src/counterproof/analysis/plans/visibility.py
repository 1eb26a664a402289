"""What a plain name can mean in a file: what the file takes it from, and which definitions of other files it sees.

Always: a name that a file takes from elsewhere is not the one of that name which another file defines. What stands inside of a
function, or serves its own file or folder alone, is not seen from outside. A block whose file is not known may see anything.
"""

import re
from functools import lru_cache

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.script_trees import script_of

_TAKING = re.compile(
    r"(?m)^[ \t]*(?:import\b(?P<imported>[^;'\"]{0,600}+)['\"]"
    r"|(?:const|let|var)[ \t]+(?P<required>[\w$]{1,80}|\{[^{}]{1,400}\})[ \t]*=[ \t]*(?:await[ \t]+)?(?:require|import)\("
    r"|(?:pub[ \t]+)?use[ \t]+(?!crate\b|self\b|super\b)(?P<used>[^;]{1,400}+);)"
)
"""Lines of scripts and of Rust that take names from elsewhere."""
_WORD = re.compile(r"[\w$]+")
_ROOTS = ("mod.rs", "lib.rs", "main.rs")


@lru_cache(maxsize=256)
def _taken(text: str) -> dict[str, str]:
    """The names that a text takes, those of Rust with the crate that they come from."""
    found = ((match, "".join(match.groups(""))) for match in _TAKING.finditer(text))
    return {word: each.partition(":")[0] if match["used"] else "" for match, each in found for word in _WORD.findall(each)}


def module_of(case: Case, code: Code, name: str) -> str | None:
    """The module that a text imports a name from, '' if it does not take it; None where it takes it in another way."""
    module = next((each.module for each in code.imports if each.name == name), "")
    crate = _taken(code.plain).get(name)
    ours = crate is None or any(crate and case.ground.is_part(each) for each in (crate, crate.replace("_", "-")))
    return module or ("" if ours else None)


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def is_seen(case: Case, name: str, place: tuple[str, int], user: str) -> bool:
    """Whether the code of a file can mean the definition at a place of another one; all of Go's folder is one."""
    path, number = place
    if not user or path == user:
        return True
    if path.endswith(".go"):
        return folder_of(path) == folder_of(user)
    line = case.ground.project.line(path, number)
    if line[:1].isspace():
        return False
    if path.endswith(".rs"):
        inside = folder_of(path) if path.rpartition("/")[2] in _ROOTS else path.removesuffix(".rs")
        return line.startswith("pub") or user.startswith(f"{inside}/")
    text = case.ground.text(path)
    script = script_of(text, path)
    closed = script is not None and script.is_module and not script.is_open and name not in script.exported
    return not closed or re.search(rf"\bexport[ \t]+default[ \t]+{re.escape(name)}\b", text) is not None
