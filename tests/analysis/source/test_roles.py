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


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("exploit_1.py", FileRole.DEVELOPMENT),
        ("app/build.gradle.kts", FileRole.DEVELOPMENT),
        ("settings.gradle", FileRole.DEVELOPMENT),
        ("src/Gradle.kt", FileRole.RUNTIME),
        ("fuzz/fuzz_targets/parse.rs", FileRole.TEST),
        ("exploits/poc.js", FileRole.DEVELOPMENT),
        ("exploits/login.py", FileRole.DEVELOPMENT),
        ("attacker/server/steal.js", FileRole.DEVELOPMENT),
        ("sqli_exploit.py", FileRole.DEVELOPMENT),
        ("attack-client.py", FileRole.DEVELOPMENT),
        ("attacks.py", FileRole.RUNTIME),
        ("counterattack/views.py", FileRole.RUNTIME),
        ("api/rest.http", FileRole.DEVELOPMENT),
        ("shop.postman_collection.json", FileRole.DEVELOPMENT),
        ("container/init-localstack.py", FileRole.DEVELOPMENT),
        ("app/fake_data.py", FileRole.DEVELOPMENT),
        ("exploitation/routes.py", FileRole.RUNTIME),
        ("src/pockets.js", FileRole.RUNTIME),
        ("src/http.py", FileRole.RUNTIME),
    ],
)
def test_what_somebody_tries_the_program_with_is_no_part_of_it(path: str, role: FileRole) -> None:
    assert role_of(path)[0] is role
