"""File path built from untrusted data.

## What it finds
Request data in the path of a file that is opened, sent, deleted, moved or extracted to.

## Why it matters
With `../` or an absolute path the sender reaches files outside the folder that was meant: secrets, source code, the files
of other users.

## What is safe
`os.path.basename`, `werkzeug.utils.secure_filename`, `send_from_directory`, and a check that the normalised path
still lies in the folder (`realpath` then `startswith` or `commonpath`, `Path.resolve` then `is_relative_to`).

## Limits
Asking whether a file exists, or how large it is, is reported as low, and only where the function does nothing else with the
path. A search for `..` alone is accepted as a guard only against relative paths; links inside the folder are not judged.
"""

from counterproof.analysis.ruleset import RECEIVER, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_PATHS = ("pathlib.", "anyio.Path", "trio.Path")
_OS_CALLS = (
    "remove",
    "unlink",
    "rmdir",
    "removedirs",
    "listdir",
    "scandir",
    "mkdir",
    "makedirs",
    "walk",
    "chmod",
    "chown",
    "chdir",
    "truncate",
    "utime",
    "readlink",
    "mkfifo",
)
_QUESTIONS = ("exists", "lexists", "isfile", "isdir", "islink", "getsize", "getmtime")
_DATA_FRAMES = ("csv", "excel", "json", "parquet", "table", "xml", "html", "feather", "hdf")
_TEMPORARY = ("NamedTemporaryFile", "mkstemp", "mkdtemp", "TemporaryDirectory")
_ASYNC_CALLS = ("remove", "unlink", "rename", "replace", "mkdir", "makedirs", "rmdir", "listdir", "scandir")

RULE = FlowRule(
    RuleInfo(
        id="path-traversal",
        title="File path built from untrusted data",
        dimension=Dimension.D5,
        kind="path",
        cwe=22,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can reach files outside the intended folder.",
        remedy="Take only the base name, or resolve the path and check that it still lies in the intended folder.",
    ),
    sinks=(
        Sink("open", (0, "file")),
        Sink("io.open", (0, "file")),
        Sink("codecs.open", (0, "filename")),
        Sink("aiofiles.open", (0, "file")),
        Sink("os.open", (0, "path")),
        *(Sink(f"os.{name}", (0, "path")) for name in _OS_CALLS),
        *(Sink(f"os.{name}", (0, 1, "src", "dst")) for name in ("rename", "replace", "renames", "symlink", "link")),
        *(Sink(f"os.path.{name}", (0, "path"), question=True) for name in _QUESTIONS),
        *(Sink(f"os.{name}", (0, "path"), question=True) for name in ("stat", "lstat", "access")),
        *(Sink(f"aiofiles.os.{name}", (0, "path", "src")) for name in _ASYNC_CALLS),
        Sink("anyio.open_file", (0, "file")),
        *(Sink(f"{module}.open", (0, "filename")) for module in ("gzip", "bz2", "lzma")),
        Sink("fileinput.input", (0, "files")),
        Sink("sqlite3.connect", (0, "database")),
        Sink("shutil.make_archive", (0, 2, "base_name", "root_dir")),
        *(Sink(f"pandas.read_{name}", (0, "filepath_or_buffer", "path", "io")) for name in _DATA_FRAMES),
        *(Sink(f"numpy.{name}", (0, "fname", "file")) for name in ("loadtxt", "genfromtxt", "fromfile")),
        Sink("PIL.Image.open", (0, "fp")),
        Sink("cv2.imread", (0, "filename")),
        Sink("openpyxl.load_workbook", (0, "filename")),
        *(Sink(f"{each}.open_resource", (0, "resource")) for each in ("flask.Flask()", "flask.current_app", "flask.Blueprint()")),
        Sink("shutil.rmtree", (0, "path")),
        *(Sink(f"shutil.{name}", (0, 1, "src", "dst")) for name in ("copy", "copy2", "copyfile", "copytree", "move")),
        Sink("flask.send_file", (0, "path_or_file", "filename_or_fp")),
        Sink("flask.send_from_directory", (0, "directory")),
        Sink("quart.send_file", (0,)),
        Sink("django.http.FileResponse", (0,)),
        Sink("fastapi.responses.FileResponse", (0, "path")),
        Sink("starlette.responses.FileResponse", (0, "path")),
        Sink("aiohttp.web.FileResponse", (0, "path")),
        Sink("bottle.static_file", ("root",)),
        Sink("sanic.response.file", (0, "location")),
        Sink("litestar.response.File", (0, "path")),
        Sink("cherrypy.lib.static.serve_file", (0, "path")),
        Sink("cherrypy.lib.static.serve_download", (0, "path")),
        Sink("cherrypy.lib.static.serve_fileobj", (0,)),
        Sink("pyramid.response.FileResponse", (0, "path")),
        Sink("sanic.response.file_stream", (0, "location")),
        Sink("werkzeug.utils.send_file", (0, "path_or_file")),
        Sink("linecache.getline", (0, "filename")),
        *(Sink(f"pdfkit.{name}", (1, "output_path")) for name in ("from_string", "from_url", "from_file")),
        Sink("weasyprint.HTML().write_pdf", (0, "target")),
        *(
            Sink(f"*.{name}", (RECEIVER,), receiver_from=_PATHS, only_certain=True)
            for name in (
                "read_text",
                "read_bytes",
                "write_text",
                "write_bytes",
                "open",
                "unlink",
                "rmdir",
                "iterdir",
                "mkdir",
                "touch",
                "chmod",
                "symlink_to",
                "hardlink_to",
            )
        ),
        *(
            Sink(f"*.{name}", (RECEIVER, 0, "target"), receiver_from=_PATHS, only_certain=True)
            for name in ("rename", "replace", "symlink_to", "hardlink_to")
        ),
        *(
            Sink(f"*.{name}", (RECEIVER,), receiver_from=_PATHS, only_certain=True, question=True)
            for name in ("exists", "is_file", "is_dir", "stat")
        ),
        *(Sink(f"*.{name}", (0, "pattern"), receiver_from=_PATHS, only_certain=True) for name in ("glob", "rglob")),
        Sink("glob.glob", (0, "pathname")),
        Sink("zipfile.ZipFile", (0, "file")),
        Sink("tarfile.open", (0, "name")),
        Sink("*.extract", (0, 1, "member", "path"), receiver_from=("zipfile.", "tarfile."), only_certain=True),
        Sink("*.extractall", (0, "path"), receiver_from=("zipfile.", "tarfile."), only_certain=True),
        *(
            Sink(f"tempfile.{name}", ("dir", "prefix"))
            for name in ("NamedTemporaryFile", "mkstemp", "mkdtemp", "TemporaryDirectory")
        ),
    ),
    sanitisers=(
        "os.path.basename",
        "posixpath.basename",
        "ntpath.basename",
        "werkzeug.utils.secure_filename",
        "werkzeug.secure_filename",
        "flask.safe_join",
        "werkzeug.utils.safe_join",
        "werkzeug.security.safe_join",
        "django.utils._os.safe_join",
        "*.get_valid_filename",
        "prefix check",
        "file extension",
        "without ..",
        "without ../",
        "file content",
        "io.BytesIO",
        "io.StringIO",
    ),
    poc="../../../../etc/passwd",
)
