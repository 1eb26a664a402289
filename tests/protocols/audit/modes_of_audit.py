"""A whole quick audit as a report."""

from counterproof.model.finding import Finding
from counterproof.model.report import Report
from counterproof.protocols.audit.commands import WriteReport
from protocols.audit.play import whole_quick_audit


def quick_report(*findings: Finding) -> Report:
    command = whole_quick_audit(*findings).commands[0]
    assert isinstance(command, WriteReport)
    return command.report
