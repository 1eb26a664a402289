"""Rust of a plan that uses structs by fields which they do not have, or leaves fields out; and what may fit."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.struct_fields import wrong_fields

MORE = {
    "src/till.rs": (
        "/// A till.\n#[derive(Debug)]\npub struct TillNode<'a> {\n    #[serde(default)]\n    pub id: String, // its number\n"
        "    config: HashMap<String, &'a str>,\n}\n\nimpl TillNode {\n    fn open(&self) {}\n}\n"
    ),
    "src/thin.rs": "pub struct ThinNode {\n    inner: Inner,\n}\n\nimpl Deref for ThinNode {\n}\n",
    "src/one.rs": "pub struct Twice {\n    id: u8,\n}\n",
    "src/two.rs": "pub struct Twice {\n    key: u8,\n}\n",
}


def misfits(folder: Path, code: str, before: str = "") -> list[str]:
    text = f"# A plan\n\nGoal: change it.\n\n{before}Write this:\n\n```rust\n{code}\n```\n"
    return [each.subject for each in wrong_fields(bench(shop(folder, **MORE), text).case)]


READ = "impl Node for TillNode<'_> {\n    fn run(&self) -> u64 {\n        self.interval\n    }\n}"
PLANNED = "struct Rate {\n    low: u8,\n    high: u8,\n}\n\n"


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    ("code", "subject"),
    [
        (READ, "TillNode.interval"),
        ("impl TillNode {\n    fn f(&mut self) {\n        self.interval = 2;\n    }\n}", "TillNode.interval"),
        ("let till = TillNode { id, config: map, interval: 2 };", "TillNode.interval"),
        ("let till = TillNode { id };", "TillNode.config"),
        ("let node = Outer { till: TillNode { id, interval: 2 } };", "TillNode.interval"),
        (f"{PLANNED}impl Rate {{\n    fn new() -> Self {{\n        Self {{ low: 1, top: 2 }}\n    }}\n}}", "Rate.top"),
    ],
)
def test_fields_that_a_struct_does_not_have(tmp_path: Path, code: str, subject: str) -> None:
    assert misfits(tmp_path, code) == [subject]


@pytest.mark.parametrize(
    "code",
    [
        "impl TillNode {\n    fn f(&self) -> &str {\n        self.close();\n        &self.id\n    }\n}",
        "impl TillNode {\n    // self.interval is gone\n    fn f(&self) {}\n}",
        "impl Other {\n    fn f(&self) -> u8 {\n        self.interval\n    }\n}",
        "impl ThinNode {\n    fn f(&self) -> u8 {\n        self.interval\n    }\n}",
        "impl Twice {\n    fn f(&self) -> u8 {\n        self.interval\n    }\n}",
        "let till = TillNode { id, ..old };",
        "let TillNode { id, .. } = till;",
        "fn f() -> TillNode {\n    interval\n}",
        "let till = TillNode {\n    id,\n    // ... as before\n};",
        "struct Rate {\n    low: u8,\n    // existing fields\n}\n\nimpl Rate {\n    fn f(&self) {\n        self.high;\n    }\n}",
        "let kind = Kind::TillNode { interval: 1 };",
        "enum Kind {\n    TillNode { interval: u8 },\n}",
    ],
)
def test_what_may_fit(tmp_path: Path, code: str) -> None:
    assert misfits(tmp_path, code) == []


@pytest.mark.parametrize(
    "words",
    [
        "Add the field `interval` first.\n\n",
        "Extend `TillNode` as needed.\n\n",
        "```rust\n    pub interval: u64,\n```\n\n",
        "```rust\npub struct TillNode {\n    interval: u64,\n}\n```\n\n",
    ],
)
def test_what_the_plan_adds(tmp_path: Path, words: str) -> None:
    assert misfits(tmp_path, READ, words) == []


@pytest.mark.rule("P20")
def test_words_in_quotes_are_no_struct(tmp_path: Path) -> None:
    assert misfits(tmp_path, 'open(&format!("TillNode {i}"));') == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("text", "found"), [("`TillNode` gets an `interval`.", []), ("Till and interval.", ["TillNode.interval"])]
)
def test_another_plan_may_bring_a_field(tmp_path: Path, text: str, found: list[str]) -> None:
    shop(tmp_path, **{"docs/plans/first.md": f"# First\n\n{text}\n"})
    assert misfits(tmp_path, READ) == found
