"""Posts a review to a pull request on GitHub: inline comments, suggestions, and one summary that later runs update.

Invariant: comments are recognised by the fingerprint in their text, so that the next push updates them instead of repeating
them; resolved threads are left alone. The token comes from the environment and is sent only to the API's host, never along a
redirect. The review is stored before posting, so that a failed post loses nothing and can be repeated.
"""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from counterproof.model.counting import counted
from counterproof.model.errors import UserError

TOKEN, REPOSITORY, REF, API = "GITHUB_TOKEN", "GITHUB_REPOSITORY", "GITHUB_REF", "GITHUB_API_URL"
PATIENCE = 30.0
PAGE, MAX_PAGES = 100, 20
MAX_ANSWER = 8_000_000
SUMMARY = "<!-- counterproof:summary -->"
_MARK = re.compile(r"<!-- counterproof:([0-9a-zA-Z_.:-]{6,200}) -->\s*\Z")
_HIDDEN = re.compile(r"[ \t]*<!-- counterproof:[^>]{1,200} -->")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}\Z")
_THREADS = """query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { isResolved comments(first: 1) { nodes { databaseId } } } } } } }"""


class PostFailed(Exception):
    """GitHub could not be reached or rejected the request. The message names the request, never the token."""


@dataclass(frozen=True, slots=True)
class PullRequest:
    """The pull request to post to. `api` is the address of the API."""

    repository: str
    number: int
    api: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Existing:
    """A comment of an earlier run. `resolved`: its thread is resolved."""

    id: int
    body: str
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class Posting:
    """The content to send: new inline comments in one review, changed ones, and the summary. `summary_id` is 0 for a new one."""

    review: dict[str, Any] | None
    changed: tuple[tuple[int, str], ...]
    summary: str
    summary_id: int
    left_alone: int

    @property
    def counts(self) -> str:
        new = len(self.review["comments"]) if self.review else 0
        return f"{new} new, {len(self.changed)} updated, {self.left_alone} left as they are"

    def preview(self) -> Iterator[str]:
        """The lines as they would appear on the pull request."""
        placed: list[dict[str, Any]] = self.review["comments"] if self.review else []
        yield f"Would be posted: {counted(len(placed), 'comment')} at changed lines, and a summary."
        for head, body in (*((f"{each['path']}:{each['line']}", each["body"]) for each in placed), ("Summary", self.summary)):
            yield from ("", f"--- {head}", *_HIDDEN.sub("", body).rstrip().split("\n"))


def find_pull_request(environment: Mapping[str, str], number: int) -> PullRequest:
    """The pull request of a GitHub job, or the one that the user names. Raises `UserError` if information is missing."""
    found = re.match(r"refs/pull/(\d{1,9})/", environment.get(REF, ""))
    number = number or (int(found[1]) if found else 0)
    repository, api = environment.get(REPOSITORY, ""), environment.get(API, "https://api.github.com").rstrip("/")
    if not environment.get(TOKEN):
        raise UserError(f"--post github needs a token in {TOKEN}", "give one that may write pull requests")
    if not _NAME.match(repository):
        raise UserError(f"--post github needs the repository in {REPOSITORY}", f"set {REPOSITORY}=OWNER/NAME")
    if not number:
        raise UserError("--post github does not know which pull request", "give --pr NUMBER")
    host = urlsplit(api)
    local = host.scheme == "http" and host.hostname in ("127.0.0.1", "localhost")
    if host.scheme != "https" and not local:
        raise UserError(f"{API} is not an https address", "the token is sent over https alone")
    return PullRequest(repository, number, api, environment[TOKEN])


