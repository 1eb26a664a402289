"""Posting a review: a loopback server that speaks GitHub's API as its documentation has it, and reviews that are pushed twice."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from analysis.review.changed_tree import changed, write
from cli.command import counterproof
from counterproof.app.review_posting import Existing, PostFailed, PullRequest, find_pull_request, plan_posting, post_review
from counterproof.model.errors import UserError

TOKEN = "ghs_sixteencharacters"
MARKED = "**Important**\n\n<!-- counterproof:{} -->"


class Site:
    """One pull request. `resolved` are the comments whose thread is resolved; `fails` is the path that answers with an error."""

    def __init__(self) -> None:
        self.comments: dict[int, dict[str, Any]] = {}
        self.summaries: dict[int, dict[str, Any]] = {}
        self.resolved: set[int] = set()
        self.reviews: list[dict[str, Any]] = []
        self.log: list[tuple[str, str]] = []
        self.fails = ""

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        path = path.partition("?")[0]
        self.log.append((method, path))
        if self.fails and self.fails in path:
            return 502, {"message": "bad gateway"}
        if path == "/graphql":
            nodes = [{"isResolved": key in self.resolved, "comments": {"nodes": [{"databaseId": key}]}} for key in self.comments]
            threads = {"pageInfo": {"hasNextPage": False, "endCursor": None}, "nodes": nodes}
            return 200, {"data": {"repository": {"pullRequest": {"reviewThreads": threads}}}}
        if method == "GET":
            return 200, list((self.comments if "/pulls/" in path else self.summaries).values())
        if path.endswith("/reviews"):
            self.reviews.append(body)
            for each in body["comments"]:
                key = len(self.comments) + 1
                self.comments[key] = {"id": key, "body": each["body"]}
            return 200, {"id": len(self.reviews)}
        table = self.comments if "/pulls/" in path else self.summaries
        key = int(path.rpartition("/")[2]) if method == "PATCH" else 100 + len(table)
        table[key] = {"id": key, "body": body["body"]}
        return 201, table[key]


@contextmanager
def served(site: Site) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            assert self.headers["Authorization"] == f"Bearer {TOKEN}"
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, answer = site.answer(self.command, self.path, json.loads(data or b"null"))
            said = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        do_GET = do_POST = do_PATCH = _do  # noqa: N815 (the library's names)

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def document(*fingerprints: str, more: str = "") -> str:
    comments = [{"path": "a.py", "line": 1, "side": "RIGHT", "body": f"{more}{MARKED.format(each)}"} for each in fingerprints]
    return json.dumps({"github": {"commit_id": "c0", "event": "COMMENT", "body": "2 findings.", "comments": comments}})


def test_post_review_a_second_push_updates_what_changed_and_repeats_nothing() -> None:
    site = Site()
    with served(site) as api:
        where = PullRequest("o/n", 7, api, TOKEN)
        assert post_review(where, document("aaaaaaaa", "bbbbbbbb")).counts == "2 new, 0 updated, 0 left as they are"
        assert post_review(where, document("aaaaaaaa", "bbbbbbbb")).counts == "0 new, 0 updated, 2 left as they are"
        assert post_review(where, document("aaaaaaaa", "cccccccc", more="Now ")).counts == "1 new, 1 updated, 0 left as they are"
    assert [len(each["comments"]) for each in site.reviews] == [2, 1]
    assert site.comments[1]["body"].startswith("Now ")
    assert len(site.summaries) == 1


def test_post_review_resolved_threads_are_left_alone() -> None:
    site = Site()
    with served(site) as api:
        where = PullRequest("o/n", 7, api, TOKEN)
        post_review(where, document("aaaaaaaa"))
        site.resolved = {1}
        assert post_review(where, document("aaaaaaaa", more="Now ")).counts == "0 new, 0 updated, 1 left as they are"
    assert not site.comments[1]["body"].startswith("Now ")


def test_post_review_a_refusal_names_the_request_and_not_the_token() -> None:
    site = Site()
    site.fails = "/reviews"
    with (
        served(site) as api,
        pytest.raises(PostFailed, match=r"POST /repos/o/n/pulls/7/reviews was refused with status 502") as error,
    ):
        post_review(PullRequest("o/n", 7, api, TOKEN), document("aaaaaaaa"))
    assert TOKEN not in str(error.value)
    assert TOKEN not in repr(PullRequest("o/n", 7, "https://x", TOKEN))


def test_plan_posting_comments_of_others_are_not_ours() -> None:
    others = [Existing(1, "I think <!-- counterproof:aaaaaaaa --> is a marker"), Existing(2, "no")]
    posting = plan_posting(json.loads(document("aaaaaaaa"))["github"], others, others)
    assert posting.review
    assert posting.summary_id == 0


@pytest.mark.parametrize(
    ("environment", "number", "why"),
    [
        ({}, 1, "needs a token in GITHUB_TOKEN"),
        ({"GITHUB_TOKEN": TOKEN}, 1, "GITHUB_REPOSITORY"),
        ({"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": "o/n"}, 0, "which pull request"),
        ({"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": "o/n", "GITHUB_API_URL": "http://evil.example"}, 1, "is not an https"),
    ],
)
def test_find_pull_request_what_is_missing_is_refused(environment: dict[str, str], number: int, why: str) -> None:
    with pytest.raises(UserError, match=re.escape(why)):
        find_pull_request(environment, number)


def test_find_pull_request_a_job_on_github_knows_it() -> None:
    environment = {"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": "o/n", "GITHUB_REF": "refs/pull/12/merge"}
    assert find_pull_request(environment, 0).number == 12


def test_review_post_github_posts_and_a_failed_post_keeps_the_review(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"job.py": "x = 1\n"}, {})
    write(folder, {"job.py": "x = 1\n\n\nasync def run(job):\n    return job\n\n\nrun(1)\n"})
    site = Site()
    with served(site) as api:
        keys = {"GITHUB_TOKEN": TOKEN, "GITHUB_REPOSITORY": "o/n", "GITHUB_REF": "refs/pull/3/merge", "GITHUB_API_URL": api}
        site.fails = "/graphql"
        failed = counterproof("review", "--diff", "HEAD", "--yes", "--post", "github", cwd=folder, **keys)
        assert (failed.returncode, site.reviews) == (1, [])
        again = re.search(r"`counterproof (review --resume \S+ --post github --pr 3)` posts it", failed.stderr)
        assert again
        site.fails = ""
        posted = counterproof(*again[1].split(), cwd=folder, **keys)
    assert posted.returncode == 1
    assert "Posted to o/n#3: 1 new" in posted.stderr
    assert site.reviews[0]["comments"][0]["path"] == "job.py"
    dry = counterproof("review", "--diff", "HEAD", "--yes", "--post", "github", "--dry-run", cwd=folder)
    assert dry.stdout.startswith("Would be posted: 1 comment at changed lines, and a summary.\n\n--- job.py:8\n**Important: ")
    assert "\n--- Summary\n**Counterproof: 1 finding (0 Critical, 1 Important)** in 1 file" in dry.stdout
    assert "<!--" not in dry.stdout
    assert len(site.reviews) == 1
