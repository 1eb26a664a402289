"""Fields of an object chosen by the sender.

## What it finds
Request data spread over an object's fields by name, without a fixed list of the fields that may be set; and privileged fields,
such as a role, taken straight from the request. Forms and serialisers that take over all fields of a model count where it has
such a field, or one that says whose the object is and that the code that uses them does not set.

## Why it matters
The sender sets fields that were never meant to be theirs: a role, a balance, an owner.

## What is safe
A test of each name against a fixed list, fields named one by one, or a schema that knows only the allowed ones.

## Limits
Whether a model has privileged fields at all is judged by names.
"""

from itertools import chain

from counterproof.analysis.control.assignment import mass_assignments
from counterproof.analysis.control.schemas import open_schemas
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="mass-assignment",
        title="Mass assignment",
        dimension=Dimension.D9,
        kind="assignment",
        guard="a list of the fields that may be set",
        cwe=915,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender sets fields that were never meant to be theirs, such as a role or a balance.",
        remedy="Copy only an allow-list of fields from the request.",
    ),
    lambda site: chain(mass_assignments(site.backward, site.operations), open_schemas(site.quotes, site.program)),
)
