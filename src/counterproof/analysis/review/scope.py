"""The scope of a review, resolved before any agent starts (R4): the user's paths, else the change in the work tree.

Invariant: files come from the survey, so generated, vendored and binary ones are excluded and listed. Files that may contain
secrets are excluded too unless the user requested them.
"""

import re
from dataclasses import dataclass, replace

from counterproof.analysis.dependencies.inventory import LOCKS
from counterproof.analysis.git import History, NoHistory, open_history
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.review.changes import UNREAD, Edit, Edits, edits
from counterproof.analysis.review.impact import neighbours
from counterproof.analysis.secrets.redaction import redact
from counterproof.analysis.source.languages import language_of
from counterproof.analysis.source.other_languages import SHELLS, other_language
from counterproof.model.canonical import digest
from counterproof.model.errors import CounterproofError, UserError
from counterproof.model.review.scope import PriorReview, Scope, ScopeFile, ScopeKind
from counterproof.model.survey import FileRole, Language

CHARACTERS_PER_TOKEN = 4
MAX_LISTED = 200
"""Excluded files listed by name; more are only counted."""

LOCK_FILES = frozenset({"go.sum", "Cargo.lock", "gradle.lockfile", "flake.lock"}.union(*LOCKS.values()))
"""Lock files, written by programs. A change only lists them; naming one explicitly reviews it (R40)."""

CODE = (Language.PYTHON, *SCRIPTS)
"""Languages with analysers."""

