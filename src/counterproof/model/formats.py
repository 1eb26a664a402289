"""The formats of each job's report, in one table: the name of the file, or "" for a format that is only printed."""

from typing import Final

FORMATS: Final[dict[str, dict[str, str]]] = {
    "audit": {
        "markdown": "report.md",
        "appendix": "appendix.md",
        "html": "report.html",
        "json": "report.json",
        "sarif": "report.sarif",
        "summary": "",
        "github": "",
        "concise": "",
    },
    "review": {
        "markdown": "review-report.md",
        "html": "review-report.html",
        "json": "review-report.json",
        "sarif": "review-report.sarif",
        "github": "",
        "github-review": "",
        "concise": "",
    },
    "verify": {
        "markdown": "plan-report.md",
        "html": "plan-report.html",
        "json": "plan-report.json",
        "yaml": "plan-iterations.yaml",
    },
}
_WITH_OTHERS: Final = ("appendix", "summary")
"""Formats that come with another: a second file, the last lines on a terminal."""


def choices(*jobs: str) -> tuple[str, ...]:
    """The formats that a user chooses from, for one job or several."""
    return tuple(dict.fromkeys(name for job in jobs for name in FORMATS[job] if name not in _WITH_OTHERS))


def files(job: str) -> dict[str, str]:
    """The formats written to files, with the file names."""
    return {name: file for name, file in FORMATS[job].items() if file}
