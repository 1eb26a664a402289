"""Applications, servers and consumers that the code creates, by framework (A10).

Invariant: creating one counts, importing its package does not; a framework's own source creates none of its own. Not handled
here: entry points.
"""

from collections.abc import Iterator

from counterproof.analysis.libraries import libraries, names, public_name
from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.syntax.ir import Call
from counterproof.model.survey import Language

_KINDS = (("framework", "application"), ("route", "application"), ("route", "blueprint-application"))


def held_applications(project: Project) -> tuple[str, ...]:
    """Titles of the frameworks whose applications the project creates, each once."""
    titles = _titles()
    own = {path.split("/")[0] for path in codebase_of(project).paths} | {
        path.split("/")[1] for path in codebase_of(project).paths if path.startswith(("src/", "lib/")) and path.count("/") > 1
    }
    made = {name for listed in told(codebase_of(project), _made).values() for name in listed}
    found = [titles[name] for name in sorted(made) if name.partition(".")[0] not in own]
    return tuple(dict.fromkeys((*found, *_scripts(project))))


def _titles() -> dict[str, str]:
    return {
        name.removesuffix("()"): library.title
        for library in libraries("python")
        for kind in _KINDS
        for name in library.names.get(kind, ())
    }


@trait("applications that are made")
def _made(outline: Outline) -> list[str]:
    """Dotted names of the application constructors that a file calls."""
    known = _titles()
    dotted = {public_name(outline.dotted(site.node.callee)) for site in outline.of(Call)}
    return sorted(dotted & known.keys())


def _scripts(project: Project) -> Iterator[str]:
    """Router packages that a JavaScript file calls or instantiates."""
    known = names("framework", "application", Language.JAVASCRIPT)
    for language in SCRIPTS:
        for file in project.of_language(language):
            if file.test or not any(f'"{each}"' in (text := project.text(file.path)) or f"'{each}'" in text for each in known):
                continue
            outline = Outline(project.module(file.path))
            roots = {outline.dotted(site.node.callee) for site in outline.of(Call)}
            for root in sorted(roots):
                package = root.removesuffix(".default").removesuffix(".Server").removesuffix(".server")
                if package in known and project.scripts().file(file.path, package) is None:
                    yield package
