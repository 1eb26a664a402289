"""After every edit, what earlier runs left and what is worked out anew make the same examination as no earlier run at all."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.analysis import families
from counterproof.analysis.cache import Results, Store
from counterproof.analysis.cache.traits import Told
from counterproof.analysis.examination import Examination
from counterproof.analysis.families import Hunt
from counterproof.analysis.project import Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.recon import Recon
from counterproof.model.survey import Language

SHOP = Path(__file__).parents[3] / "examples" / "shop"
Edit = Callable[[Path, random.Random], None]


def _part_of_the_shop(folder: Path) -> Path:
    """Enough to have flows over files and through templates, and quick to examine again and again."""
    tree = folder / "shop"
    shutil.copytree(SHOP, tree, ignore=shutil.ignore_patterns("jobs", "mail"))
    for path in tree.glob("storefront/views/*.py"):
        if path.stem not in ("__init__", "support", "catalogue"):
            path.unlink()
    return tree


def _chosen(tree: Path, pattern: str, chance: random.Random) -> Path:
    return chance.choice(sorted(tree.rglob(pattern)))


def _added_function(tree: Path, chance: random.Random) -> None:
    with _chosen(tree, "views/*.py", chance).open("a") as file:
        file.write("\n\ndef listed(request):\n    import os\n    return os.popen('ls ' + request.args['folder']).read()\n")


def _changed_signature(tree: Path, chance: random.Random) -> None:
    path = _chosen(tree, "services/*.py", chance)
    path.write_text(path.read_text().replace("def ", "def renamed_", 1))


def _renamed(tree: Path, chance: random.Random) -> None:
    path = _chosen(tree, "store/*.py", chance)
    path.rename(path.with_name("moved.py"))


def _deleted(tree: Path, chance: random.Random) -> None:
    _chosen(tree, "services/*.py", chance).unlink()


def _changed_template(tree: Path, chance: random.Random) -> None:
    for path in sorted(tree.rglob("*.html")):
        path.write_text(path.read_text().replace("}}", "|safe}}"))


def _changed_settings(tree: Path, chance: random.Random) -> None:
    path = tree / "storefront" / "config.py"
    path.write_text(path.read_text() + '\nSECRET_KEY = "kJ8#mP2$vX9qL4wZ7n"\nDEBUG = True\n')


def _unread_file(tree: Path, chance: random.Random) -> None:
    (tree / "requirements.txt").write_text("flask==2.0.0\n")


EDITS: tuple[Edit, ...] = (
    _unread_file,
    _changed_template,
    _added_function,
    _changed_signature,
    _changed_settings,
    _renamed,
    _deleted,
)


def _examined(tree: Path, results: Results | None) -> tuple[Recon, Hunt]:
    project = Project(tree, survey(tree))
    project.results = results
    project.told = Told(results.store, project) if results else None
    recon = reconnoitre(project)
    return recon, families.examine(project, recon.entry_points, tuple(Dimension), Language.PYTHON)


def test_edits_of_every_kind_in_any_order_give_what_a_first_run_gives(tmp_path: Path) -> None:
    tree = _part_of_the_shop(tmp_path)
    results = Results(Store(tmp_path / "results"))
    chance = random.Random(20261115)
    seen = [_examined(tree, results)]
    for edit in chance.sample(EDITS, len(EDITS)):
        edit(tree, chance)
        seen.append(_examined(tree, results))
        assert seen[-1] == _examined(tree, None), edit.__name__
    assert len({repr(each) for each in seen}) >= len(EDITS)  # the edits do show in what is found


def test_flows_are_followed_anew_only_where_code_or_templates_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = _part_of_the_shop(tmp_path)
    results = Results(Store(tmp_path / "results"))
    _examined(tree, results)

    def followed_again() -> bool:
        again: list[bool] = []

        def follow(_project: Project, _entries: object, languages: tuple[Language, ...]) -> Examination:
            again.append(Language.PYTHON in languages)
            return Examination(finished=False)

        monkeypatch.setattr(families, "_follow", follow)
        project = Project(tree, survey(tree))
        project.results = results
        families.flows(project, reconnoitre(project).entry_points, tuple(Dimension))
        return any(again)

    assert not followed_again()
    (tree / "tool.js").write_text("export const one = 1;\n")
    assert not followed_again()
    _changed_template(tree, random.Random(1))
    assert followed_again()
