"""Whether code was written in this project: vendored and generated files are excluded from the review, and listed.

The criteria, most trusted first: the name of a folder or file; neighbouring files (`pyvenv.cfg`); a marker in the first lines.
The tree is untrusted, so a marker alone hides little: a Python file that calls itself generated is still reviewed unless it has
3,000 lines or more. Code under a vendored name is excluded even if git tracks it; `include` brings it back.

A `vendor` folder with `models.py`, `views.py` or `apps.py` is an application about vendors and is reviewed. Database migrations
are reviewed: they are code that runs in production.
"""

import re

from counterproof.model.survey import Language, SkipReason

_VENDORED = frozenset(
    (
        "node_modules", "bower_components", "jspm_packages", "site-packages", "dist-packages", "__pypackages__", ".eggs", ".tox",
        ".nox", "vendor", "_vendor", "vendored", "_vendored", "third_party", "third-party", "thirdparty", "3rdparty", ".yarn",
        ".pnpm-store", "Pods", ".bundle", ".gradle", ".m2",
    )
)  # fmt: skip
_GENERATED = frozenset(
    (
        "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints", ".next", ".nuxt",
        ".parcel-cache", ".turbo", ".svelte-kit", "htmlcov", ".nyc_output", ".terraform",
    )
)  # fmt: skip
_APPLICATION_FILES = ("models.py", "views.py", "apps.py", "urls.py", "routes.py")
VERSION_CONTROL = frozenset((".git", ".hg", ".svn", ".bzr", "CVS"))

_GENERATED_NAME = re.compile(
    r"[^/]*\.pb\.go|[^/]*\.pb\.gw\.go|[^/]*\.(?:min|bundle)\.(?:js|mjs|css)|[^/]*-min\.js"
    r"|[^/]*\.(?:js|css|mjs)\.map|[^/]*_generated\.(?:go|ts|js)|[^/]*\.generated\.(?:go|ts|tsx|js)|zz_generated[^/]*\.go"
    r"|moc_[^/]*\.cpp|[^/]*\.g\.dart"
)
_PROTOC_NAME = re.compile(r"_pb2(?:_grpc)?\.pyi?\Z")
_PROTOC_IMPORT = re.compile(r"(?m)^[ \t]*(?:from|import)[ \t]+([\w.]+)[^\n]*")
_PROTOC_MODULES = frozenset(
    ("", "google", "grpc", "sys", "typing", "typing_extensions", "collections", "abc", "builtins", "warnings", "__future__")
)
_MARKER = re.compile(r"@generated\b|\bcode generated\b[^\n]{0,200}\bdo not edit\b", re.IGNORECASE)
_COMMENT_START = ("#", "//", "/*", "*", "<!--", "--", '"""', "'''", ";", "=begin")
_SAMPLE_FOLDERS = frozenset(("examples", "example", "docs", "doc", "samples", "sample", "fixtures", "testdata", "tutorial"))
_SAMPLE_SUFFIXES = (".example", ".sample", ".template", ".dist", ".md", ".rst", ".txt", ".html", ".tmpl", ".j2")
_REQUIREMENTS = re.compile(r"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in|pip)", re.IGNORECASE)
_SAMPLES = re.compile(r"\w+[-_](?:examples?|samples?|demo)|(?:examples?|samples?)[-_]\w+")
_SETTINGS = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".env", ".sls", ".xml", ".properties", ".sh")
_LIBRARY = re.compile(
    r"(?:jquery|bootstrap|popper|lodash|underscore|moment|d3|vue|react|react-dom|angular|backbone|handlebars|mustache|select2"
    r"|datatables|chart|highlight|codemirror|ckeditor|tinymce|mathjax|socket\.io|axios|three|knockout|ember|require|modernizr"
    r"|prettify|fullcalendar|leaflet|dropzone|sweetalert2?|toastr|summernote|quill|htmx|alpine)(?:[.-][\w.-]*)?\.m?js"
)
_SERVED = frozenset(
    (
        "static", "staticfiles", "assets", "public", "vendors", "libs", "plugins", "www", "wwwroot", "media", "dist", "build",
        "bundles", "js", "javascript", "javascripts", "scripts",
    )
)  # fmt: skip
"""Folders that a site serves unchanged."""
_VERSION = re.compile(r"\bv?\d+\.\d+\.\d+\b")
_KEPT = frozenset(("lib", "libs", "plugins", "vendors", "libraries"))
"""Folders of a site for libraries."""
_LICENCE = re.compile(r"\bcopyright\b|\blicen[sc]ed?\b", re.IGNORECASE)
_NOTICE = 3_000

