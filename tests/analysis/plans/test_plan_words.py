"""The index of words: the same answers cold, warm and damaged, and only changed files are read again."""

from pathlib import Path

from analysis.plans.planned_shop import shop
from counterproof.analysis.cache import Store
from counterproof.analysis.plans.ground import Ground
from counterproof.analysis.plans.words import hashed, indexed
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey

NAMES = ("total_price", "render", "no-such-word", "print")


def project(folder: Path) -> Project:
    return Project(folder, survey(folder))


def held(folder: Path, store: Store | None) -> list[tuple[str, list[str]]]:
    ground = Ground(project(folder), NAMES, store=store)
    return [(file.path, names) for file, names in ground.holding(NAMES)]


def test_a_warm_index_answers_as_a_cold_one_and_as_none(tmp_path: Path) -> None:
    folder, store = shop(tmp_path / "shop"), Store(tmp_path / "kept")
    without = held(folder, None)
    assert [names for _, names in without if "total_price" in names]
    assert held(folder, store) == held(folder, store) == without


def test_only_changed_files_are_read_again(tmp_path: Path) -> None:
    folder, store = shop(tmp_path / "shop"), Store(tmp_path / "kept")
    read: list[str] = []

    def text(path: str) -> str:
        read.append(path)
        return (folder / path).read_text()

    indexed(project(folder).survey.files, text, store, "shop")
    (folder / "shop" / "report.py").write_text("def brand_new():\n    pass\n")
    read.clear()
    again = indexed(project(folder).survey.files, text, store, "shop")
    assert read == ["shop/report.py"]
    assert again.may_hold("shop/report.py", hashed("brand_new"))
    assert again.defined("shop/report.py") == ("brand_new",)


def test_a_foreign_entry_is_passed_over(tmp_path: Path) -> None:
    folder, store = shop(tmp_path / "shop"), Store(tmp_path / "kept")

    class Lying(Store):
        def find(self, key: str, kind: str = "") -> bytes | None:
            return b'[["a", 4, "x"], 7]\nwxyz'

    assert held(folder, Lying(store.folder)) == held(folder, None)
