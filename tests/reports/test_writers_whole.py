"""Every text of a report hostile at once, in every format of the three jobs: nothing acts (X4, X11)."""

import json
import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from html.parser import HTMLParser
from typing import Any

import pytest
import yaml

from counterproof.app.jobs import AUDIT, JOBS, REVIEW, VERIFY
from counterproof.model.errors import CounterproofError
from counterproof.model.plan.challenge import Challenge, Confidence, Raiser, Standing, Weight
from counterproof.model.plan.contract import Grounds
from counterproof.model.plan.iteration import Quality, Team, Verdict
from counterproof.model.plan.report import PlanReport
from reports.sample_report import sample
from reports.test_code_hosts import TEXTS, acts
from reports.test_review_findings import report


def plan_report() -> PlanReport:
    about = ("pay is called once", "pay is called twice", "the customer pays twice", "call it once")
    raised = tuple(
        replace(Challenge(f"C{number}", Raiser.CHALLENGER, *about, weight, Confidence.HIGH, 1), status=status)
        for number, (weight, status) in enumerate(
            ((Weight.BLOCKING, Standing.OPEN), (Weight.MINOR, Standing.DEFERRED), (Weight.SIGNIFICANT, Standing.OPEN)), 1
        )
    )
    return PlanReport(
        *("plan.md", "0" * 64, "Charge once", Verdict.REVISE, "One challenge stands.", "Revise the plan."),
        quality=Quality.RICH,
        complexity=(("files", 3),),
        team=Team.BASE,
        iterations=(),
        challenges=raised[:2],
        set_aside=raised[2:],
        merged=(("C1", replace(raised[0], id="C4", claim="pay waits", concern="pay waits for the bank")),),
        grounds=tuple(Grounds(f"C{number}", plan_lines=(2,), places=("shop/charge.py:4",)) for number in (1, 2, 3)),
        lines=(("plan:2", "- call pay"), ("shop/charge.py:4", "pay(item)")),
        unmitigated=("a risk",),
        limitations=("a limit",),
    )


SAMPLES: dict[str, Any] = {AUDIT.name: sample, REVIEW.name: report, VERIFY.name: plan_report}
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f]")
MARK = "MARK7"


def poisoned(value: Any, text: str) -> Any:
    """The value with every text replaced that the model allows to be replaced."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return text if value else value
    if isinstance(value, tuple):
        return tuple(poisoned(each, text) for each in value)  # pyright: ignore[reportUnknownVariableType]
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name in ("challenge_id", "places"):  # what joins records, and places that were read
                continue
            before: Any = getattr(value, field.name)
            keyed = isinstance(value, PlanReport) and field.name == "lines"
            made = tuple((place, text) for place, _ in before) if keyed else poisoned(before, text)
            try:
                value = replace(value, **{field.name: made})
            except (CounterproofError, ValueError, KeyError, TypeError):
                continue
    return value


class Page(HTMLParser):
    """Elements and attributes that the text became."""

    def __init__(self) -> None:
        super().__init__()
        self.found = list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if MARK in (value or "") and (
                name.startswith("on") or name in ("src", "srcdoc", "style") or tag in ("script", "img")
            ):
                self.found.append(f"{tag} {name}")
            if name == "href" and MARK in (value or "") and not (value or "").startswith("#"):
                self.found.append(f"{tag} {name}={value}")


@pytest.mark.rule("X4", "X11")
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_no_format_of_a_report_acts(job: Any, text: str) -> None:
    harmless, hostile = poisoned(SAMPLES[job.name](), MARK), poisoned(SAMPLES[job.name](), f"{text} {MARK}")
    usual = set(acts(job.render(harmless, "markdown", "")))
    for name in job.formats:
        shown = job.render(hostile, name, "")
        assert not UNSEEN.search(shown.replace("\t", " ")), name
        if name == "markdown":
            assert {each for each in acts(shown) if not each.startswith("/")} <= usual  # a command acts only where it is posted
        if name == "html":
            page = Page()
            page.feed(shown)
            assert page.found == []
        if name in ("json", "sarif"):
            assert json.loads(shown)
        if name == "yaml":
            assert list(yaml.safe_load_all(shown))
        if name == "github":
            assert not [
                line for line in shown.split("\n") if line.startswith("::") and not re.match(r"::(error|warning|notice)\b", line)
            ]
