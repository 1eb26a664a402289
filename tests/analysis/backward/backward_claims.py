"""Small projects and made-up claims: the marker `# HERE` says which line a claim is about."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.judgement import Judgement
from counterproof.model.location import Location, at
from counterproof.model.severity import Confidence, Impact, Rating, Reach, Severity

MARK = "# HERE"
HEAD = """
import os
from flask import Flask, request
app = Flask(__name__)
"""
Judge = Callable[..., Judgement]


def a_claim(place: Location, cwe: int = 78, rule: str = "made-up") -> Finding:
    """What another agent might hand in: a place and a kind, with nothing behind it."""
    return Finding(
        id="F001",
        rule=rule,
        title="claim",
        dimension=Dimension.D1,
        cwe=cwe,
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        location=place,
        evidence="x",
        impact="harm",
        rating=Rating(Reach.ANONYMOUS, Impact.FULL),
    )


def written(root: Path, files: dict[str, str]) -> Project:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), "utf-8")
    return Project(root, survey(root))


def marked(project: Project) -> Location:
    for path in project.files:
        for number, line in enumerate(project.text(path).split("\n"), 1):
            if MARK in line:
                return at(path, number)
    raise AssertionError("no line is marked")
