"""The report of a plan verification in every format (P14). The same report gives the same bytes.

Always: whatever stems from the plan, the repository or an agent passes `inert` on its way out. Nothing is decided here.
"""

from collections.abc import Callable

from counterproof.model.plan.report import PlanReport
from counterproof.reports.plan.document import as_json
from counterproof.reports.plan.page import as_html
from counterproof.reports.plan.pages import as_markdown
from counterproof.reports.plan.states import as_yaml
from counterproof.reports.plan.summary import summary_rows

__all__ = ["FILE_NAMES", "FORMATS", "render", "summary_rows"]

FILE_NAMES = {
    "markdown": "plan-report.md",
    "json": "plan-report.json",
    "yaml": "plan-iterations.yaml",
    "html": "plan-report.html",
}
FORMATS = tuple(FILE_NAMES)

_WRITERS: dict[str, Callable[[PlanReport], str]] = {
    "markdown": as_markdown,
    "json": as_json,
    "yaml": as_yaml,
    "html": as_html,
}


def render(report: PlanReport, name: str) -> str:
    """The report in one format."""
    return _WRITERS[name](report)
