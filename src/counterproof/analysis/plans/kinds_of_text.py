"""Whether a text is a plan at all: can an intended change be read from it? (P16)

Always: what is refused is refused with the reason. A text is no plan when it is of another known kind (source code, a licence, a
changelog, a guide to a finished program, a form that nobody filled in) and has nothing of a plan beside it, or when no line of
it says what is to be done.
"""

import re

from counterproof.analysis.plans.intents import label_of
from counterproof.analysis.plans.layout import ITEM, Line
from counterproof.model.plan.outline import PlanStep

_CODE = re.compile(
    r"\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|java|kt|go|php|rb|rs|c|h|cc|cpp|cs|swift|sql|html|css|scss|vue|json|ya?ml|toml|ini|cfg|sh|lock"
    r"|xml|csv|svg)\Z",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"permission is hereby granted|GNU (?:AFFERO |LESSER )?GENERAL PUBLIC LICENSE|Apache License\s+Version"
    r"|redistribution and use in source"
    r"|MOZILLA PUBLIC LICENSE|without warranty of any kind|THE SOFTWARE IS PROVIDED",
    re.IGNORECASE,
)
_PLAN_TITLE = re.compile(
    r"\b(?:plan|proposal|rfc|design|roadmap|migration|refactor\w{0,4}|implement\w{0,7}|spec(?:ification)?|tasks?|approach|todo|strategy"
    r"|goals?|milestones?|phases?|adr|decision|requirements?|rollout|backlog|action items|next steps|changes to make|what (?:to"
    r"|we) (?:do|change))\b|计划|計劃|計画|方案|设计|設計|重构|规划|任务|계획|설계|plano?\b|planung",
    re.IGNORECASE,
)
MIN_PROSE = 8
"""Lines from which on a text that calls itself a plan is taken at its word, whatever its language."""
_VERBS = (
    r"add|create|write|introduce|implement|build|define|update|change|modify|edit|extend|refactor|adjust|fix|rewrite|convert|adapt"
    r"|remove|delete|drop|retire|rename|move|extract|split|replace|swap|migrate|switch|port|wire|expose|make|let|set up"
    r"|configure|enable"
    r"|disable|bump|upgrade|merge|deprecate|document|test|cover|validate|store|keep|use|support|handle|return|raise|ensure|register"
)
_ELSEWHERE = (
    r"crea|agreg|añad|implement|modific|elimin|actualiz|créer|ajout|modifi|supprim|erstell|hinzufüg|änder|entfern|ersetz|criar|adicion"
    r"|remov|추가|수정|삭제|생성|구현|변경|変更|追加|削除|作成|実装|修正|修改|新增|添加|删除|創建|创建|实现|重构|移动|替换|增加|支持|改为|更新|迁移"
)
"""The same in other languages, as the beginnings of words."""
_IMPERATIVE = re.compile(
    rf"[\W_\d]{{0,14}}(?:T\d{{1,4}}\W{{1,4}})?(?:then |next,? |finally,? |first,? |please )?(?:{_VERBS})\b", re.IGNORECASE
)
_INTENDS = re.compile(
    r"\b(?:we|i|it|this|they|plan|change|step|work|pr)\b[^.\n]{0,40}\b(?:will|shall|should|must|need to|needs to|plan to"
    r"|want to|propose"
    r"|are going to|is going to|intend)\b|\b(?:will|should|must|to) be (?:\w{1,12} )?\w{3,15}ed\b|\blet's\b|\bneeds? (?:a|an"
    r"|to)\b",
    re.IGNORECASE,
)
_OPEN_BOX = re.compile(r"[ \t]*[-*+][ \t]+\[ \]")
_RELEASE = re.compile(
    r"\[?v?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?[\w.-]{0,20}\]?|\[?unreleased\]?|(?:release|version)[ \t]+v?\d", re.IGNORECASE
)
_GUIDE = re.compile(
    r"(?:\W{0,6})(?:install\w{0,6}|usage|getting started|quick ?start|licen[cs]e|contributing|features|requirements|examples?"
    r"|documentation"
    r"|acknowledge?ments?|credits|support|faq|badges|prerequisites|configuration|development|running(?: the)? tests|tests?"
    r"|authors?|built with"
    r"|code of conduct|security|reporting .{0,30}|our (?:pledge|standards|responsibilities)|enforcement|scope|attribution"
    r"|table of contents|contents|demo|screenshots?|pull requests?|supported versions)\W{0,3}\Z",
    re.IGNORECASE,
)
_BLANK = re.compile(
    r"\[(?![ xX]\])[^\]\n`]{3,80}\](?!\()|<[a-z][^>\n`]{2,60}>|\{\{?[\w .-]{2,60}\}?\}|\bTBD\b|\bTODO\b|_{4,}|\.\.\.|…"
    r"|NEEDS CLARIFICATION"
)


