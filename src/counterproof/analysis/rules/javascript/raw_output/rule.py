"""Template output without escaping, in JavaScript programs.

## What it finds
`<%- value %>` of EJS, `!{value}` and `!=` of Pug, `{{{value}}}` of Handlebars and Mustache, `| safe` of Nunjucks and Swig;
`dangerouslySetInnerHTML` of React, `v-html` of Vue, `{@html value}` of Svelte.

## Why it matters
Anything that a user stored in the value becomes part of the page, scripts included.

## What is safe
The form that escapes: `<%= value %>`, `#{value}`, `{{value}}`; partial templates that the program includes.

## Limits
The origin of the value is not followed here, so confidence is medium. Values that come from a request are reported by
`javascript-xss`.
"""

from collections.abc import Iterator

from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.templates.script_templates import prints_pages, raw_outputs


def _check(project: Project, path: str) -> Iterator[Match]:
    for raw in raw_outputs(path, project.text(path)):
        yield Match(raw.line, raw.line, raw.expression, "printed without escaping", True, Confidence.MEDIUM)


RULE = CheckRule(
    title="Cross-site scripting (XSS): unescaped template output",
    kind="xss",
    cwe=79,
    severity=Severity.MEDIUM,
    posture=True,
    consequence="Scripts in stored values run in the browsers of other users.",
    remedy="Print the value with escaping, or sanitize it before it is stored.",
    check=_check,
    applies=prints_pages,
    query="values that templates print without escaping",
)
