"""Sizes by component, and unread files (A64). Not handled here: the content of the files."""

from counterproof.analysis.project import Project
from counterproof.model.map import Component, NotRead

MAX_DEPTH = 2
_SOURCES = ("src", "lib", "app", "packages")


def components_of(project: Project) -> tuple[Component, ...]:
    """Folders with source files, two levels deep, largest first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for file in project.survey.files:
        if file.language is not None and not file.test:
            found.setdefault(_folder(file.path), []).append((file.loc, file.language.value))
    listed = [
        Component(path, len(files), sum(loc for loc, _ in files), tuple(sorted({language for _, language in files})))
        for path, files in found.items()
    ]
    return tuple(sorted(listed, key=lambda each: (-each.loc, each.path)))


def _folder(path: str) -> str:
    folders = path.split("/")[:-1]
    start = 1 if folders and folders[0] in _SOURCES else 0
    return "/".join(folders[: start + MAX_DEPTH]) or "."


def unread_of(project: Project) -> tuple[NotRead, ...]:
    """Unread files: first-party source first, then excluded files by class."""
    known = {**{each.path: each for each in project.survey.unread}, **project.unread}
    first = [NotRead(each.path, each.why, first_party=True, accepted=each.accepted) for _, each in sorted(known.items())]
    left = [
        NotRead(each.path, f"{each.reason}{f', {each.detail}' if each.detail else ''}", each.files)
        for each in project.survey.skipped
        if each.path not in known
    ]
    return (*first, *left)
