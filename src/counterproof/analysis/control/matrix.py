"""The endpoint-permission matrix (A9), and the resource types of the endpoints (A19).

Invariant: an undetermined value is unknown, never no. Not handled here: findings.
"""

from counterproof.analysis.control.operations import Operation, operations_of
from counterproof.analysis.control.roles import roles_asked
from counterproof.analysis.endpoints.entered_program import EnteredProgram, entered_program
from counterproof.analysis.inventory.permissions import ADMINISTRATORS, names_administrators, role_asked
from counterproof.analysis.program.program import enclosing
from counterproof.analysis.project import Project
from counterproof.model.location import Location
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, Guard, Permission


def permissions(project: Project, entry_points: tuple[EntryPoint, ...]) -> tuple[Permission, ...]:
    """One row per network entry point, in the order given."""
    program = entered_program(project, entry_points)
    return tuple(
        Permission(each.handler, each.method, each.path, each.guard, role_of(program, each), each.guard_evidence)
        for each in entry_points
        if each.kind in NETWORK_KINDS
    )


def administrators_only(project: Project, entry_points: tuple[EntryPoint, ...]) -> frozenset[tuple[Location, str, str]]:
    """Entry points, by handler, method and path, whose guard requires an administrator role."""
    program = entered_program(project, entry_points)
    return frozenset(
        (each.handler, each.method, each.path)
        for each in entry_points
        if each.kind in NETWORK_KINDS
        and role_of(program, each) is Guard.PRESENT
        and (names_administrators(each) or _asked_itself(program, each) & ADMINISTRATORS)
    )


def resources(project: Project, entry_points: tuple[EntryPoint, ...]) -> tuple[str, ...]:
    """Resource types with at least two different operations: fewer cannot be compared."""
    return tuple(sorted(by_resource(operations_of(entered_program(project, entry_points)))))


def by_resource(operations: tuple[Operation, ...]) -> dict[str, list[Operation]]:
    found: dict[str, list[Operation]] = {}
    for each in operations:
        if each.resource:
            found.setdefault(each.resource, []).append(each)
    return {name: group for name, group in sorted(found.items()) if len({each.crud for each in group}) > 1}


def role_of(program: EnteredProgram, entry: EntryPoint) -> Guard:
    """Whether an entry point requires more than a login: by its guards, or because the handler itself rejects callers without a
    role."""
    return Guard.PRESENT if entry.guard is Guard.PRESENT and _asked_itself(program, entry) else role_asked(entry)


def _asked_itself(program: EnteredProgram, entry: EntryPoint) -> frozenset[str]:
    function = enclosing(program, entry.handler.path, entry.handler.start)
    return roles_asked(program, program.file(entry.handler.path), function) if function is not None else frozenset()
