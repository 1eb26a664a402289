"""What the engine accepts as evidence of a position on a review's finding (R44)."""

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, project_of
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Wanted, resolve
from counterproof.knowledge.profiles import load_profile
from counterproof.model.backing import Backing
from counterproof.model.fact import Fact, Operation
from counterproof.model.location import Location, at
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.position import Stance
from counterproof.protocols.guard.reasons import REPEATS, UNRELATED
from counterproof.toolbox.review_bench import ReviewBench
from protocols.review.reviews import CORR, finding, position

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


@pytest.mark.rule("R37")
@pytest.mark.parametrize("stance", [Stance.AGREE, Stance.CHALLENGE])
def test_a_reason_at_an_analysts_own_line_only_repeats_it(tmp_path: Path, stance: Stance) -> None:
    looked = bench(tmp_path)
    about = finding(place=at("shop.py", 3))
    own, other = Fact(at("shop.py", 3), Operation.CALL, "sum"), Fact(at("shop.py", 2), Operation.CALL, "len")
    assert looked.weakness(about, own, stance) == REPEATS
    assert looked.weakness(about, other, stance) == ""
    said = replace(position("CORR", stance), at=own.at, quote="return sum(rows) / count", reason=own, model="a:model")
    task = ReviewTask("t", "t", Work.CHALLENGE, CORR, 1, 1, shown=(about,))
    (checked,) = looked.backed(task, ReviewReply("t", positions=(said,))).positions
    assert checked.backing == Backing(opened=True, quoted=True, holds=True, weak=REPEATS)


@pytest.mark.rule("R37")
@pytest.mark.parametrize("stance", [Stance.AGREE, Stance.CHALLENGE])
def test_a_reason_at_a_models_own_line_says_more_than_the_model(tmp_path: Path, stance: Stance) -> None:
    told = f"Nobody asks whether count is zero.\nshop.py:3: return sum(rows) / count {'x' * 100}"
    about = replace(finding(place=at("shop.py", 3)), model="a:model", evidence=told)
    looked = bench(tmp_path)
    for symbol, weak in (("count", REPEATS), ("sum", "")):
        assert looked.weakness(about, Fact(at("shop.py", 3), Operation.READ, symbol), stance) == weak


@pytest.mark.rule("R37", "R35")
@pytest.mark.parametrize("stance", [Stance.AGREE, Stance.CHALLENGE])
def test_a_word_of_a_documents_own_line_is_no_reason_and_another_line_is(tmp_path: Path, stance: Stance) -> None:
    plan = "# Plan\n\nStep 1: read the tokens from the store.\n\nThe team is happy.\n\nStep 4: fill the store.\n"
    project = project_of(changed(tmp_path / "a", {}, {"plan.md": plan}))
    done = resolve(project, Wanted())
    looked = ReviewBench(View(project, done.scope, done.before), load_profile("strategy"))
    about = replace(finding(place=at("plan.md", 3)), model="a:model")
    for line, symbol, weak in ((3, "tokens", REPEATS), (5, "team", UNRELATED), (7, "fill", "")):
        assert looked.weakness(about, Fact(at("plan.md", line), Operation.MENTION, symbol), stance) == weak


@pytest.mark.rule("R44")
def test_the_evidence_of_a_position_is_checked_where_an_earlier_task_showed_the_finding(tmp_path: Path) -> None:
    about = finding(place=at("shop.py", 3))
    said = replace(
        position("CORR", Stance.AGREE), at=at("shop.py", 2), quote="count = len(rows)",
        reason=Fact(at("shop.py", 2), Operation.CALL, "len"),
    )  # fmt: skip
    task = ReviewTask("t", "t", Work.CHALLENGE, CORR, 2, 1, others=(about,))
    (checked,) = bench(tmp_path).backed(task, ReviewReply("t", positions=(said,))).positions
    assert checked.backing == Backing(opened=False, quoted=True, holds=True)
