"""Locations cited in documents, compared with the repository."""

from pathlib import Path

from analysis.review.changed_tree import changed, project_of
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.documents import find_false_statements, find_missing_places
from counterproof.analysis.review.scope import Wanted, resolve

TEXT = """# Proposal

The parser in `src/shop/parser.py:1` reads the file, and [the writer](../src/shop/gone.py) writes it.
We will add a new file `src/shop/later.py` for the rest.
The limit is in `src/shop/parser.py:900`.
The cache is in [its file](../src/shop/parser.py#L40), like [that of another product](other/product/config.json).
Nothing is left of src/shop/old.py:3, which elsewhere/old.py:3 replaced.
`src/shop/writer.py::read_all` reads it.
Nothing else is known.

```
`src/shop/parser.py:901`
```
"""


def test_a_cited_place_that_is_not_there_is_reported(tmp_path: Path) -> None:
    folder = changed(
        tmp_path / "a",
        {
            "src/shop/parser.py": "x = 1\n",
            "src/shop/writer.py": "y = 1\n",
            "src/shop/reader.py": "def read_all():\n    return 1\n",
        },
        {"docs/plan.md": TEXT},
    )
    project = project_of(folder)
    done = resolve(project, Wanted(documents=True))
    view = View(project, done.scope, done.before)
    missing, stated = list(find_missing_places(view)), list(find_false_statements(view))
    assert [each.at.start for each in missing] == [3, 5, 6, 7]
    assert [each.at.start for each in stated] == [8]
