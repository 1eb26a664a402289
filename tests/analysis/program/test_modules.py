"""Which file an import means: one answer for every walker."""

import pytest

from counterproof.analysis.program.modules import Modules
from counterproof.analysis.syntax.walk import module_name


def found(paths: str, name: str, importer: str) -> str | None:
    return Modules((path, module_name(path)[0]) for path in paths.split()).find(name, importer)


@pytest.mark.parametrize(
    ("paths", "name", "importer", "meant"),
    [
        ("app/__init__.py app/db.py app/views.py", "app.db", "app/views.py", "app/db.py"),
        ("src/app/__init__.py src/app/db.py src/app/views.py", "app.db", "src/app/views.py", "src/app/db.py"),
        ("app/db.py app/db/__init__.py app/views.py", "app.db", "app/views.py", "app/db/__init__.py"),
        ("one/db.py one/main.py two/db.py two/main.py", "db", "two/main.py", "two/db.py"),
        ("db.py app/__init__.py app/db.py app/views.py", "db", "app/views.py", "db.py"),
        ("scripts/db.py scripts/run.py db.py", "db", "scripts/run.py", "scripts/db.py"),
        ("one/app/db.py one/tools/run.py two/app/db.py", "app.db", "one/tools/run.py", "one/app/db.py"),
        ("a/x/db.py a/y/db.py a/z/main.py", "db", "a/z/main.py", None),
        ("app/__init__.py app/celery.py", "celery", "app/celery.py", None),
        ("app/__init__.py app/tasks.py", "app.tasks", "app/tasks.py", "app/tasks.py"),
        ("app/views.py", "flask", "app/views.py", None),
        ("one/settings.py two/settings.py", "settings", "", None),
    ],
)
def test_the_file_that_an_import_means(paths: str, name: str, importer: str, meant: str | None) -> None:
    assert found(paths, name, importer) == meant
