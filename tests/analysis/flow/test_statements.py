"""Which table and columns a statement touches."""

import time

import pytest

from counterproof.analysis.flow.statements import Selected, Written, shape_of

SHAPES = {
    "INSERT INTO t (a, b) VALUES (?, ?)": Written("t", (("a", 0), ("b", 1)), ()),
    "insert into s.T (a, b) values (%s, now())": Written("t", (("a", 0),), ("a",)),
    "INSERT INTO t VALUES (NULL, ?, ?)": Written("t", (("", 0), ("", 1)), ()),
    "INSERT INTO t (a, b) VALUES (:x, %(y)s)": Written("t", (("a", "x"), ("b", "y")), ("b",)),
    "INSERT INTO t (a, b) VALUES ('~', 1)": Written("t", (), ("a",)),
    "UPDATE t SET a = ?, b = 2, c = ? WHERE id = ?": Written("t", (("a", 0), ("c", 1)), ()),
    "UPDATE t SET a = '~' WHERE id = ~": Written("t", (), ("a",)),
    "SELECT * FROM t": Selected("t", ()),
    "SELECT a, x.b, c AS d FROM t x WHERE a = ?": Selected("t", ("a", "b", "d")),
    "SELECT count(*), a FROM t": Selected("t", ("(computed)", "a")),
    "DELETE FROM t": None,
    "PRAGMA x": None,
    "": None,
}


@pytest.mark.parametrize(("sql", "shape"), SHAPES.items(), ids=list(SHAPES))
def test_shape_of_a_statement(sql: str, shape: Written | Selected | None) -> None:
    assert shape_of(sql) == shape


@pytest.mark.parametrize(
    "sql", ["INSERT INTO " + "a" * 100_000, "SELECT " + "(" * 50_000, "INSERT INTO t (" + " " * 50_000, "SELECT " + "a," * 50_000]
)
def test_hostile_statements_end_soon(sql: str) -> None:
    start = time.process_time()
    shape_of(sql)
    assert time.process_time() - start < 1
