"""The report of a plan verification in every format (P14). The same report gives the same bytes.

Invariant: all text from the plan, the repository or an agent passes through `inert`. Nothing is decided here.
"""

from collections.abc import Callable

from counterproof.model.formats import files
from counterproof.model.plan.report import PlanReport
from counterproof.reports.html.document import write_page
from counterproof.reports.markdown.sections import write_markdown
from counterproof.reports.plan.content import document
from counterproof.reports.plan.json_form import as_json
from counterproof.reports.plan.states import as_yaml

__all__ = ["FILE_NAMES", "FORMATS", "document", "render"]

FILE_NAMES = files("verify")
FORMATS = tuple(FILE_NAMES)

_WRITERS: dict[str, Callable[[PlanReport], str]] = {
    "markdown": lambda report: write_markdown(document(report)),
    "json": as_json,
    "yaml": as_yaml,
    "html": lambda report: write_page(document(report)),
}


def render(report: PlanReport, name: str, _: str = "") -> str:
    """The report in one format."""
    return _WRITERS[name](report)