SECRET = re.compile(
    r"(?:^|/)(?:\.env[^/]*|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|crt|cer|der|asc|gpg|kdbx)|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*"
    r"|\.netrc|\.npmrc|\.pypirc|\.htpasswd|credentials(?:\.\w{1,10})?)$",
    re.IGNORECASE,
)
_SAMPLE = re.compile(r"(?:example|sample|template|dist)[^/]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The user's selection. `diff` is '' for the work tree's change, None if paths were named."""

    paths: tuple[str, ...] = ()
    diff: str | None = ""
    secrets: bool = False
    documents: bool = False
    prior: PriorReview | None = None


@dataclass(frozen=True, slots=True)
class Resolved:
    """The frozen scope with the older texts of its files; `refused` says why it cannot be reviewed, `empty` why a change contains
    nothing to review, which is not an error. `unread` is source without an analyser, with the reason (R40); `elsewhere` files
    that are reviewed from a commit because the work tree differs; `messages` are the messages of the commits under review, newest
    first (R42)."""

    scope: Scope
    before: dict[str, str | None]
    refused: str = ""
    empty: str = ""
    unread: tuple[tuple[str, str], ...] = ()
    elsewhere: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


def resolve(project: Project, wanted: Wanted) -> Resolved:
    """The scope, or why there is none. The texts under review are saved from here on."""
    found = _resolve(project, wanted)
    project.freeze({path: project.text(path) for path in found.scope.paths})
    return found


def _resolve(project: Project, wanted: Wanted) -> Resolved:
    history = open_history(project.root)
    try:
        if wanted.prior is not None:
            return _delta(project, history, wanted, wanted.prior)
        if wanted.paths and wanted.diff is None:
            return _of_paths(project, history, wanted)
        if isinstance(history, NoHistory):
            return _nothing(ScopeKind.DIFF, f"there is no change to review: {history.reason}")
        found = edits(project, history, wanted.diff or "")
        done = _of_edits(project, found, wanted, ScopeKind.DIFF, history.head())
        return replace(done, messages=_messages(history, found))
    finally:
        if isinstance(history, History):
            history.close()


def _messages(history: History, found: Edits) -> tuple[str, ...]:
    try:
        return history.messages(found.base, found.head or history.head())
    except CounterproofError:
        return ()  # an unreadable history does not prevent a review


def is_secret(path: str) -> bool:
    """Return True for a file that usually contains secrets, except samples."""
    return SECRET.search(path) is not None and _SAMPLE.search(path) is None


def _is_lock(path: str) -> bool:
    return path.rpartition("/")[2] in LOCK_FILES


def _nothing(kind: ScopeKind, why: str) -> Resolved:
    return Resolved(Scope(kind, ()), {}, why)


def _of_paths(project: Project, history: History | NoHistory, wanted: Wanted) -> Resolved:
    chosen = [path for path in project.files if any(_beneath(path, each) for each in wanted.paths)]
    missing = [each for each in wanted.paths if not any(_beneath(path, each) for path in project.files)]
    left_out = _skipped(project, wanted.paths)
    if missing and not left_out:
        raise UserError(
            f"{missing[0][:200]} is not there, or nothing in it can be reviewed", "give files or folders of the repository"
        )
    files, held_back = _files(project, [(path, ()) for path in chosen], wanted)
    unread = _unread(project, files, wanted)
    commit = history.head() if isinstance(history, History) else ""
    scope = _scope(project, ScopeKind.PATHS, files, [*left_out, *held_back, *unread], commit)
    return Resolved(scope, {}, "" if files else _why_none(scope.left_out), unread=(*unread, *_missed(project, wanted)))


def _missed(project: Project, wanted: Wanted) -> list[tuple[str, str]]:
    """Source under the named paths that the survey could not read."""
    return [
        (each.path, each.reason.value)
        for each in project.survey.skipped
        if each.reason in UNREAD
        and language_of(each.path)
        and not wanted.documents
        and any(_beneath(each.path, one) for one in wanted.paths)
    ]


def _why_none(left_out: tuple[tuple[str, str], ...]) -> str:
    """The first reason, and the number of others."""
    more = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
    why = f": {left_out[0][0]}: {left_out[0][1]}{more}" if left_out else ""
    return f"nothing that was named can be reviewed{why}"


def _beneath(path: str, folder: str) -> bool:
    return folder in ("", ".") or path == folder or path.startswith(f"{folder}/")


def _of_edits(project: Project, found: Edits, wanted: Wanted, kind: ScopeKind, commit: str) -> Resolved:
    kept = [each for each in found.files if not wanted.paths or any(_beneath(each.path, one) for one in wanted.paths)]
    files, held_back = _files(project, [(each.path, each.lines) for each in kept], wanted)
    unread = _unread(project, files, wanted)
    before = {**found.gone, **{each.path: each.before for each in kept}}
    gone = [(path, "deleted by the change") for path in found.deleted]
    scope = _scope(project, kind, files, [*found.left_out, *gone, *held_back, *unread], found.head or commit, kept)
    scope = replace(scope, base=found.base, committed=bool(found.head))
    why = "" if files else _why_empty(found, held_back)
    secret = any(is_secret(path) for path, _ in held_back)
    missed = () if wanted.documents else found.unread
    return Resolved(
        scope,
        before,
        why if secret else "",
        "" if secret else why,
        (*unread, *(each for each in missed if not wanted.paths or any(_beneath(each[0], one) for one in wanted.paths))),
        tuple(each for each in found.elsewhere if each in scope.paths),
    )


def _why_empty(found: Edits, held_back: list[tuple[str, str]]) -> str:
    if held_back or found.left_out:
        path, reason = (held_back or found.left_out)[0]
        more = f" (and {len(held_back) + len(found.left_out) - 1} more)" if len(held_back) + len(found.left_out) > 1 else ""
        return f"nothing of the change can be reviewed: {path}: {reason}{more}"
    if found.deleted:
        return f"the change only deletes: {found.deleted[0]}" + (
            f" and {len(found.deleted) - 1} more" if found.deleted[1:] else ""
        )
    return "nothing that can be reviewed has changed; name paths to review whole files"


def _delta(project: Project, history: History | NoHistory, wanted: Wanted, prior: PriorReview) -> Resolved:
    """The changes since the commit of the earlier review."""
    if isinstance(history, NoHistory):
        return _nothing(ScopeKind.DELTA, f"a delta needs the history: {history.reason}")
    if not history.resolve(prior.commit):
        return _nothing(ScopeKind.DELTA, "the commit of the earlier review is not in this repository; do a full review")
    found = edits(project, history, prior.commit)
    found.files = [_with_earlier(project, each, prior) for each in found.files]
    done = _of_edits(project, found, wanted, ScopeKind.DELTA, history.head())
    full = sum(_tokens(project, path) for path in project.files)
    scope = replace(done.scope, prior=prior, full_tokens=full)
    return replace(done, scope=scope, messages=_messages(history, found))


def _with_earlier(project: Project, edit: Edit, prior: PriorReview) -> Edit:
    """Add lines with earlier findings, changed or not: otherwise a change elsewhere would seem to resolve them."""
    quotes = {each.quote.split("\n")[0].strip() for each in prior.findings if each.location.path == edit.path}
    lines = project.text(edit.path).split("\n")
    again = [(number, number) for number, line in enumerate(lines, 1) if redact(line.strip()[:300]) in quotes - {""}]
    return Edit(edit.path, edit.before, tuple(sorted({*edit.lines, *again})))


def _files(
    project: Project, chosen: list[tuple[str, tuple[tuple[int, int], ...]]], wanted: Wanted
) -> tuple[tuple[ScopeFile, ...], list[tuple[str, str]]]:
    files: list[ScopeFile] = []
    out: list[tuple[str, str]] = []
    for path, lines in chosen:
        secret = is_secret(path)
        if lines and _is_lock(path):
            out.append((path, "lock file: listed only"))
        elif secret and not wanted.secrets:
            out.append((path, "may hold secrets; --include-secrets has it reviewed"))
        elif wanted.documents and not path.lower().endswith((".md", ".txt", ".rst", ".adoc")):
            out.append((path, "not a document"))
        elif wanted.documents and not project.text(path).strip():
            out.append((path, "empty"))
        else:
            files.append(ScopeFile(path, _tokens(project, path), lines, secret))
    return tuple(files), out


def _unread(project: Project, files: tuple[ScopeFile, ...], wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """Source in a language without an analyser: unread, unless a model reads it."""
    why = "the embedded specialists read Python, JavaScript and TypeScript; this they see as text only"
    return tuple((each.path, why) for each in files if not wanted.documents and _has_no_analyser(project, each.path))


def _has_no_analyser(project: Project, path: str) -> bool:
    """Shell scripts, and tests and samples in other languages, do not count, as in an audit."""
    file = project.files[path]
    if file.language is not None or file.role is not FileRole.RUNTIME:
        return file.language not in (None, *CODE)
    return other_language(path, project.text(path)[:4_096].encode()) not in ("", *SHELLS)


def _tokens(project: Project, path: str) -> int:
    return project.files[path].size // CHARACTERS_PER_TOKEN + 1


def _skipped(project: Project, paths: tuple[str, ...]) -> list[tuple[str, str]]:
    return [
        (each.path, each.reason.value)
        for each in project.survey.skipped
        if any(_beneath(each.path, one) or _beneath(one, each.path) for one in paths)
    ]


def _scope(
    project: Project,
    kind: ScopeKind,
    files: tuple[ScopeFile, ...],
    out: list[tuple[str, str]],
    commit: str,
    changed: list[Edit] | None = None,
) -> Scope:
    listed = sorted(set(out))
    if len(listed) > MAX_LISTED:
        listed = [*listed[:MAX_LISTED], (f"{len(listed) - MAX_LISTED} more", "left out too")]
    around = neighbours(project, changed or [])
    seen = digest(repr([(each.path, project.files[each.path].sha256, each.changed) for each in files]))
    locks = tuple((each.path, sum(end - start + 1 for start, end in each.lines)) for each in changed or () if _is_lock(each.path))
    return Scope(kind, files, tuple(listed), around, commit, seen, locks=locks)
