"""What files are for, by their paths."""

import pytest

from counterproof.analysis.source.roles import role_of
from counterproof.model.survey import FileRole


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("shop/templates/index.html", FileRole.RUNTIME),
        ("public/index.htm", FileRole.RUNTIME),
        ("examples/page.html", FileRole.SAMPLE),
        ("docs/index.html", FileRole.DOCUMENTATION),
        ("settings.example", FileRole.SAMPLE),
        ("tests/page.html", FileRole.TEST),
        ("dist/app.js", FileRole.GENERATED),
        ("src/distance.js", FileRole.RUNTIME),
    ],
)
def test_pages_run_unless_they_lie_among_samples(path: str, role: FileRole) -> None:
    assert role_of(path)[0] is role
