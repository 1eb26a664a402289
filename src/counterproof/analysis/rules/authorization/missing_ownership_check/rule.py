"""Objects looked up by an id from the request, without asking whose they are.

## What it finds
A handler that asks for a login but for no role, reads or changes an object that belongs to somebody, chooses it by an id from the
request, and never speaks of the caller on that path; and one that lists all of them where others ask for
the caller's own. In scripts: an id from the request that leads to such an object behind a login, where no function on the way
speaks of who is logged in.

## Why it matters
By counting the id up, a logged-in caller reads or changes what belongs to others.

## What is safe
A lookup that names the caller as well, a comparison of the owner with the caller before the object is used, or a role check.

## Limits
Objects count as owned when their table or model has a column that names an owner, or is a list of people. Row-level security in
the database is not seen. In scripts the route, the parameter or the function must speak of something that people own; a hook of
the model is not seen.
"""

from dataclasses import replace
from itertools import chain

from counterproof.analysis.control.generic_views import unowned_views
from counterproof.analysis.control.ownership import missing_owners
from counterproof.analysis.control.unscoped_lists import unscoped_lists
from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import ControlRule, FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = ControlRule(
    RuleInfo(
        id="missing-ownership-check",
        title="Insecure direct object reference (IDOR)",
        dimension=Dimension.D3,
        kind="ownership",
        guard="a question about the owner",
        cwe=639,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="A logged-in caller reads or changes what belongs to others by changing the id.",
        remedy="Look the object up by the caller's own id as well, or compare its owner with the caller.",
    ),
    lambda site: chain(
        missing_owners(site.quotes, site.program, site.operations),
        unowned_views(site.quotes, site.program),
        unscoped_lists(site.quotes, site.program, site.operations),
    ),
)

SCRIPTS = FlowRule(
    replace(
        RULE.info,
        id="javascript-missing-ownership",
        guard="",
        remedy="Filter the query by the session's user, or compare the owner with that user.",
    ),
    sinks=sinks("object-lookup", Language.JAVASCRIPT),
    poc="2",
    private=True,
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
