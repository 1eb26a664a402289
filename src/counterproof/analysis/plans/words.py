"""Which files of a repository may hold a word, and which names they define; kept between runs, file by file, by content.

Always: a file that holds a word is never left out; one that does not may be named now and then, because words are known by a
short hash, so whoever asks looks into the file itself. A row is used again only for the same bytes and the same program. An
entry that is damaged or not ours is passed over. What a word means does not belong here.
"""

import json
import re
import zlib
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from counterproof.analysis.cache import Store, digest_of
from counterproof.model.survey import SourceFile

MAX_TEXT = 1_000_000
"""Larger files are not searched for names."""

_WORD = re.compile(r"\w+")
_DEFINITION = re.compile(
    r"(?m)^[ \t]{0,40}(?:(?:export|default|async|pub|public|private|protected|static|abstract|declare)[ \t]+){0,5}"
    r"(?:def|class|function|func(?:[ \t]+\([^()\n]{0,80}\))?|fn|fun|const|interface|type|enum|struct|trait|record|object)"
    r"[ \t]+(\w{2,80})"
)
_METHOD = re.compile(
    r"(?m)^[ \t]{0,40}(?:(?:public|private|protected|internal|static|async|override|virtual|abstract|sealed|final)[ \t]+){1,5}"
    r"[\w<>\[\],.?]{1,80}[ \t]+(\w{2,80})[ \t]*[(<]"
)
"""A method whose type stands before its name, as in C# and Java."""
_CODE = re.compile(r"\.(?:rs|cs|kt|kts|swift|dart|c|h|cc|cpp|hpp|scala|ex|exs|lua|zig|vue|svelte|astro)\Z", re.IGNORECASE)
"""Code of languages that no analyser reads; its names count all the same."""
_STEP = 4
"""Bytes of one hash."""


@dataclass(frozen=True, slots=True)
class Row:
    """One file: the hashes of its words, sorted, and the names that it defines."""

    words: bytes
    defined: tuple[str, ...]


class WordIndex:
    """The rows of the files in scope, by path."""

    def __init__(self, rows: dict[str, Row]) -> None:
        self._rows = rows

    def may_hold(self, path: str, parts: Iterable[bytes]) -> bool:
        """Whether a file may hold all of these hashed words. Files without a row are not searched at all."""
        row = self._rows.get(path)
        return row is not None and all(part in row.words for part in parts)

    def defined(self, path: str) -> tuple[str, ...]:
        row = self._rows.get(path)
        return row.defined if row else ()


def hashed(phrase: str) -> tuple[bytes, ...]:
    """The words of a phrase as the index knows them."""
    return tuple(_hash(word).to_bytes(_STEP, "little") for word in _WORD.findall(phrase))


def indexed(files: Iterable[SourceFile], text: Callable[[str], str], store: Store | None, name: str) -> WordIndex:
    """The index of these files; rows of an earlier run under the same name are used where the bytes are the same."""
    wanted = [file for file in files if file.size <= MAX_TEXT]
    key = digest_of("words and definitions of a repository, in any language", (), name)
    before = _decoded(store.find(key, "Words")) if store else {}
    known = dict(before)
    for file in wanted:
        if file.sha256 not in known:
            known[file.sha256] = _row(text(file.path), file.language is not None or _CODE.search(file.path) is not None)
    rows = {file.path: known[file.sha256] for file in wanted}
    kept = {file.sha256: known[file.sha256] for file in wanted}
    if store and kept.keys() != before.keys():
        store.keep(key, _encoded(kept))
    return WordIndex(rows)


def _row(text: str, code: bool) -> Row:
    hashes = array("I", sorted({_hash(word) for word in set(_WORD.findall(text))}))
    defined = {*_DEFINITION.findall(text), *_METHOD.findall(text)} if code else set[str]()
    return Row(hashes.tobytes(), tuple(sorted(defined)))


def _hash(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


def _encoded(rows: dict[str, Row]) -> bytes:
    head = [[digest, len(row.words), " ".join(row.defined)] for digest, row in rows.items()]
    return json.dumps(head).encode("ascii") + b"\n" + b"".join(row.words for row in rows.values())


def _decoded(body: bytes | None) -> dict[str, Row]:
    """What an entry holds; nothing if it holds anything else than rows."""
    head, _, words = (body or b"").partition(b"\n")
    rows: dict[str, Row] = {}
    start = 0
    try:
        listed: Any = json.loads(head or b"[]")
        for digest, length, defined in listed:
            rows[str(digest)] = Row(words[start : start + int(length)], tuple(str(defined).split()))
            start += int(length)
    except (ValueError, TypeError, RecursionError):
        return {}
    return rows if start == len(words) else {}
