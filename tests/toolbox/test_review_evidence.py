"""What the engine accepts as evidence of a position on a review's finding (R44)."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, project_of
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.knowledge.profiles import load_profile
from counterproof.model.location import Location, at
from counterproof.toolbox.review_bench import ReviewBench
from protocols.review.reviews import finding

SHOP = "def total(rows):\n    count = len(rows)\n    return sum(rows) / count\n\n\ndef other(x):\n    return x\n"
CALLER = "from shop import total\n\n\ndef page(rows):\n    if not rows:\n        return 0\n    return total(rows)\n"


def bench(folder: Path) -> ReviewBench:
    project = project_of(changed(folder / "a", {}, {"shop.py": SHOP, "page.py": CALLER}))
    done = resolve(project, Wanted())
    return ReviewBench(View(project, done.scope, done.before), load_profile("code"))


@pytest.mark.rule("R44")
def test_a_quote_is_found_anywhere_in_its_range(tmp_path: Path) -> None:
    looked = bench(tmp_path)
    assert looked.quotes(Location("shop.py", 1, 6), "return sum(rows) / count")
    assert not looked.quotes(Location("shop.py", 1, 2), "return sum(rows) / count")
    assert looked.places_of("shop.py", "return sum(rows) / count") == (3,)


@pytest.mark.rule("R44")
@pytest.mark.parametrize(
    ("place", "counts"),
    [(at("page.py", 7), True), (at("shop.py", 2), True), (at("shop.py", 7), False), (at("page.py", 6), False)],
    ids=["the caller", "the same function", "another function", "a line without a name of it"],
)
def test_evidence_in_another_file_counts_where_it_shares_a_name(tmp_path: Path, place: Location, counts: bool) -> None:
    about = finding(place=at("shop.py", 3))
    assert bench(tmp_path).relates(about, place) is counts
