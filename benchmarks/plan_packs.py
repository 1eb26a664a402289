"""What plan agents get to see of the code that later turned out to matter.

    python benchmarks/plan_packs.py GITDIR PLAN_COMMIT PLAN_PATH LATER_COMMIT …

A plan is held against the tree just before the commit that brought it. The truth are the functions that commits mended later,
since the plan had overlooked them, as far as they were there already. Printed are how many of them stand in the pack of a
challenger, how many one call away (a `read` of a file that the pack shows, `callers` or `symbols` of a name that the plan
names), and the pack's tokens.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from review_tree import lay_out

from counterproof.agents.context import Shown, assembled
from counterproof.agents.context.plan import room_for, shared_sections
from counterproof.analysis.facts.named import around, definitions, uses
from counterproof.analysis.facts.units import Unit, unit_at, units_of
from counterproof.analysis.plans.understanding import understand
from counterproof.analysis.project import Project
from counterproof.analysis.review.unified import rows_of
from counterproof.analysis.source.survey import survey
from counterproof.model.plan.outline import Mention
from counterproof.toolbox.plan_tools import PlanBench


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True, timeout=300)
    return done.stdout.decode("utf-8", "replace")


def mended(repository: Path, commit: str, project: Project, folder: Path) -> list[Unit]:
    """Functions of this tree that a later commit changed, by file and name."""
    tree = folder / commit[:10]
    lay_out(repository, git(repository, "rev-parse", f"{commit}^").strip(), tree)
    later = Project(tree, survey(tree))
    found: dict[Unit, None] = {}
    for path in git(repository, "diff-tree", "--no-commit-id", "--name-only", "-r", commit).split("\n"):
        if path not in later.files or path not in project.files or later.files[path].test or later.files[path].language is None:
            continue
        newer = git(repository, "show", f"{commit}:{path}")
        place = 1
        for row in rows_of(later.text(path), newer):
            place = row.number if row.sign == "-" else place + (row.sign == " ")
            unit = unit_at(later, path, place) if row.sign != " " else None
            same = next((each for each in units_of(project, path) if unit and each.name == unit.name), None)
            if same:
                found[same] = None
    return list(found)


def _shows(shown: Shown, unit: Unit) -> bool:
    return shown.path == unit.path and shown.first <= unit.last and unit.first <= shown.last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("commit")
    parser.add_argument("plan")
    parser.add_argument("later", nargs="+")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        lay_out(given.repository, git(given.repository, "rev-parse", f"{given.commit}^").strip(), folder / "before")
        project = Project(folder / "before", survey(folder / "before"))
        text = git(given.repository, "show", f"{given.commit}:{given.plan}")
        bench = PlanBench(understand(str(folder / "before" / given.plan), text), text, project)
        pack = assembled(shared_sections(bench), room_for(bench))
        truth = [unit for commit in given.later for unit in mended(given.repository, commit, project, folder)]
        inside = [unit for unit in truth if any(_shows(each, unit) for each in pack.shows)]
        names = {each.text.removesuffix("()").rpartition(".")[2] for each in bench.case.of(Mention.SYMBOL)}
        calling = {around(project, path, line) for path, line, _ in uses(project, names)}
        defined = {unit for each in definitions(project, names).values() for unit in each}
        files = {each.path for each in pack.shows}
        near = [unit for unit in truth if unit not in inside and (unit.path in files or unit in calling or unit in defined)]
        told = {
            "plan": given.plan,
            "tokens": pack.tokens,
            "plan_tokens": pack.shared[0].tokens,
            "truth": len(truth),
            "in_pack": len(inside),
            "one_call": len(near),
            "neither": [f"{each.path}:{each.first} {each.name}" for each in truth if each not in (*inside, *near)],
        }
        print(json.dumps(told))


if __name__ == "__main__":
    main()
