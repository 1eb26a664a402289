"""Reading a surveyed file: only beneath the root, and only while it contains the surveyed bytes.

All analysis, quoting and display reads through this module, so a finding can never rest on bytes outside the survey.
"""

import hashlib
from pathlib import Path

from counterproof.analysis.source.confined import opened_directory, opened_file, opened_root, read_up_to
from counterproof.analysis.source.decoding import decode_as
from counterproof.analysis.source.notebooks import as_python, is_notebook
from counterproof.model.errors import CounterproofError
from counterproof.model.location import checked_path
from counterproof.model.survey import SourceFile


class TargetChanged(CounterproofError):
    """Raised if a file has changed since the survey."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r} changed since the survey: {why}", "start the audit again on a tree that nobody edits")
        self.path = path


def read_bytes(root: Path, file: SourceFile) -> bytes:
    """The surveyed bytes; `TargetChanged` if they are no longer there."""
    folder, _, name = checked_path(file.path).rpartition("/")
    try:
        with (
            opened_root(root) as top,
            opened_directory(top, folder) as directory,
            opened_file(directory, name) as (descriptor, _),
        ):
            data = read_up_to(descriptor, file.size + 1)
    except OSError as error:
        raise TargetChanged(file.path, error.strerror or "it cannot be opened") from error
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise TargetChanged(file.path, "its content differs")
    return data


def read_text(root: Path, file: SourceFile) -> str:
    """The surveyed text, without a byte order mark; line ends are unchanged."""
    text = decode_as(read_bytes(root, file), file.language)
    return as_python(text) if is_notebook(file) else text
