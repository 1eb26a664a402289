"""The inputs of a run besides its target, as digests: noted at the start, compared on resume (F17).

The program is identified by its version; rules, prompts and documents by their content, so that an edited rule is noticed
within one version. Not handled here: the target's own digest, which the survey computes.
"""

import hashlib
import importlib
import importlib.util
from functools import cache

import counterproof
from counterproof.analysis.own_files import own_files
from counterproof.protocols.audit.dependence import Part

_RULE_FOLDERS = ("analysis/rules", "analysis/semgrep/pack")
_ROLES = "counterproof.agents.roles"

Basis = tuple[tuple[str, str], ...]


@cache
def present() -> Basis:
    """The parts as they are now, in a fixed order."""
    return (
        (Part.PROGRAM.value, counterproof.__version__),
        (Part.RULES.value, _files(*_RULE_FOLDERS)),
        (Part.PROMPTS.value, _prompts()),
        (Part.DOCUMENTS.value, _files("knowledge", ending=".md")),
    )


def changed(then: Basis) -> tuple[Part, ...]:
    """The inputs that differ from those at the start of the run. An input that the run did not note cannot be compared."""
    now = dict(present())
    return tuple(part for part in Part for name, noted in then if name == part.value and now.get(name) != noted)


def _files(*folders: str, ending: str = "") -> str:
    """One digest of names and contents, without compiled files."""
    total = hashlib.sha256()
    for path, data in own_files(*folders):
        if path.endswith(ending):
            total.update(f"{path}\n{len(data)}\n".encode())
            total.update(data)
    return total.hexdigest()


def _prompts() -> str:
    """The digest that the roles compute of their prompts; '' if the package has none."""
    if importlib.util.find_spec(_ROLES) is None:
        return ""
    digest = getattr(importlib.import_module(_ROLES), "digest", None)
    return str(digest()) if digest else ""