_DEVELOPMENT = re.compile(
    r"(?:.*/)?settings/(?:tests?|testing|ci)\.py|(?:.*/)?\.?ci[._]settings\.py|"
    r"(?:.*/)?\.devcontainer/.*|(?:.*/)?(?:test|dev)-?environments?/.*|(?:.*/)?vagrantfile"
    r"|(?:.*/)?(?:dev|development)/(?!.*\.(?:py|[jt]sx?)$).*|(?:.*/)?(?:docker-)?compose[.-](?:\w+[.-])?(?:dev|devel|development|local|test|tests|ci)\.ya?ml"
    r"|(?:.*/)?\.?(?:test|testing|dev|devel|development|local|ci)\.env|(?:.*/)?\.env\.(?:test|testing|dev|development|local|ci)"
    r"|(?:.*/)?configs?/(?:test|testing|dev|development|local|ci)\.\w+"
    r"|.*\.(?:http|rest|postman_(?:collection|environment)\.json)|(?:.*/)?(?:[\w-]+[-_.])?localstack(?:[-_.][\w.-]+)?"
    r"|(?:.*/)?(?:fake|dev|demo|dummy)[-_]?data\.(?:py|[cm]?js|ts|json)|(?:.*/)?(?:exploits?|pocs?|attacks?|attacker)/[\w./-]*\.(?:py|[cm]?js|ts|sh)"
    r"|(?:.*/)?(?:(?:exploits?|attack|poc)(?:[-_.\d][\w.-]*)?|[\w.-]+[-_](?:exploit|attack|poc))\.(?:py|[cm]?js|ts|sh)"
)
"""Files for development machines and local services, and for trying the program there."""

_CI = re.compile(
    r"\.github/(?:workflows|actions)/.*|\.gitlab-ci\.ya?ml|\.gitlab/ci/.*|\.circleci/.*|(?:.*/)?jenkinsfile|\.travis\.ya?ml|azure-pipelines[^/]*"
    r"|\.build\.ya?ml|\.builds/.*|\.?appveyor\.ya?ml|bitbucket-pipelines\.ya?ml|\.buildkite/.*|\.drone\.ya?ml|\.pre-commit-config\.ya?ml|(?:\.?ci)/[^/]*\.(?:sh|ya?ml)"
)
_BUILDING = re.compile(
    r"setup\.py|(?:.*/)?[\w.-]+\.gradle(?:\.kts)?|noxfile\.py|fabfile\.py|(?:.*/)?(?:gulpfile|gruntfile|karma\.conf|rakefile)[^/]*|(?:.*/)?[\w.-]+\.config\.[cm]?[jt]s"
    r"|(?:.*/)?(?:\.eslintrc|\.prettierrc|\.babelrc)[^/]*"
)
_DOCUMENTATION = frozenset(("docs", "doc", "documentation"))

MARKER_LINES = 5
REVIEWED_PYTHON_LINES = 3_000


def folder_reason(name: str, contents: tuple[str, ...]) -> tuple[SkipReason, str] | None:
    """The reason why a folder with this name and these entries is excluded; None if it is not."""
    if "pyvenv.cfg" in contents:
        return SkipReason.VENDORED, "a virtual environment"
    if name.endswith(".dist-info"):
        return SkipReason.VENDORED, "an installed package"
    if name.endswith(".egg-info"):
        return SkipReason.GENERATED, "package metadata"
    if name in _VENDORED:
        ours = name == "vendor" and any(entry in contents for entry in _APPLICATION_FILES)
        return None if ours else (SkipReason.VENDORED, f"a folder named {name}")
    return (SkipReason.GENERATED, f"a folder named {name}") if name in _GENERATED else None


def generated_by_name(path: str) -> bool:
    """Return True for a typical name of a generated file."""
    return _GENERATED_NAME.fullmatch(path.rpartition("/")[2]) is not None


def is_build_output(path: str) -> bool:
    """Return True if a script is in a bundler's output folder."""
    return path.endswith((".js", ".mjs", ".cjs")) and "dist" in path.split("/")[:-1]


def is_protoc_output(path: str, text: str) -> bool:
    """Return True for a module that protoc wrote: by its name, if it imports only what such modules do."""
    if _PROTOC_NAME.search(path) is None:
        return False
    found = (each for each in _PROTOC_IMPORT.finditer(text) if "_pb2" not in each[0])
    return all(each[1].partition(".")[0] in _PROTOC_MODULES for each in found)


