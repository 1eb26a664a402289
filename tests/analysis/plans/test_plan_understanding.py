"""What a plan says, as data."""

import pytest

from counterproof.analysis.plans.understanding import understand
from counterproof.model.plan.outline import Intent, Mention, PlanOutline


def outline(*lines: str) -> PlanOutline:
    return understand("PLAN.md", "\n".join(lines))


def intents(*lines: str) -> dict[str, Intent]:
    return {each.text: each.intent for each in outline(*lines).named}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Create `a/b.py` with a `Thing` class.", {"a/b.py": Intent.CREATES, "Thing": Intent.CREATES}),
        ("Add a `time_out` parameter to `fetch()` in `net.py`.", {"time_out": Intent.CREATES, "fetch": Intent.CHANGES}),
        ("Remove `old_one()` from `a.py`.", {"old_one": Intent.REMOVES, "a.py": Intent.USES}),
        ("Rename `old_one` to `new_one`.", {"old_one": Intent.REMOVES, "new_one": Intent.CREATES}),
        ("Remove the call to `old_one()`.", {"old_one": Intent.USES}),
        ("Extract `helper_a()` into `b/c.py`.", {"helper_a": Intent.CHANGES, "b/c.py": Intent.CREATES}),
        ("Update `a.py`. Call `run_it()`.", {"a.py": Intent.CHANGES, "run_it": Intent.USES}),
        ("- `x/y.py` (new): the parser", {"x/y.py": Intent.CREATES}),
    ],
)
def test_words_around_a_thing_say_what_is_meant_with_it(line: str, expected: dict[str, Intent]) -> None:
    found = intents(line)
    assert {name: found[name] for name in expected} == expected


def test_a_heading_gives_its_list_an_intent() -> None:
    found = intents("## New files", "", "- `a/b.py`", "", "## Modified files", "", "- `c/d.py`")
    assert found == {"a/b.py": Intent.CREATES, "c/d.py": Intent.CHANGES}


def test_every_kind_of_thing_is_recognised_with_its_line() -> None:
    read = outline(
        "Use `GET /api/users` and the `orders` table.",
        "Set `MAX_RETRIES`, with Flask 3.0.1 and the `httpx` package.",
        "Run `pytest tests/test_a.py::test_b`; it takes 20 ms.",
        "`old_one` has no callers.",
    )
    kinds = {(each.kind, each.text, each.line) for each in read.named}
    assert {
        (Mention.ENDPOINT, "/api/users", 1),
        (Mention.TABLE, "orders", 1),
        (Mention.SETTING, "MAX_RETRIES", 2),
        (Mention.VERSION, "Flask", 2),
        (Mention.DEPENDENCY, "httpx", 2),
        (Mention.COMMAND, "pytest tests/test_a.py::test_b", 3),
        (Mention.NUMBER, "20 ms", 3),
        (Mention.CLAIM, "no callers", 4),
    } <= kinds


def test_addresses_of_the_web_name_no_files() -> None:
    assert outline("See https://example.org/docs/app.py for more.").files == ()


@pytest.mark.rule("P2")
def test_steps_are_found_in_headings_numbers_and_boxes() -> None:
    by_heading = outline("# T", "## Step 1: a", "text", "### Details", "x", "## Step 2: b", "y", "## Risks", "z")
    assert [(step.start, step.end) for step in by_heading.steps] == [(2, 5), (6, 7)]
    assert len(outline("# T", "1. a", "2. b", "   more", "3) c").steps) == 3
    assert len(outline("# T", "- [ ] a", "- [x] b").steps) == 2
    assert outline("# T", "```", "1. code", "```").steps == ()


@pytest.mark.rule("P2")
def test_topics_and_doubts_of_its_own_are_counted() -> None:
    read = outline(
        "# T", "## Goal", "Charge cards with Stripe under PCI-DSS.", "The limit is TBD, the retry unclear.", "Run the tests."
    )
    assert read.systems == ("stripe",)
    assert read.compliance == ("pci-dss",)
    assert read.signals == ("4: TBD", "4: unclear")
    assert read.has_goal
    assert read.has_verification


def test_hostile_text_is_read_in_bounded_time() -> None:
    for piece in (
        "`" * 10_000,
        "a/" * 8_000,
        "new " * 4_000,
        "not " * 4_000 + "used",
        "1." * 8_000,
        "_a" * 8_000,
        "`a_b`. " * 2_500,
    ):
        assert understand("PLAN.md", piece + "\n" + piece).lines == 2


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("`old_one()` in `a.py` is renamed to `new_one()`.", {"old_one": Intent.REMOVES, "new_one": Intent.CREATES}),
        ("`a/b.py` is deleted.", {"a/b.py": Intent.REMOVES}),
        ("Get rid of `old_one()` in `a.py`.", {"old_one": Intent.REMOVES}),
        ("The helper `old_one()` can go.", {"old_one": Intent.REMOVES}),
        ("* **Change 5.** The helper `old_one()` can go: remove it from `a.py`.", {"old_one": Intent.REMOVES}),
        ("`old_one()` in `a.py` is dead code; remove it.", {"old_one": Intent.REMOVES}),
        ("`run_it()` in `a.py` gets a mandatory `mode` argument.", {"run_it": Intent.CHANGES}),
        ("`run_it()` is not removed.", {"run_it": Intent.USES}),
        ("Call `run_it()`, which is removed later.", {"run_it": Intent.USES}),
        ("`run_it()` was removed long ago.", {"run_it": Intent.USES}),
    ],
)
def test_what_is_said_of_a_thing_after_its_name_counts_too(line: str, expected: dict[str, Intent]) -> None:
    found = intents(line)
    assert {name: found[name] for name in expected} == expected
