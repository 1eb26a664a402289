"""Documents against the repository and against themselves."""

from pathlib import Path

from analysis.review.changed_tree import changed, project_of
from counterproof.analysis.review import statements
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.documents import DOCUMENT_CHECKS
from counterproof.analysis.review.scope import Wanted, resolve

TEXT = """# Proposal

The parser in `src/shop/parser.py` reads the file, and `src/shop/gone.py` writes it.
We will add a new file `src/shop/later.py` for the rest.
The limit stands in `src/shop/parser.py:900`.
The request timeout is 30 seconds for every call.
Workers give up when the request timeout of 60 seconds is over.
The queue size is 10 and the batch size is 20.
Write an indexer in `src/shop/indexer.py`, and look at `src/shop/parser.py`, line 1.
Keys are made in `src/shop/parser.py` (line 800).
"""


def test_what_the_repository_refutes_and_what_contradicts_itself(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"src/shop/parser.py": "x = 1\n", "src/store/gone.py": "x = 1\n"}, {"docs/plan.md": TEXT})
    project = project_of(folder)
    done = resolve(project, Wanted(documents=True))
    view = View(project, done.scope, done.before)
    found = [
        claim for domains, check in DOCUMENT_CHECKS if domains[0] in ("technical-risk", "completeness") for claim in check(view)
    ]
    assert sorted((each.kind, each.at.start) for each in found) == [
        ("the repository says otherwise", 3),
        ("the repository says otherwise", 5),
        ("the repository says otherwise", 10),
    ]


ELSEWHERE = """# Design

The plug-in reads `other/product/config.json` and the package has `server-only/package.json`.
`src/shop/old.py` is removed by this change.
The code lives in `src/shop/parser.py` and `src/shop/views.py`.

## Files to delete

- `src/shop/jwt.py`

### Tests

- `src/shop/test_jwt.py`

## Notes

See `src/shop/missing.py`, which is like `src/shop/never.py`.

## The provider

**Module**: `src/shop/provider.py`

The shop calls `src/shop/provider.py` for each order.

- `src/shop/test_provider.py`
"""


def test_what_is_of_another_product_created_or_deleted_is_not_missing(tmp_path: Path) -> None:
    tree: dict[str, str] = dict.fromkeys(
        ("src/shop/parser.py", "src/shop/views/__init__.py", "src/store/missing.py", "src/jwt.py"), "x = 1\n"
    )
    project = project_of(changed(tmp_path / "a", tree, {"docs/plan.md": ELSEWHERE}))
    done = resolve(project, Wanted(documents=True))
    found = list(statements.refuted(View(project, done.scope, done.before)))
    assert [(each.at.start, "src/store/missing.py" in each.why) for each in found] == [(17, True)]
