"""Unfilled templates, and documents that only resemble one."""

import pytest

from counterproof.analysis.review.empty_templates import is_unfilled

BRACKETS = """# [Title]

## Summary

[Describe the change in two sentences.]

## Motivation

TBD

## Rollout

- Owner: [name]
- Date: YYYY-MM-DD

## Risks

| Risk | Mitigation |
|------|------------|
| [risk] | [mitigation] |
"""
PROMPTS = """---
status: draft
---
# Proposal: <title>

## Context

Describe the problem that you want to solve.

## Decision

What did we decide?

## Consequences

<!-- Say what becomes easier and what becomes harder. -->

## Alternatives

_List the alternatives that were considered._
"""
FILLED = """# Move the sessions

## Summary

Sessions move from the database to Redis, since reads are slow.

## Steps

1. We copy the rows.
2. We switch the readers.

## Risks

TBD

## Commands

```
redis-cli ping
```
"""
QUESTIONS = """# Frequently asked

## What is it?

A queue for jobs that run at night.

## Why Redis?

It was there already and is fast enough.

## Who runs it?

The platform team does.
"""


@pytest.mark.rule("R40")
@pytest.mark.parametrize("text", [BRACKETS, PROMPTS, "# A\n\n## B\n\n## C\n\n## D\n"])
def test_a_form_without_answers_is_a_template(text: str) -> None:
    assert is_unfilled(text)


@pytest.mark.rule("R40")
@pytest.mark.parametrize(
    "text", [FILLED, QUESTIONS, "A short note: we ship on Friday.\n", "# Only a title\n\nAnd one sentence here.\n", ""]
)
def test_what_somebody_wrote_is_none(text: str) -> None:
    assert not is_unfilled(text)
