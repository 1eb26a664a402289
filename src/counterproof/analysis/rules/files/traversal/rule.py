"""File path built from untrusted data.

## What it finds
Request data in the path of a file that is opened, sent, deleted, moved or extracted to.

## Why it matters
With `../` or an absolute path the sender reaches files outside the folder that was meant: secrets, source code, the files
of other users.

## What is safe
`os.path.basename`, `werkzeug.utils.secure_filename`, `send_from_directory`, and a check that the normalised path
still lies in the folder (`realpath` then `startswith` or `commonpath`, `Path.resolve` then `is_relative_to`). A parameter of a
route that takes no slash, as the last part of a path: it can be `..`, which is a folder and no file. It is reported where a
whole folder is listed, deleted or served, and where more parts follow it.

## Limits
Asking whether a file exists, or how large it is, is told by `path-probe`. A search for `..` alone is accepted as a guard only
against relative paths; links inside the folder are not judged, nor are backslashes, which part names on Windows.
A function from outside that says by its name that it checks or cleans is believed, because its code is not there to be read.
"""

from counterproof.analysis.ruleset import RECEIVER, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_PATHS = ("pathlib.", "anyio.Path", "trio.Path")
_FILE_CALLS = ("remove", "unlink", "mkdir", "makedirs", "chmod", "chown", "truncate", "utime", "readlink", "mkfifo")
_FOLDER_CALLS = ("rmdir", "removedirs", "listdir", "scandir", "walk", "chdir")
_DATA_FRAMES = ("csv", "excel", "json", "parquet", "table", "xml", "html", "feather", "hdf")

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
        *(Sink(f"os.{name}", (0, "path")) for name in _FILE_CALLS),
        *(Sink(f"os.{name}", (0, "path"), folder=True) for name in _FOLDER_CALLS),
        *(Sink(f"os.{name}", (0, 1, "src", "dst"), folder=True) for name in ("rename", "replace", "renames", "symlink", "link")),
        *(Sink(f"aiofiles.os.{name}", (0, "path")) for name in ("remove", "unlink", "mkdir", "makedirs")),
        *(Sink(f"aiofiles.os.{name}", (0, "path"), folder=True) for name in ("rmdir", "listdir", "scandir")),
        *(Sink(f"aiofiles.os.{name}", (0, 1, "src", "dst"), folder=True) for name in ("rename", "replace")),
        Sink("anyio.open_file", (0, "file")),
        *(Sink(f"{module}.open", (0, "filename")) for module in ("gzip", "bz2", "lzma")),
        Sink("fileinput.input", (0, "files")),
        Sink("sqlite3.connect", (0, "database")),
        *(Sink(f"pandas.read_{name}", (0, "filepath_or_buffer", "path", "io")) for name in _DATA_FRAMES),
        *(Sink(f"numpy.{name}", (0, "fname", "file")) for name in ("loadtxt", "genfromtxt", "fromfile")),
        Sink("PIL.Image.open", (0, "fp")),
        Sink("cv2.imread", (0, "filename")),
        Sink("openpyxl.load_workbook", (0, "filename")),
        *(Sink(f"{each}.open_resource", (0, "resource")) for each in ("flask.Flask()", "flask.current_app", "flask.Blueprint()")),
        Sink("shutil.rmtree", (0, "path"), folder=True),
        Sink("shutil.make_archive", (0, 2, "base_name", "root_dir"), folder=True),
        Sink("shutil.copyfile", (0, 1, "src", "dst")),
        *(Sink(f"shutil.{name}", (0, 1, "src", "dst"), folder=True) for name in ("copy", "copy2", "copytree", "move")),
        Sink("flask.send_file", (0, "path_or_file", "filename_or_fp")),
        Sink("flask.send_from_directory", (0, "directory"), folder=True),
        Sink("quart.send_file", (0,)),
        Sink("django.http.FileResponse", (0,)),
        Sink("fastapi.responses.FileResponse", (0, "path")),
        Sink("starlette.responses.FileResponse", (0, "path")),
        Sink("aiohttp.web.FileResponse", (0, "path")),
        Sink("bottle.static_file", ("root",), folder=True),
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
                "mkdir",
                "touch",
                "chmod",
            )
        ),
        *(Sink(f"*.{name}", (RECEIVER,), receiver_from=_PATHS, only_certain=True, folder=True) for name in ("rmdir", "iterdir")),
        *(
            Sink(f"*.{name}", (RECEIVER, 0, "target"), receiver_from=_PATHS, only_certain=True, folder=True)
            for name in ("rename", "replace", "symlink_to", "hardlink_to")
        ),
        *(Sink(f"*.{name}", (0, "pattern"), receiver_from=_PATHS, only_certain=True, folder=True) for name in ("glob", "rglob")),
        Sink("glob.glob", (0, "pathname"), folder=True),
        Sink("zipfile.ZipFile", (0, "file")),
        Sink("tarfile.open", (0, "name")),
        Sink("*.extract", (0, 1, "member", "path"), receiver_from=("zipfile.", "tarfile."), only_certain=True, folder=True),
        Sink("*.extractall", (0, "path"), receiver_from=("zipfile.", "tarfile."), only_certain=True, folder=True),
        *(
            Sink(f"tempfile.{name}", ("dir", "prefix"), folder=True)
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
        "http.server.SimpleHTTPRequestHandler().translate_path",
        "*.sanitize_filename",
        "*.sanitize_filepath",
        "*.secure_filename",
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
