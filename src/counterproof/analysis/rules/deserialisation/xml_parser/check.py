"""Options of libxmljs."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match
from counterproof.analysis.syntax.ir import Const, Mapping


def check_script(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path) if "libxmljs" in project.text(path) else None
    for site in outline.of(Mapping) if outline is not None else ():
        asked = [value for key, value in site.node.entries if key is not None and text_of(key) == "noent"]
        if any(isinstance(value, Const) and value.value is True for value in asked):
            yield bad(site, "parser", "entities are resolved", Confidence.MEDIUM)
        elif asked:
            yield good(site, "parser", "entities are not resolved")
