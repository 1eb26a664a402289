"""The project function that a call refers to, in Python and JavaScript. Not handled here: methods of other objects."""

from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Call, Function
from counterproof.analysis.syntax.javascript import EXPORTS, module_name
from counterproof.model.survey import Language

OWN = ("self", "cls", "this")


def script_outline(project: Project, path: str) -> File:
    """A JavaScript file, laid out once for all rules."""
    return project.once(f"outline of {path}", lambda: File(project.module(path)))


def file_of(project: Project, path: str) -> File:
    """A file of either language, laid out once."""
    python = project.files[path].language is Language.PYTHON
    return codebase_of(project).outline(path) if python else script_outline(project, path)


def called_function(project: Project, outline: Outline, site: Site[Call], language: Language) -> tuple[Outline, Function | None]:
    """The project function that a call refers to."""
    if language is Language.PYTHON:
        meaning = codebase_of(project).meaning(outline, site.node.callee, site.function)
        if meaning is not None and isinstance(meaning.node, Function):
            return meaning.outline, meaning.node
        return outline, _method(outline, site)
    dotted = outline.dotted(site.node.callee)
    module, marked, name = dotted.partition(f".{EXPORTS}.")
    path = _script_files(project).get(module) if marked else None
    if path is not None:
        other = script_outline(project, path)
        return other, other.functions.get(name)
    return outline, outline.functions.get(dotted) or _method(outline, site)


def _method(outline: Outline, site: Site[Call]) -> Function | None:
    """`self.run(text)`, `this.run(text)`: a method of the same class."""
    owner, _, name = outline.dotted(site.node.callee).rpartition(".")
    return outline.functions.get(f"{site.owner.qualified}.{name}") if site.owner is not None and owner in OWN else None


def _script_files(project: Project) -> dict[str, str]:
    def made() -> dict[str, str]:
        scripts = (*project.of_language(Language.JAVASCRIPT), *project.of_language(Language.TYPESCRIPT))
        return {module_name(each.path): each.path for each in scripts if not each.test}

    return project.once("names of scripts", made)
