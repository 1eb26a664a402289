"""What the plan's own words say to a doubt: that the point is open, that callers are changed along, that the old form stays.

Always: words weigh only on the one thing that they are about. That is the nearest thing which their clause names, or, where it
names none, what the lines at hand are about. Words that speak of everything, of something else, or that a reader does not get to
see weigh on nothing.
"""

import re
from collections.abc import Container
from itertools import islice

from counterproof.analysis.plans.blocks import SHELLS
from counterproof.analysis.plans.case import Case

LEFT_OPEN = re.compile(
    r"\bif (?:(?:it|they|these|this|not|any|the \w{1,20}|already) ?(?:is |are |do(?:es)? not )?)?"
    r"(?:exists?|present|missing|absent|there|available|needed|necessary)\b"
    r"|\bif (?:\w{1,20} ){0,2}(?:added|created|changed|required|applicable|used|relevant|desired|appropriate)\b"
    r"|\b(?:otherwise|else),? (?:skip|leave|omit)\b|\bskip (?:it |this |that )?(?:if|when|unless)\b|\(optional\b|\bas needed\b"
    r"|\b(?:adjust|adapt|align)\b(?=.{0,60}\b(?:to|if|accordingly|name|path|signature|import|actual|real)\b)"
    r"|\b(?:verify|check|confirm|find|look up|locate|grep|inspect)(?: \w{1,12}){0,3} (?:exact|actual|real|correct|right)\b"
    r"|\b(?:verify|check|confirm) (?:the|its|that|this)(?: \w{1,12}){0,2} (?:name|signature|path)\b"
    r"|\b(?:may|might) (?:differ|vary|not exist|already|be (?:named|called|elsewhere|different)|live)\b"
    r"|\bor (?:wherever|similar|equivalent|whatever|(?:a )?(?:new )?`[^`\n]{1,200}`)|\bwherever\b|\bwhatever (?:it|the)\b"
    r"|\b(?:placeholder|TBD|pseudo-?code|sketch|illustrative|not yet|will be (?:added|created|made|wired|written|implemented))\b"
    r"|\b(?:added|created|defined|implemented|built|made) (?:later|in (?:the next|a later|task|step|phase))\b"
    r"|\b(?:stubs?|stubbed|defer(?:red)?|comment(?:ed)? out|until (?:task|step|phase))\b"
    r"|\b(?:ou|o|oder) (?:\w{1,12} )?(?:equivalentes?|similar(?:es)?|similaires?|équivalente?s?|ähnlich\w{0,2})\b"
    r"|\b(?:se existir|si existe|s'il existe|falls vorhanden)\b"
    r"|\blocate\b|\brg --files\b|\bfind\b.{1,80}-name\b|如果?(?:存在|缺失|没有)|以实际|占位|后续|桩|注释掉"
    r"|없으면|있는지 확인|なければ|存在しない場合|若无|如无|没有则|不存在则|если (?:нет|отсутств|ещё нет)|nếu (?:chưa|không) có"
    r"|\b(?:si (?:no existe|falta|absente?)|se (?:não existir|faltar|manca)|falls (?:nicht|noch nicht))\b"
    r"|필요 ?(?:시|하면)|또는 동등|맞춰 조정|必要に応じ|(?:si|se|falls|wenn) (?:es )?(?:necesario|necessário|nécessaire|nötig)",
    re.IGNORECASE,
)
"""Words by which a plan leaves open, or lets wait, what it names."""
MAX_LEAD = 600
MINDS = re.compile(
    r"\b(?:update|adapt|fix|migrate|change|adjust|convert|replace|switch|port|remove|rewrite|delete)\w{0,3} "
    r"(?:[\w`-]{1,30} ){0,3}"
    r"(?:callers?|call sites?|usages?|uses|references|imports|importers|users of|occurrences|consumers|triggers)\b"
    r"|\b(?:search|grep|find|look)(?: for)? (?:all|any|every|each|remaining|other)\b",
    re.IGNORECASE,
)
"""Words by which whoever uses a thing is changed along."""
KEPT = re.compile(
    r"\b(?:deprecat\w{0,6}|alias|shim|re-export\w{0,3}|keep(?:s|ing)? the old|forward\w{0,3} to|thin wrapper"
    r"|if (?:nothing|nobody|no \w{1,12}|unused|not (?:used|needed)|it is (?:unused|not)))\b",
    re.IGNORECASE,
)
"""Words of a plan that leaves the old form behind, or takes it away only if nobody needs it."""
REACH = 40
"""Letters between words and the thing that they are about."""
MAX_SAID = 5
"""Times that one clause is heard."""
_CLAUSE = re.compile(r"(?:[^.;!?|\n]|[.;!?](?!\s|\Z))+")
_MARKED = re.compile(r"`[^`\n]{1,300}`")
_COMMENT = re.compile(r"(?:#|//|/\*)(.*)")


