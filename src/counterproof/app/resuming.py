"""Continues a run of any job; imports only what that job needs."""

from typing import TYPE_CHECKING

from counterproof.app import jobs
from counterproof.app.delivery import Ended
from counterproof.app.recovery import CAREFUL, Choices
from counterproof.ports import Human, Observer
from counterproof.runtime.home import RunFolder

if TYPE_CHECKING:
    from typing import Protocol

    from counterproof.agents.host.desk import Desk
    from counterproof.app.workbench.plan import Answering
    from counterproof.app.workbench.review import Confirming

    class User(Human, Confirming, Answering, Protocol):
        """Whoever can answer the questions of every job."""


def resume(run: RunFolder, user: "User", observer: Observer, choices: Choices = CAREFUL, desk: "Desk | None" = None) -> Ended:
    """Continue a run that was paused, interrupted or killed; for a finished one return its end."""
    match jobs.job_of(run):
        case jobs.REVIEW:
            from counterproof.app import review

            return review.resume(run, user, observer, choices, desk)
        case jobs.VERIFY:
            from counterproof.app import verify

            return verify.resume(run, user, observer, choices, desk)
        case _:
            from counterproof.app import audit

            return audit.resume(run, user, observer, choices, desk)
