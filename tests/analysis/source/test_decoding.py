"""Text is what the interpreter would see, or it is refused."""

import pytest

from counterproof.analysis.source.decoding import BrokenEncoding, declared_encoding, decode, decode_as
from counterproof.model.survey import Language


@pytest.mark.parametrize(
    ("data", "declared"),
    [
        (b"# coding: utf-8\n", "utf-8"),
        (b"#!/usr/bin/python\n# -*- coding: Latin_1 -*-\n", "latin-1"),
        (b"# vim: set fileencoding=cp1252 :\n", "cp1252"),
        (b"x = 1\n# coding: utf-7\n", ""),
        (b"\n\n# coding: utf-7\n", ""),
        (b"\xef\xbb\xbf# coding: utf-8\r\n", "utf-8"),
        (b"#" + b" " * 5_000 + b"coding: utf-7\n", "utf-7"),
        (b"", ""),
    ],
)
def test_declarations_are_read_where_python_reads_them(data: bytes, declared: str) -> None:
    assert declared_encoding(data) == declared


@pytest.mark.rule("X21")
@pytest.mark.parametrize(
    ("declared", "data"),
    [
        ("utf-7", b"x = +AGUAdgBh-l(y)\n"),
        ("unicode_escape", b"x = \\x65val(y)\n"),
        ("raw_unicode_escape", b"x = \\u0065val(y)\n"),
        ("iso-latin-1", b"x = eval(y)\n"),
        ("utf-8-unix", b"x = eval(y)\n"),
    ],
)
def test_code_in_a_declared_encoding_is_read_as_python_reads_it(declared: str, data: bytes) -> None:
    assert decode(f"# coding: {declared}\n".encode() + data, python=True).split("\n")[1] == "x = eval(y)"


@pytest.mark.rule("X21")
def test_a_comment_ends_where_the_interpreter_ends_it() -> None:
    assert decode_as(b"# hidden\rrun()\r\n", Language.PYTHON) == "# hidden\nrun()\r\n"
    assert decode_as(b"# shown\rrun()\n", Language.RUBY) == "# shown\rrun()\n"


@pytest.mark.parametrize("name", ["rot13", "punycode", "utf-16", "utf_32_le", "nonsense", "os.path"])
def test_encodings_that_python_reads_no_source_with_are_refused(name: str) -> None:
    with pytest.raises(BrokenEncoding, match="declares the encoding"):
        decode(f"# coding: {name}\nx = 1\n".encode(), python=True)


def test_a_declaration_counts_in_python_only() -> None:
    assert decode(b"# coding: utf-7\n", python=False) == "# coding: utf-7\n"


def test_multi_byte_encodings_are_read_by_their_own_rules() -> None:
    text = "# coding: shift_jis\nx = '表'\n"
    assert decode(text.encode("shift_jis"), python=True) == text


def test_broken_bytes_are_refused_with_their_place() -> None:
    with pytest.raises(BrokenEncoding, match="not valid utf-8 at byte 4"):
        decode(b"x = \xff\n", python=True)


def test_windows_manifests_are_read() -> None:
    assert decode("flask==1.0\r\n".encode("utf-16"), python=False) == "flask==1.0\r\n"


@pytest.mark.parametrize("language", [Language.JAVASCRIPT, Language.TYPESCRIPT, Language.PHP])
def test_a_byte_that_the_interpreter_does_not_mind_hides_no_file(language: Language) -> None:
    assert decode_as(b"run() // caf\xe9\n", language) == "run() // caf\ufffd\n"


@pytest.mark.parametrize("language", [Language.PYTHON, Language.GO, None])
def test_where_the_interpreter_refuses_broken_bytes_they_are_refused(language: Language | None) -> None:
    with pytest.raises(BrokenEncoding, match="not valid utf-8"):
        decode_as(b"x = \xff\n", language)