_ADJUSTED = re.compile(
    r"\b(?:adjust|adapt|align|match|fit)\w{0,3}\b[^.;\n]{0,60}\b(?:it|this|them|names?|imports?|paths?|arg(?:ument)?s?"
    r"|param(?:eter)?s?|signatures?|constructors?|fields?|members?|types?|props?|calls?|shapes?|code|variables?|selectors?)\b"
    r"[^.;\n]{0,40}\b(?:real|actual|existing|current|needed)\b"
    r"|\b(?:preserve|keep)\b[^.;\n]{0,60}\b(?:existing|unchanged|as (?:it )?is)\b|\baccordingly\b"
    r"|\bdepends? on\b[^.;\n]{0,40}\b(?:actual|audit|findings|how|what|whether)\b"
    r"|\bif\b[^.;\n]{1,80}\b(?:differs?|different(?:ly)?|instead|another name|not exported)\b"
    r"|\b(?:check|confirm|verify|find|locate|look up|see|use)\b[^.;\n]{0,60}\b(?:exact|actual|real|correct|whichever|existing)\b"
    r"|以(?:现有|实际|真实)[^。；\n]{0,80}为准|按(?:现有|实际|真实)[^。；\n]{0,20}(?:调整|修改)",
    re.IGNORECASE,
)
"""Words around a block by which it is to be fitted to what is there."""
IMPORTS = re.compile(r"\bimport(?:s|ed|ing|ar|er|ieren?|e|a|iamo|uj)?\b|导入|引入|импорт|인포트|임포트|インポート", re.IGNORECASE)
_PLACED = (
    r"[ \t,]{0,3}(?:(?:right|just|directly|immediately)[ \t])?(?:after|before|below|above|near|next to|under|beside|at the)\b"
)
"""Words that say where code is to stand."""
SKETCH = re.compile(
    rf"(?<![.\w/-])(?:examples?|(?:for instance|e\.g\.)(?!{_PLACED})"
    r"|sketch\w{0,3}|pseudo\w{0,8}|roughly|conceptual\w{0,4}|illustrat\w{1,5}"
    r"|something like|along the lines|esempio|indicativ[oae]|ejemplo|exemplo|exemple|beispiel\w{0,4}|skizze|sinngemäß|przykład"
    r"|örnek|contoh)(?!\w)"
    r"|[(（][^()（）\n]{0,160}(?:\b(?:adapt|adjust|adatta|ajust|anpass|dostosuj|uyarla|sesuaikan)"
    r"|адаптир|điều chỉnh|[调調]整|조정)"
    r"|示例|例如|示意|伪代码|擬似コード|サンプル|適宜|예시|의사 ?코드|псевдокод|например|пример|ví dụ|mã giả",
    re.IGNORECASE,
)
"""Words by which a block is no more than a sketch of what is to be written, in the languages that plans are written in."""
_PSEUDO = re.compile(r"\bpseudo-?\s?c\w{2,5}\b|\badapt (?:to|the)\b|伪代码|擬似コード|의사 ?코드|псевдокод|mã giả", re.IGNORECASE)
MAX_OPENING = 300
"""Letters at the start of a block in which it says what it is."""


def led_openly(case: Case, line: int, imports: bool) -> int:
    """The line of the block around a line, where the words around it, or its first ones, make it a sketch, or leave open how it
    is to be fitted to what is there, or, for `imports`, speak of those; 0 if they do not."""
    block = next((code.block for code in case.codes if code.holds_line(line)), None)
    if block is None:
        return 0
    around = _MARKED.sub("", case.around(block))
    sketch = SKETCH.search(_MARKED.sub("", block.lead[-MAX_LEAD:])) or _PSEUDO.search(block.text[:MAX_OPENING])
    return block.first if sketch or _ADJUSTED.search(around) or (imports and IMPORTS.search(around)) else 0


def said_of(
    case: Case, words: re.Pattern[str], subject: str, near: Container[int] = (), within: Container[int] | None = None
) -> int:
    """The first line whose words are about the subject, also where a clause near it names nothing; 0 if there is none `within`
    some lines."""
    own = _names(subject)
    spoken = [(at, line) for at, line in case.lines_with(words) if within is None or at in within]
    told = (at for at, line in spoken if _speaks(words, line, case.code_lines.get(at, "text"), own, at in near))
    return next(told, 0)


def _names(subject: str) -> re.Pattern[str]:
    """A thing by its full name, and by its last part: the file without its folder, as a command looks for it without its ending
    too (`-name 'Cart*'`), the function without its module."""
    last = subject.rpartition("/")[2] if "/" in subject else subject.rpartition(".")[2]
    listed = "|".join(re.escape(each) for each in {subject, last if len(last) > 2 else subject})
    return re.compile(rf"(?<![\w/.-])(?:{listed}|{re.escape(last.partition('.')[0])}\*)(?![\w/-])")


def _speaks(words: re.Pattern[str], line: str, language: str, own: re.Pattern[str], near: bool) -> bool:
    """Whether a line's words are about a thing. Code that names it speaks by its comment, a command by itself, the
    message of a commit not at all."""
    if language == "text":
        clauses = (clause[0] for clause in _CLAUSE.finditer(line))
        said = ((clause, match.span()) for clause in clauses for match in islice(words.finditer(clause), MAX_SAID))
        return any(_is_about(clause, at, own, near) for clause, at in said if not _is_named(clause, at[0], own))
    if language in SHELLS:
        return own.search(line) is not None and "git commit" not in line
    comment = _COMMENT.search(line)
    return comment is not None and words.search(comment[1]) is not None and (near or own.search(line) is not None)


def _is_named(clause: str, at: int, own: re.Pattern[str]) -> bool:
    """Whether a word is part of a name, in code marks or of the thing itself: `tools/deferred/run.go` leaves nothing open."""
    named = (*_MARKED.finditer(clause), *own.finditer(clause))
    return any(each.start() < at < each.end() for each in named)


def _is_about(clause: str, at: tuple[int, int], own: re.Pattern[str], near: bool) -> bool:
    """Whether words of a clause are about a thing: nothing that the clause names is nearer to them."""
    marked = list(_MARKED.finditer(clause))
    mine = [match.span() for match in (*marked, *own.finditer(clause)) if own.search(match[0])]
    others = [match.span() for match in marked if not own.search(match[0])]
    others = [each for each in others if not at[0] <= each[0] < at[1]]
    if not mine:
        return near and not others
    gap = min(_gap(each, at) for each in mine)
    return gap <= REACH and all(gap <= _gap(each, at) for each in others)


def _gap(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(other[0] - one[1], one[0] - other[1], 0)
