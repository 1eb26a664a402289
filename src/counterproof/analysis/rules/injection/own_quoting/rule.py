"""Values quoted for a statement by the program's own replacement.

## What it finds
In code that others install: a quotation mark that is doubled, or gets a backslash, in a file whose functions speak of a database,
a statement or a query, where nothing is done about backslashes.

## Why it matters
Some databases read backslashes in texts (MySQL, ClickHouse, BigQuery, Snowflake). There `\\'` becomes `\\''`: the first quotation
mark is escaped, and the second ends the text. What follows is part of the statement.

## What is safe
Parameters; the quoting function of the database's own library; doubling the backslashes first.

## Limits
Told as posture: which database it is, and who chooses the value, is not followed. Names of columns and tables in double quotation
marks are not read.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.replacements import replacements
from counterproof.analysis.outline.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.model.proof import Shape

_DOUBLED = ("''", "\\'", "\\\\'")
_STATEMENTS = vocabulary(
    "sql query queries statement database db where filter filters column columns table dialect predicate literal"
)


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path) if "'" in project.text(path) else None
    if outline is None:
        return
    found = list(replacements(outline, scripts=script_file(path)))
    careful = {each.site.scope for each in found if "\\" in each.plain}
    functions = outline.functions.values()
    spoken = (path, *outline.functions, *(each.name for function in functions for each in function.parameters))
    about = {word for each in spoken for word in words(each)} & _STATEMENTS
    for each in found:
        function = each.site.function
        if each.plain != "'" or each.by not in _DOUBLED or each.site.scope in careful or function is None:
            continue
        if about or words_in(*function.body) & _STATEMENTS:
            yield bad(each.site, "quoting", "the quotation mark is doubled, and backslashes are left", Confidence.MEDIUM)


RULE = CheckRule(
    title="SQL injection: values quoted by the program's own replacement",
    kind="sql",
    cwe=89,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    posture=True,
    consequence="A value with a backslash before a quotation mark ends its text and goes on as part of the statement.",
    remedy="Hand values over as parameters, or quote them with the library of the database.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="quotation marks that are doubled for statements",
)