def plan_posting(github: Mapping[str, Any], comments: list[Existing], summaries: list[Existing]) -> Posting:
    """Decide what to send, given the comments of earlier runs. `github` is the part of the review's comments document."""
    known = {mark[1]: each for each in comments if (mark := _MARK.search(each.body))}
    fresh: list[dict[str, Any]] = []
    changed: list[tuple[int, str]] = []
    for each in github["comments"]:
        mark = _MARK.search(each["body"])
        before = known.get(mark[1]) if mark else None
        if before is None:
            fresh.append(each)
        elif not before.resolved and before.body.strip() != each["body"].strip():
            changed.append((before.id, each["body"]))
    body = f"{github['body']}\n\n{SUMMARY}"
    earlier = next((each for each in summaries if each.body.rstrip().endswith(SUMMARY)), None)
    review = {
        "commit_id": github["commit_id"],
        "event": "COMMENT",
        "body": f"{counted(len(fresh), 'new comment')}.",
        "comments": fresh,
    }
    left = len(github["comments"]) - len(fresh) - len(changed)
    return Posting(review if fresh else None, tuple(changed), body, earlier.id if earlier else 0, left)


def post_review(where: PullRequest, document: str) -> Posting:
    """Read the comments already posted, then send what is new or changed. Raises `PostFailed`."""
    client = _Client(where)
    resolved = set(_resolved(client, where))
    pulls, issues = f"/repos/{where.repository}/pulls", f"/repos/{where.repository}/issues"
    listed = client.pages(f"{pulls}/{where.number}/comments")
    comments = [Existing(each["id"], each.get("body") or "", each["id"] in resolved) for each in listed]
    summaries = [Existing(each["id"], each.get("body") or "") for each in client.pages(f"{issues}/{where.number}/comments")]
    posting = plan_posting(json.loads(document)["github"], comments, summaries)
    if posting.review is not None:
        client.send("POST", f"{pulls}/{where.number}/reviews", posting.review)
    for number, body in posting.changed:
        client.send("PATCH", f"{pulls}/comments/{number}", {"body": body})
    if posting.summary_id:
        client.send("PATCH", f"{issues}/comments/{posting.summary_id}", {"body": posting.summary})
    else:
        client.send("POST", f"{issues}/{where.number}/comments", {"body": posting.summary})
    return posting


def _resolved(client: "_Client", where: PullRequest) -> Iterator[int]:
    """The first comments of resolved threads, which only GraphQL provides."""
    owner, _, name = where.repository.partition("/")
    after: str | None = None
    for _ in range(MAX_PAGES):
        variables = {"owner": owner, "name": name, "number": where.number, "after": after}
        answer = client.send("POST", "/graphql", {"query": _THREADS, "variables": variables})
        try:
            threads = answer["data"]["repository"]["pullRequest"]["reviewThreads"]
        except (KeyError, TypeError):
            raise PostFailed("POST /graphql: the answer does not list the threads of the pull request") from None
        for each in threads["nodes"]:
            if each["isResolved"]:
                yield from (comment["databaseId"] for comment in each["comments"]["nodes"])
        if not threads["pageInfo"]["hasNextPage"]:
            return
        after = threads["pageInfo"]["endCursor"]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, which would carry the token elsewhere."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Client:
    """Requests to one API."""

    def __init__(self, where: PullRequest) -> None:
        self._where = where
        self._opener = urllib.request.build_opener(_NoRedirect)

    def pages(self, path: str) -> Iterator[dict[str, Any]]:
        for page in range(1, MAX_PAGES + 1):
            rows = cast("list[dict[str, Any]]", self.send("GET", f"{path}?per_page={PAGE}&page={page}"))
            yield from rows
            if len(rows) < PAGE:
                return

    def send(self, method: str, path: str, body: Any = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        headers = {
            "Authorization": f"Bearer {self._where.token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
            "Content-Type": "application/json",
            "User-Agent": "counterproof",
        }
        request = urllib.request.Request(f"{self._where.api}{path}", data, headers, method=method)  # noqa: S310 (checked)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read(MAX_ANSWER) or b"null")
        except urllib.error.HTTPError as error:
            error.close()
            raise PostFailed(f"{method} {path.partition('?')[0]} was refused with status {error.code}") from None
        except (OSError, ValueError) as error:
            raise PostFailed(f"{method} {path.partition('?')[0]} failed: {type(error).__name__}") from None
