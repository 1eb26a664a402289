"""Doubts about files that a plan writes out anew: what they no longer have, and files that it leaves alone still take.

Always: only a block that is a whole file: it opens as one, leaves nothing out, and its words say that it replaces the file or it
has most of what the file defines. What any block for this file has a word of is not gone.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import DIFFS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind, shown
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.hearing import MINDS, said_of
from counterproof.analysis.plans.importing import Place
from counterproof.analysis.plans.left_files import first_use, is_only, read, rewritten, takes, users
from counterproof.model.plan.challenge import Weight

_OMITTED = re.compile(
    r"\.\.\.(?![\w\[({$])|…|\b(?:existing|unchanged|same as|rest of|omitted|remains?|as before|keep)\b|其余|保持|省略|不变",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\breplace[ds]?\b[^.\n]{0,40}\b(?:entire|whole|full|complete|all)\b"
    r"|\b(?:entire|whole|full|complete)[ \t]+(?:new[ \t]+)?(?:file|content)"
    r"|\b(?:rewrite|overwrite)\b[^.\n]{0,40}(?:\bfile\b|\.\w{1,6}\b)|重写|整个文件|完整(?:内容|文件)",
    re.IGNORECASE,
)
"""Words by which a block takes the place of a file."""
ADDS = re.compile(
    r"\b(?:add|append|insert|prepend|extend|añad|agreg|adicion|ajout|hinzu)\w{0,6}\b|新增|追加|添加|추가", re.IGNORECASE
)
"""Words in the lead of a block that stands beside what is there."""
_OPENS = re.compile(r"(?:import|from|use|package|\"use|'use|const [^\n]{0,80}require)\b")
_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|\"\"\"|\Z)")
_TOP = re.compile(
    r"(?m)^(?:export[ \t]+(?:default[ \t]+|declare[ \t]+|abstract[ \t]+|async[ \t]+){0,3}(?:function\*?|class|const|let|var|type"
    r"|interface|enum)[ \t]+|(?:async[ \t]+)?(?:def|class)[ \t]+"
    r"|pub[ \t]+(?:async[ \t]+)?(?:fn|struct|enum|trait|const|type)[ \t]+|func[ \t]+(?=[A-Z]))(?P<name>[A-Za-z$]\w{2,80})"
)
_MEMBER = re.compile(
    r"(?m)^[ \t]{2,12}(?:async[ \t]+)?(?:def[ \t]+(?P<method>[a-z]\w{4,80})\(|(?P<key>[A-Za-z$][\w$]{4,80})"
    r"(?:\??:[ \t]*(?:async[ \t]*)?\(|\([^;\n]{0,200}\)[^;=\n]{0,80}\{[ \t]*$))"
)
"""A method of a class, or a function that an object holds under a name."""
_KEYWORDS = frozenset(["while", "switch", "catch", "return", "function", "constructor"])


def left_takers(case: Case) -> Iterator[Doubt]:
    """Names that a file written out anew no longer has, while files that are left alone use them; one doubt for each file."""
    for home, codes in rewritten(case).items():
        old = read(case, home)
        tops = [match["name"] for match in _TOP.finditer(old.text)]
        whole = next((code for code in codes if _is_whole(code, old, tops)), None)
        if whole is None:
            continue
        words = set(re.findall(r"[A-Za-z_$][\w$]*", "\n".join(code.block.text for code in codes)))
        lost = [name for name in dict.fromkeys(tops) if name not in words]
        members = [match["method"] or match["key"] for match in _MEMBER.finditer(old.text)]
        left = {name: place for name in lost if (place := _taken(case, name, home))}
        left |= {
            name: place
            for name in dict.fromkeys(members)
            if name not in words | _KEYWORDS and (place := _read(case, name, home, tops))
        }
        left = {name: place for name, place in left.items() if not said_of(case, MINDS, name)}
        if left:
            yield _dropped(home, whole, left)


def _is_whole(code: Code, old: Code, tops: list[str]) -> bool:
    if code.block.language in (*DIFFS, "text") or _OMITTED.search(code.text) or not tops:
        return False
    first = next((line for line in code.text.split("\n") if not _COMMENT.match(line)), "")
    shown = {match["name"] for match in _TOP.finditer(code.text)}
    most = len(shown & set(tops)) * 2 > len(set(tops)) and code.text.count("\n") * 2 > old.text.count("\n")
    told = _WHOLE.search(code.block.lead) is not None or (most and not ADDS.search(code.block.lead))
    return _OPENS.match(first) is not None and told and bool(shown & set(tops))


def _taken(case: Case, name: str, home: str) -> Place | None:
    """Where a file that is left alone takes a name from the file."""
    if not is_only(case, name, home):
        return None
    found = (user for user in users(case, name, home) if takes(user, name, home))
    return next((place for user in found if (place := first_use(user, rf"(?<![\w$]){re.escape(name)}(?![\w$])"))), None)


def _read(case: Case, name: str, home: str, tops: list[str]) -> Place | None:
    """Where a file that is left alone, and takes something from the file, reads a member by its name."""
    if not is_only(case, name, home):
        return None
    found = (user for user in users(case, name, home) if any(takes(user, top, home) for top in tops))
    return next((place for user in found if (place := first_use(user, rf"\.{re.escape(name)}(?![\w$])"))), None)


def _dropped(home: str, whole: Code, left: dict[str, Place]) -> Doubt:
    names = ", ".join(f"`{name}`" for name in list(left)[:5])
    line = whole.block.first
    return Doubt(
        Kind.REMOVAL,
        next(iter(left)),
        f"and {len(left) - 1} more" if len(left) > 1 else "",
        f"The block of line {line} is `{home}` as a whole and has no {names}; used where no step goes: {shown(left.values())}",
        f"After line {line} these places look for something that is gone, and fail when they are imported or run",
        f"Keep {names} in `{home}`, or add a step that changes {shown(left.values(), 3)}",
        Weight.BLOCKING,
        lines=(line,),
        places=tuple(f"{path}:{number}" for path, number in list(left.values())[:10]),
        evidence=Evidence.LEFT_TAKER,
    )
