"""Commands and options that the end of an audit suggests are run as they are printed."""

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli.command import counterproof, small_app
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.reports.triage import to_complete
from reports.sample_report import sample

VUE = "<template/>\n<script>\nexport default {}\n</script>\n"


def app_with_vue(folder: Path) -> Path:
    root = small_app(folder / "app")
    for number in range(12):
        page = root / "pages" / f"p{number}" / "Page.vue"
        page.parent.mkdir(parents=True)
        page.write_text(VUE)
    (root / "odd[1].py").write_bytes(b"x = '\xff\xfe\xff'\n" * 4)
    return root


def java_app(folder: Path) -> Path:
    root = folder / "app"
    root.mkdir()
    (root / "Main.java").write_text("class Main { public static void main(String[] a) { System.out.println(a[0]); } }\n" * 30)
    return root


def suggested(stdout: str) -> tuple[str, list[str]]:
    """The text after NEXT, and everything in backquotes in the closing lines."""
    rows = re.split(r"\n(?=[A-Z]{4,9} )", stdout)
    following = next((" ".join(row.split()) for row in rows if row.startswith("NEXT")), "")
    return following, [" ".join(each.split()) for row in rows for each in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("make", [app_with_vue, java_app])
@pytest.mark.parametrize("own", [(), ("--min-coverage", "9")], ids=["", "own-minimum"])
def test_each_suggestion_of_an_incomplete_audit_works(
    make: Callable[[Path], Path], own: tuple[str, ...], tmp_path: Path, home: Path
) -> None:
    command = ("audit", str(make(tmp_path)), "--yes", "--fail-on", "critical", *own)
    first = counterproof(*command, cwd=tmp_path)
    following, quoted = suggested(first.stdout)
    assert first.returncode in (1, 3), first.stdout + first.stderr
    assert following
    assert not own or "--min-coverage" not in following
    options = [each for each in quoted if each.startswith("--") and "no-fail" not in each]
    for each in (each for each in quoted if each.startswith("counterproof ")):
        assert counterproof(*shlex.split(each)[1:], cwd=tmp_path).returncode in (0, 1, 3), each
    if options:
        again = counterproof(*command, *(word for each in options for word in shlex.split(each)))
        assert again.returncode in (0, 1), again.stdout
        assert "NEXT" not in again.stdout
    if "--no-fail-on-incomplete" in following:
        assert counterproof(*command, "--no-fail-on-incomplete").returncode == 0


def test_coverage_is_waived_only_where_the_user_required_none() -> None:
    reason = Reason(Exit.INCOMPLETE, "Required coverage not met: coverage 5 of 9, 8 needed.")
    short = replace(sample(), covered=5, threshold=8, outcome=Outcome((reason,)))
    assert "`--min-coverage 5`" in to_complete(short, waivable=True)
    assert "--min-coverage" not in to_complete(short)


def test_more_globs_than_fit_are_counted() -> None:
    reason = Reason(Exit.INCOMPLETE, "Not read: a.py: broken encoding.")
    short = replace(sample(), outcome=Outcome((reason,)))
    text = to_complete(short, tuple(f"{letter} x.py" for letter in "abcdefg"))
    assert text.startswith("`--accept-unread 'a x.py' --accept-unread 'b x.py'")
    assert "2 more are under LIMITS" in text
