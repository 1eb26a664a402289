"""Flows that rest in a store between two requests, for every rule about data.

A standard audit asks that of few rules. Always holds: a flow counts only where the code shows both halves, the write of what a
request brought and the read of the same table or field; its confidence is medium at most. Does not belong here: which calls are
stores.
"""

from dataclasses import replace

from counterproof.analysis import flow
from counterproof.analysis.checked_proofs import proved_finding
from counterproof.analysis.examples import without_examples
from counterproof.analysis.flow.values import STORED
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.recon import EntryPoint


def stored_flows(
    project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...]
) -> tuple[tuple[Finding, ...], int, str]:
    """Findings, the number of sinks that stored data was followed to, and why there are none."""
    rules = tuple(
        replace(each.rule, stored=True)
        for each in load_rules()
        if isinstance(each.rule, FlowRule) and not each.rule.stored and each.rule.info.dimension in dimensions
    )
    followed = without_examples(project, flow.examine(project, rules, entry_points))
    met = sum(f"{STORED} data" in trace.origin for trace in followed.traces)
    findings = tuple(proved_finding(project, each) for each in followed.findings)
    return findings, met, "" if met else "no sink is given what was read back from a store"
