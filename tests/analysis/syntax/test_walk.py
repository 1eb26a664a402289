"""Visiting nodes: the children of a node, according to its fields."""

import pytest

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.python import lower
from counterproof.analysis.syntax.walk import INSIDE, children, parts_of, walk

CODE = """
x: int = a.b[c](1, k=2, *d) + f"{e}t" - 3
if p and q or not r:
    [s, t]
elif u < v <= w:
    {**y, "z": 0}
else:
    m = -n
"""


@pytest.mark.parametrize("kind", [each for each in INSIDE if each is not ir.Mapping])
def test_what_is_written_out_is_what_the_fields_tell(kind: type[ir.Node]) -> None:
    found = [each for each in walk(*lower("a.py", CODE).body) if type(each) is kind]
    assert found
    for node in found:
        values = [(getattr(node, name), many) for name, many in parts_of(kind)]
        told = [part for value, many in values for part in (value if many else [value]) if part is not None]
        assert children(node) == told


def test_a_mapping_has_keys_and_values_inside_and_what_is_spread_into_it() -> None:
    (mapping,) = (each for each in walk(*lower("a.py", CODE).body) if isinstance(each, ir.Mapping))
    assert [type(each) for each in children(mapping)] == [ir.Name, ir.Const, ir.Const]
