"""Doubts about packages that a plan's words take to be there, and that neither a manifest nor any file of code names.

Always: only where the tree has a manifest. A name that a file, a folder, a line of code or the language has is not asked.
"""

import re
import sys
from collections.abc import Iterator

from counterproof.analysis.dependencies.requirement import normal_name
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.package_facts import NODE, TOOLS
from counterproof.analysis.plans.packages import MANIFESTS, is_added, is_declared, is_imported, undeclared
from counterproof.analysis.plans.relying import MANIFEST, relied_on


def missing_relied(case: Case) -> Iterator[Doubt]:
    """Packages that words take to be there, and that neither a manifest nor any file of code names."""
    missing: dict[str, int] = {}
    for number, line in enumerate(case.lines, 1):
        for name in relied_on(line) if number not in case.code_lines else ():
            if name not in missing and _is_nowhere(case, name):
                missing[name] = number
    if missing:
        yield undeclared(case, missing, _first_manifest(case), Evidence.UNDECLARED)


def _is_nowhere(case: Case, name: str) -> bool:
    """Whether no manifest, file, folder or line of code has a name, and no line of the plan brings it."""
    spelt = {name, name.replace("-", "_"), name.replace("_", "-"), name.rpartition("/")[2]}
    known = {normal_name(each) for each in spelt} & set(case.ground.dependencies) or spelt & (
        sys.stdlib_module_names | NODE | TOOLS
    )
    manifests = "\n".join(case.ground.text(path) for path in _all_manifests(case))
    return bool(manifests) and not (
        known
        or any(is_declared(case, name, kind) for kind in MANIFESTS)
        or any(re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", manifests, re.IGNORECASE) for each in spelt)
        or any(case.ground.is_part(each) or is_imported(case, each) or case.makes_file(each) for each in spelt)
        or case.ground.occurrences(name.rpartition("/")[2]).known
        or is_added(case, name)
    )


def _all_manifests(case: Case) -> list[str]:
    return sorted((path for path in case.ground.project.files if MANIFEST.search(path)), key=lambda path: (path.count("/"), path))


def _first_manifest(case: Case) -> str:
    return next(iter(_all_manifests(case)), "")