def generated_by_marker(text: str, lines: int, language: Language | None) -> bool:
    """Return True if a comment in the first lines says so, and is credible."""
    if language is None or (language is Language.PYTHON and lines < REVIEWED_PYTHON_LINES):
        return False
    head = text[:2_000].split("\n")[:MARKER_LINES]
    return any(_MARKER.search(line) and line.strip().startswith(_COMMENT_START) for line in head)


_OWN_REPORT = {
    ".html": r'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"/>\n<meta http-equiv="Content-Security-Policy" '
    r'content="default-src &#x27;none&#x27;; script-src &#x27;sha256-',
    ".json": r'\{\n  "(?:schema_version": .{1,9},\n  "(?:exit_code|first_page|plan_path)": |'
    r'(?:.*\n){1,40}?  "journal": \{\n    "entries": \d+,\n    "head": "[0-9a-f]{64}"\n)',
    ".md": r"# (?:Security audit of|Appendix to the security audit of|Review of|Verification of) ",
    ".sarif": r'\{"\$schema":"[^"]{1,200}","version":"2\.1\.0","runs":\[\{"tool":\{"driver":\{"name":"Counterproof',
}
_OWN_NAME = re.compile(r"(?:(?:review-|plan-)?report|appendix|receipt)(\.(?:html|json|md|sarif))")


def is_own_report(path: str, text: str) -> bool:
    """Return True for a report that an earlier run wrote into the tree, by its name and its first lines."""
    named = _OWN_NAME.fullmatch(path.rpartition("/")[2])
    return named is not None and re.match(_OWN_REPORT[named[1]], text[:4_000]) is not None


def is_known_library(path: str, text: str, language: Language | None) -> bool:
    """Return True if a script is a copy of a browser library: by its name or folder, and by its makers' header comment; or part
    of Django's own pages.

    A project of that name keeps its source under `src`, `lib` or its own name, not next to other static files."""
    folder, _, name = path.lower().rpartition("/")
    folders = {*folder.split("/")}
    if language is not Language.JAVASCRIPT or not _SERVED & folders:
        return False
    head = text[:1_000].lstrip()
    if folder.endswith(("/admin/js", "/admin/js/admin")) and "django" in text[:_NOTICE].lower():
        return True
    noticed = head.startswith(("/*!", "/**", "/*", "//")) and _VERSION.search(head) is not None
    return noticed and (_LIBRARY.fullmatch(name) is not None or bool(_KEPT & folders and _LICENCE.search(head)))


def is_served(path: str) -> bool:
    """Return True if a file is in a folder that a site serves unchanged."""
    return bool(_SERVED & {*path.lower().split("/")[:-1]})


def in_sample_folder(path: str) -> bool:
    """Return True if a file is in a folder of examples or documentation."""
    return any(folder in _SAMPLE_FOLDERS for folder in path.lower().split("/")[:-1])


def in_documentation(path: str) -> bool:
    """Return True if a file is in a documentation folder, or is prose."""
    lower = path.lower()
    return lower.endswith((".md", ".rst")) or any(folder in _DOCUMENTATION for folder in lower.split("/")[:-1])


def runs_in_ci(path: str) -> bool:
    """Return True if a file configures continuous integration."""
    return _CI.fullmatch(path.lower()) is not None


def is_for_development(path: str) -> bool:
    """Return True if a file builds the project, or sets up a development machine."""
    lower = path.lower()
    return _BUILDING.fullmatch(lower) is not None or _DEVELOPMENT.fullmatch(lower) is not None


def _is_called_sample(path: str) -> bool:
    """`settings.example.json`, `example.conf`, `config_examples/…`: settings to copy. A code file of such a name is code."""
    folders, _, name = path.rpartition("/")
    if any(_SAMPLES.fullmatch(folder) for folder in folders.split("/")):
        return True
    return bool({*re.split(r"[._-]", name)} & {"example", "sample", "template"}) and name.endswith(_SETTINGS)


def is_requirements(path: str) -> bool:
    """Return True for a pip requirements file: its extension is that of prose, but its packages are installed."""
    folder, _, name = path.rpartition("/")
    if _REQUIREMENTS.fullmatch(name):
        return True
    return folder.rpartition("/")[2] == "requirements" and name.endswith((".txt", ".in"))


def is_sample(path: str) -> bool:
    """Return True for a sample that does not run in production."""
    lower = path.lower()
    prose = lower.endswith(_SAMPLE_SUFFIXES) and not is_requirements(path)
    if in_sample_folder(path) or prose or _is_called_sample(lower):
        return True
    return _DEVELOPMENT.fullmatch(lower) is not None
