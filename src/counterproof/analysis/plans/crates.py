"""Doubts about packages of Rust and Go: code of a plan that takes from a crate or a module which no manifest names.

Always: only where the tree has a `Cargo.toml` or a `go.mod`, and no line of any of them, of the code and of the plan's own talk
of packages has the name. What a language brings along, and what a file, a folder or a block of the plan is called, is not asked.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import RUST, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.packages import is_added, undeclared

_USE = re.compile(r"(?m)^[ \t]*(?:pub[ \t]+)?(?:use|extern crate)[ \t]+(?:::)?(?P<name>[a-z][a-z0-9_]{1,60})(?=::|;|[ \t]+as\b)")
_GO_IMPORT = re.compile(r"(?m)^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?\"(?P<name>[\w-]+\.[\w.-]+/[^\"\n]{1,200})\"[ \t]*$")
_BROUGHT = frozenset(["std", "core", "alloc", "crate", "self", "super", "proc_macro", "test"])
_FETCHES = re.compile(r"\bgo[ \t]+(?:mod[ \t]+tidy|get)\b")
"""Commands by which Go declares by itself what is imported."""
_MANIFESTS = {"rust": "Cargo.toml", "go": "go.mod"}


def missing_crates(case: Case) -> Iterator[Doubt]:
    """Crates and Go modules that blocks take from and nothing declares, those of one kind together."""
    for kind, name in _MANIFESTS.items():
        manifests = [path for path in case.ground.project.files if path.rpartition("/")[2] == name]
        text = "\n".join(case.ground.text(path) for path in manifests)
        blocks = (code for code in case.new_codes if _kind(code) == kind and not _is_apart(case, code, name))
        taken = (each for code in blocks for each in _taken(code, kind)) if manifests else ()
        missing: dict[str, int] = {}
        for package, line in taken:
            if package not in missing and not _is_known(case, kind, package, text):
                missing[package] = line
        if missing:
            fetched = kind == "go" and _FETCHES.search(case.text)
            evidence = Evidence.UNDECLARED_LOOSELY if fetched else Evidence.UNDECLARED
            yield undeclared(case, missing, min(manifests, key=len), evidence)


def _is_apart(case: Case, code: Code, manifest: str) -> bool:
    """Whether the plan makes a manifest in a folder around a block's file: what it declares there, a command may write."""
    folders = code.path.split("/")[:-1]
    return any(case.makes_file("/".join([*folders[: depth + 1], manifest])) for depth in range(len(folders)))


def _kind(code: Code) -> str:
    return "rust" if code.block.language in RUST else code.block.language


def _taken(code: Code, kind: str) -> Iterator[tuple[str, int]]:
    pattern = _USE if kind == "rust" else _GO_IMPORT
    for match in pattern.finditer(code.plain):
        if match["name"] not in _BROUGHT:
            yield match["name"], code.line_of(match.start("name"))


def _is_known(case: Case, kind: str, name: str, manifests: str) -> bool:
    """Whether a manifest, the code or the plan has the package, or it is the project's own."""
    if kind == "go":
        named = re.findall(r"[\w-]+\.[\w.-]+/[\w./-]+", manifests)
        return any(f"{name}/".startswith(f"{each}/") for each in named) or is_added(
            case, "/".join(name.split("/")[:3]), _GO_IMPORT
        )
    spelt = (name, name.replace("_", "-"))
    if any(re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", manifests) or case.ground.is_part(each) for each in spelt):
        return True
    declared = re.compile(rf"(?m)^[ \t]*(?:{'|'.join(map(re.escape, spelt))})[ \t]*=")
    if any(code.block.language == "toml" and declared.search(code.text) for code in case.codes):
        return True
    made = any(re.search(rf"\bmod[ \t]+{name}\b", code.text) for code in case.codes) or case.makes_file(f"{name}.rs")
    found = case.ground.occurrences(name)
    return made or found.known or any(is_added(case, each, _USE) for each in spelt)
