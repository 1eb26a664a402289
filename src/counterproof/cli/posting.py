"""`review --post github`: what is said on the terminal about posting. What is posted is decided elsewhere."""

import json
import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counterproof.app.delivery import Ended
    from counterproof.app.review_posting import PullRequest


class PostTo(StrEnum):
    github = "github"


def destination(post: PostTo | None, pr: int, dry_run: bool) -> "PullRequest | None":
    """Where to post, found before the review begins so that a missing token costs nothing."""
    from counterproof.app.review_posting import find_pull_request
    from counterproof.model.errors import UserError

    if post is None and (dry_run or pr):
        raise UserError("--dry-run and --pr can only be used with --post github")
    return find_pull_request(os.environ, pr) if post is not None and not dry_run else None


def deliver(done: "Ended", where: "PullRequest | None", dry_run: bool) -> bool:
    """Post, or show what would be posted. False where the post failed; the review is kept and can be posted again."""
    from counterproof.app.review_posting import PostFailed, plan_posting, post_review
    from counterproof.reports.inert import terminal_text

    if done.report is None or (where is None and not dry_run):
        return True
    document = done.text("github-review")
    if where is None:
        planned = plan_posting(json.loads(document)["github"], [], [])
        sys.stdout.write(json.dumps({"review": planned.review, "summary": planned.summary}, indent=1) + "\n")
        return True
    try:
        posted = post_review(where, document)
    except PostFailed as error:
        again = f"counterproof review --resume {done.run.id} --post github --pr {where.number}"
        sys.stderr.write(terminal_text(f"Not posted: {error}. The review is stored; `{again}` posts it.\n"))
        return False
    sys.stderr.write(terminal_text(f"Posted to {where.repository}#{where.number}: {posted.counts}.\n"))
    return True
