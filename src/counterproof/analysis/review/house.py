"""What a repository's own documents ask of a document: its template, and the headings that its neighbours have in common.

Always: a question that the neighbours do not answer is none that this house asks; a document without neighbours is asked
everything. Documents of one folder are neighbours; at most so many of them are read.
"""

import re
from collections import Counter
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.empty_templates import is_unfilled
from counterproof.analysis.review.sections import Section, sections
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

MIN_NEIGHBOURS = 4
MAX_NEIGHBOURS = 12
SHARE = 0.8
"""Of the neighbours that have a section, for this document to be missed by its absence."""
MAX_MISSING = 3
_OPTIONAL = re.compile(
    r"optional|if applicable|where applicable|if any|delete|remove this|acknowledg|thanks|reference|appendix", re.IGNORECASE
)
_TEMPLATE = re.compile(r"(?:^|[/_.-])template[^/]*\.(?:md|rst)$|(?:^|/)0+-template", re.IGNORECASE)


def asks(view: View, path: str, answers: re.Pattern[str]) -> bool:
    """Whether documents of this house have a section that answers the question, or the house has no others."""
    around = neighbours(view, path)
    if len(around) < MIN_NEIGHBOURS:
        return True
    answered = sum(any(answers.search(each.title) for each in sections(view.project.text(one))) for one in around)
    return answered * 2 >= len(around)


def neighbours(view: View, path: str) -> tuple[str, ...]:
    """Other documents of the folder; of one that holds each document in a folder of its own, those of the folders beside it."""
    folder, _, name = path.rpartition("/")
    ending = name[name.rfind(".") :]
    near = [each for each in view.project.files if each != path and each.rpartition("/")[0] == folder and each.endswith(ending)]
    if not near and "/" in folder:
        outer = folder.rpartition("/")[0]
        near = [
            each for each in view.project.files if each.endswith(f"/{name}") and each.startswith(f"{outer}/") and each != path
        ]
    kept = [each for each in near if not _TEMPLATE.search(each) and not each.lower().endswith("readme.md")]
    return tuple(sorted(kept)[:: max(1, len(kept) // MAX_NEIGHBOURS)][:MAX_NEIGHBOURS])


def missing(view: View) -> Iterator[Claim]:
    """Sections that the template asks for, or nearly every neighbour has, and this document lacks."""
    for path in view.files:
        text = view.project.text(path)
        own = [_plain(each.title) for each in sections(text)]
        if is_unfilled(text) or len(own) < 2 or _TEMPLATE.search(path):
            continue
        wanted = [(title, source) for title, source in _expected(view, path) if not any(_alike(title, each) for each in own)]
        for title, source in wanted[:MAX_MISSING]:
            why = (
                f"{source}, and this document has no such section. Who reads it looks for an answer there and cannot tell "
                "whether there is none or nobody thought of it."
            )
            yield Claim(
                "section is missing", f"no section about {title[:80]!r}", Severity.LOW, at(path, 1), why,
                confidence=Confidence.MEDIUM, fix="Write it, or say that it does not apply",
            )  # fmt: skip


def _expected(view: View, path: str) -> Iterator[tuple[str, str]]:
    around = neighbours(view, path)
    headings = [{_plain(each.title) for each in _parts(view.project.text(one))} for one in around]
    common = Counter(title for each in headings for title in each)
    template = _template(view, path)
    if template:
        asked = [
            each for each in _parts(view.project.text(template)) if not _OPTIONAL.search(f"{each.title} {each.content[:300]}")
        ]
        for each in asked:
            title = _plain(each.title)
            if not around or common[title] * 2 >= len(around):
                yield title, f"The template {template} asks for {title!r} at line {each.line}"
    elif len(around) >= MIN_NEIGHBOURS:
        for title, count in common.most_common(20):
            if count >= SHARE * len(around) and not _OPTIONAL.search(title):
                yield title, f"{count} of {len(around)} documents beside it have a section {title!r}"


def _template(view: View, path: str) -> str:
    """The nearest template: of the folder, or of one around it."""
    folder = path.rpartition("/")[0]
    found = [each for each in view.project.files if _TEMPLATE.search(each) and each != path]
    fitting = [each for each in found if (top := each.rpartition("/")[0]) == folder or folder.startswith(f"{top}/") or not top]
    return max(fitting, key=lambda each: each.count("/"), default="")


def _parts(text: str) -> list[Section]:
    return [each for each in sections(text) if each.level in (2, 3)]


def _plain(title: str) -> str:
    return re.sub(r"[^a-z ]", "", re.sub(r"\(.*?\)", "", title.lower())).strip()


def _alike(title: str, other: str) -> bool:
    """Whether two headings speak of one thing: one holds the other, or they share their first longer word."""
    words, others = ([word[:6] for word in each.split() if len(word) > 3] for each in (title, other))
    return title in other or (bool(other) and other in title) or bool(set(words) & set(others))
