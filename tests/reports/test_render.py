"""`render`: every format by name, the same bytes every time, every kind of ending distinguished."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sample_report import deep_sample, sample

from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.reports import FILE_NAMES, FORMATS, render

DIGESTS = """
import hashlib
from counterproof.reports import FORMATS, render
from sample_report import deep_sample
for name in FORMATS:
    print(name, hashlib.sha256(render(deep_sample(), name).encode()).hexdigest())
"""


def test_formats_and_files() -> None:
    assert FORMATS == ("markdown", "appendix", "html", "json", "sarif", "summary", "github")
    assert FILE_NAMES == {
        "markdown": "report.md",
        "appendix": "appendix.md",
        "html": "report.html",
        "json": "report.json",
        "sarif": "report.sarif",
    }


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_ends_with_one_newline(name: str) -> None:
    text = render(sample(), name)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_an_unknown_format_is_the_users_error() -> None:
    with pytest.raises(UserError, match="unknown report format") as caught:
        render(sample(), "pdf")
    assert "markdown" in caught.value.hint


def test_the_same_report_gives_the_same_bytes_in_any_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(FORMATS)


@pytest.mark.rule("A50")
@pytest.mark.parametrize("name", [each for each in FORMATS if each != "appendix"])
@pytest.mark.parametrize("field", ["chains", "rejected", "findings", "limitations", "banners"])
def test_no_format_drops_what_a_reader_must_know(name: str, field: str) -> None:
    assert render(replace(deep_sample(), **{field: ()}), name) != render(deep_sample(), name)


@pytest.mark.rule("A50")
@pytest.mark.parametrize("name", ["markdown", "html", "json"])
@pytest.mark.parametrize("field", ["gates", "waivers", "rounds", "control", "baseline", "validation", "paths"])
def test_the_full_formats_show_all_evidence(name: str, field: str) -> None:
    bare: tuple[()] | None = None if field in ("control", "baseline", "validation") else ()
    less = replace(deep_sample(), **{field: bare})
    files = (name, "appendix") if name == "markdown" else (name,)
    assert any(render(less, each) != render(deep_sample(), each) for each in files)


@pytest.mark.rule("A51")
@pytest.mark.parametrize("name", [each for each in FORMATS if each != "appendix"])
def test_every_ending_gives_its_own_text(name: str) -> None:
    endings = [Outcome(())] + [Outcome((Reason(code, "because"),)) for code in Exit if code is not Exit.CLEAN]
    assert len({render(replace(sample(), outcome=ending), name) for ending in endings}) == len(endings)
