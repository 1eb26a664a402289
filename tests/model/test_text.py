"""The gate for text: whatever goes in can be stored and read back, and names lead back to their files."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterproof.model.canonical import canonical
from counterproof.model.errors import InvalidValue
from counterproof.model.location import checked_path
from counterproof.model.text import encodable, lines_in, name_form, raw_name, real_name

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)


@pytest.mark.rule("X16")
@given(st.binary(min_size=1, max_size=60).filter(lambda raw: b"/" not in raw and b"\0" not in raw and raw not in (b".", b"..")))
def test_every_name_has_a_form_that_leads_back_to_it(raw: bytes) -> None:
    form = name_form(raw)
    form.encode()
    assert checked_path(form) == form
    assert raw_name(form) == raw
    assert real_name(form) == raw.decode("utf-8", "surrogateescape")


@given(ANY_TEXT)
def test_all_text_becomes_encodable_and_encodable_text_stays_unchanged(text: str) -> None:
    made = encodable(text)
    made.encode()
    assert encodable(made) == made
    try:
        text.encode()
    except UnicodeEncodeError:
        assert "\ufffd" in made or len(made) < len(text)
    else:
        assert made == text


@pytest.mark.rule("F16")
@given(st.dictionaries(ANY_TEXT, st.lists(ANY_TEXT, max_size=3), max_size=3))
def test_canonical_json_can_always_be_read_back(value: dict[str, list[str]]) -> None:
    written = canonical(value)
    read = json.loads(written)
    json.dumps(read, ensure_ascii=False).encode()
    assert canonical(read) == written or len(read) < len(value)


@given(st.lists(st.text(alphabet="a\r\x0b\x0c\x1c\x85\u2028\u2029", max_size=5), min_size=1, max_size=5))
def test_only_a_newline_ends_a_line(parts: list[str]) -> None:
    assert lines_in("\n".join(parts) + "\n") == parts


@pytest.mark.parametrize("name", [b"a:\x80", b"a:\\", b"C:\\Windows", b"C:\n.py"])
def test_a_name_with_a_colon_is_no_path_of_another_system(name: bytes) -> None:
    form = name_form(name)
    assert checked_path(form) == form
    assert raw_name(form) == name


@pytest.mark.parametrize("path", ["C:\\Windows", "C:\\x5C\\x", "c:a\\b", "C:/x\\y"])
def test_a_path_of_another_system_is_refused(path: str) -> None:
    with pytest.raises(InvalidValue, match="must be relative"):
        checked_path(path)
