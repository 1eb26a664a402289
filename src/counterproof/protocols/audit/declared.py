"""Applies the user's declarations about the program to the findings (A65).

Invariant: pure; a declaration settles only the assumption that a route may be open on purpose, and only at the declared
routes; proved or demonstrated findings are never accepted; every acceptance is listed and counted.
"""

from dataclasses import replace

from counterproof.model.confidence import Confidence
from counterproof.model.counting import counted
from counterproof.model.proof import Guess
from counterproof.model.recon import Recon
from counterproof.model.report import ReportedFinding
from counterproof.model.user_context import UserContext

NO_AUTHENTICATION = 306


def accepted_as_open(rows: tuple[ReportedFinding, ...], context: UserContext | None, recon: Recon) -> tuple[ReportedFinding, ...]:
    """The findings; those that only state that a declared route is open are marked as accepted by the user."""
    if context is None or not context.declared:
        return rows
    handlers = [
        (each.handler, f"{each.method} {each.path}".strip())
        for each in recon.entry_points
        if context.opens(each.method or "GET", each.path)
    ]
    found: list[ReportedFinding] = []
    for row in rows:
        place = row.finding.location
        route = next((name for at, name in handlers if at.path == place.path and at.start <= place.start <= at.end), "")
        accepts = route and not row.accepted and _is_openness(row)
        found.append(replace(row, accepted=f"accepted by the user: {context.name} declares {route} open") if accepts else row)
    return tuple(found)


def _is_openness(row: ReportedFinding) -> bool:
    if row.confidence.rank >= Confidence.PROVED.rank:
        return False
    proof = row.finding.proof
    return row.finding.cwe == NO_AUTHENTICATION or bool(proof and any(each.guess is Guess.MEANT_OPEN for each in proof.presumed))


def named(rows: tuple[ReportedFinding, ...], context: UserContext | None) -> tuple[str, ...]:
    """Sentences saying that the user's context was used, and what it accepted."""
    if context is None:
        return ()
    by_user = [row.number for row in rows if row.accepted.startswith("accepted by the user:")]
    accepted = f"; it accepts {counted(len(by_user), 'finding')} ({', '.join(by_user)})" if by_user else ""
    return (f"Every agent was shown the user's context, {context.name}{accepted}.",)