def no_plan(path: str, lines: tuple[Line, ...], steps: tuple[PlanStep, ...]) -> str:
    """Why a text is no plan; '' if it is one."""
    prose = [line for line in lines if line.code in ("", "text") and line.text.strip()]
    headings = [line.text.lstrip("# ").strip() for line in prose if line.level]
    name = path.rpartition("/")[2]
    if _CODE.search(name):
        return "it is source code or configuration, not a document"
    if _LICENCE.search("\n".join(line.text for line in prose[:80])) and not headings[1:]:
        return "it is a licence"
    intended = [line for line in prose if _intends(line)]
    unfilled = [line for line in intended if _BLANK.search(line.text)]
    planned = _is_planned(name, headings, prose, steps)
    if not planned:
        kind = _other_kind(name, headings)
        if kind:
            return f"it is {kind}: it tells of what is there, not of what is to be done"
    if intended and len(unfilled) * 2 > len(intended) and _is_form(prose):
        return "it is a form that nobody has filled in"
    if not (intended or (planned and (steps or len(prose) > MIN_PROSE))) or (
        not planned and not steps and len(intended) < 2 and len(prose) > 12
    ):
        return "no line of it says what is to be changed"
    return ""


def _intends(line: Line) -> bool:
    text = line.text[:500]
    if line.level and not re.search(r"[^\x00-\x7f]", text):
        return _IMPERATIVE.match(text) is not None
    if re.search(_ELSEWHERE, text, re.IGNORECASE) and re.search(r"[^\x00-\x7f]", text):
        return True
    begins = (ITEM.match(text) is not None or text[:1].isalpha() or text[:1] in "*_>|") and _IMPERATIVE.match(text) is not None
    return begins or label_of(text) is not None or _OPEN_BOX.match(text) is not None or _INTENDS.search(text) is not None


def _is_planned(name: str, headings: list[str], prose: list[Line], steps: tuple[PlanStep, ...]) -> bool:
    """Whether the form alone says that this is a plan: its name, its title, boxes to tick, labels of files."""
    titled = bool(headings and _PLAN_TITLE.search(headings[0])) or _PLAN_TITLE.search(re.sub(r"[_-]", " ", name)) is not None
    boxes = sum(_OPEN_BOX.match(line.text) is not None for line in prose)
    labels = sum(label_of(line.text) is not None for line in prose)
    sections = sum(_PLAN_TITLE.search(each) is not None for each in headings[1:])
    return titled or boxes >= 2 or labels >= 2 or sections >= 2


def _other_kind(name: str, headings: list[str]) -> str:
    plain = name.lower()
    releases = sum(_RELEASE.match(each) is not None for each in headings)
    if re.match(r"change(?:s|log)|history|news|release", plain) or (releases >= 2 and releases * 2 >= len(headings) - 1):
        return "a changelog"
    if re.match(r"licen[cs]e|copying|notice", plain):
        return "a licence"
    guide = sum(_GUIDE.match(each) is not None for each in headings)
    if re.match(r"readme|contributing|code_of_conduct|security|support|authors|install", plain) or (
        guide >= 2 and guide * 2 >= len(headings) - 1
    ):
        return "a guide to a program"
    return ""


def _is_form(prose: list[Line]) -> bool:
    blank = sum(_BLANK.search(line.text) is not None for line in prose if not line.level)
    return blank * 3 >= len(prose)
