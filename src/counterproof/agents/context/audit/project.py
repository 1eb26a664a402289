"""The project according to reconnaissance, shared by all tasks of a role: its description, and the files worth reading.

Invariant: only facts of the survey and of recon, most useful first; names and paths from the target are data.
"""

from collections import defaultdict
from collections.abc import Iterator

from counterproof.agents.context.sections import Piece, Section
from counterproof.model.recon import Recon
from counterproof.model.survey import SourceFile, Survey
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.witnessed import WitnessedTools

MATTERS = "Files that matter most"
_NAMED = 40
"""The most files of a folder that are named individually."""


def project_sections(toolbox: WitnessedTools) -> tuple[Section, ...]:
    survey, recon = toolbox.survey, toolbox.recon
    important = frozenset(recon.p0_files) if recon else frozenset[str]()
    return (
        Section("The project:", Category.SCOPE, (Piece("\n".join(_project(survey, recon))),), 100, shared=True),
        Section(
            f"{MATTERS} (handlers, authentication, cryptography, data access, settings):",
            Category.SCOPE, tuple(map(Piece, recon.p0_files if recon else ())), 85, 2_500, shared=True, rest="`glob` lists files",
        ),
        Section(
            "The repository, folder by folder, files with their numbers of lines:",
            Category.SCOPE, tuple(_folders(survey, important)), 80, 4_000, shared=True, rest="`glob` lists them",
        ),
        Section("Dependencies:", Category.SCOPE, tuple(_dependencies(recon)), 40, 1_500, shared=True, rest="read the manifests"),
    )  # fmt: skip


def _project(survey: Survey, recon: Recon | None) -> Iterator[str]:
    lines: defaultdict[str, int] = defaultdict(int)
    for file in survey.files:
        if file.language:
            lines[file.language.value] += file.loc
    ranked = sorted(lines.items(), key=lambda pair: (-pair[1], pair[0]))
    yield "languages: " + (", ".join(f"{name} {count:,} lines of code" for name, count in ranked) or "none")
    if recon is None:
        return
    yield f"kind: {recon.project_type.value}"
    for each in recon.frameworks:
        yield f"framework: {each.name} {each.version}, confidence {each.confidence.value}".replace(" ,", ",")
    if len(recon.roots) > 1:
        yield "roots with a manifest of their own: " + ", ".join(recon.roots[:30])
    for name, values in (("stored and served", recon.resources), ("signs of", recon.triggers)):
        if values:
            yield f"{name}: {', '.join(values[:40])}"


def _folders(survey: Survey, important: frozenset[str]) -> Iterator[Piece]:
    """One piece per folder; folders with files that matter first, then those with the most code."""
    folders: defaultdict[str, list[SourceFile]] = defaultdict(list)
    for file in survey.files:
        folders[file.path.rpartition("/")[0]].append(file)
    for folder, files in sorted(folders.items()):
        code = sum(file.loc for file in files if not file.test)
        ranked = sorted(files, key=lambda file: (file.language is None, file.path))
        named = ", ".join(f"{file.path.rpartition('/')[2]} {file.lines}" for file in ranked[:_NAMED])
        more = f", … ({len(files) - _NAMED} more)" if len(files) > _NAMED else ""
        worth = 1_000_000 * any(file.path in important for file in files) + code
        yield Piece(f"{folder or '.'}/: {named}{more}", worth)


def _dependencies(recon: Recon | None) -> Iterator[Piece]:
    seen: set[str] = set()
    for each in recon.dependencies if recon else ():
        if str(each) not in seen:
            seen.add(str(each))
            yield Piece(f"{each.name} {each.version}")
