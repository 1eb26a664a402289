"""Manifest roots: the folders of a tree that are projects of their own (a monorepo has several).

A root is a folder with a manifest that has source of its own beneath it: files for which it is the nearest manifest above. What
belongs to a root is told by paths alone (`model.recon.root_of`), so whoever holds a path knows its root. Does not belong here:
what the manifests declare.
"""

from counterproof.analysis.project import Project
from counterproof.analysis.source.origin import in_sample_folder
from counterproof.model.recon import root_of

TOP = "."
_MANIFESTS = frozenset(
    (
        "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "package.json", "pom.xml", "build.gradle",
        "build.gradle.kts", "go.mod", "composer.json", "Gemfile", "gems.rb",
    )
)  # fmt: skip
MIN_LOC = 1


def manifest_roots(project: Project) -> tuple[str, ...]:
    """Folders in path order, the top as '.'; source above every manifest belongs to the top."""
    candidates = {TOP}
    for file in project.survey.files:
        folder, _, name = file.path.rpartition("/")
        if name in _MANIFESTS and not file.test and not in_sample_folder(file.path):
            candidates.add(folder or TOP)
    ordered = tuple(sorted(candidates))
    lines = dict.fromkeys(ordered, 0)
    for file in project.survey.files:
        if file.language is not None and not file.test:
            lines[root_of(file.path, ordered)] += file.loc
    found = tuple(root for root in ordered if lines[root] >= MIN_LOC)
    return found or (TOP,)
