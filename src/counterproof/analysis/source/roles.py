"""The role of a file, by its location and name.

Decided only here, with the reason. A role is preliminary: code that runs is runtime whatever its name (see `reach`), so no one
can hide code behind a name. Not handled here: whether a file can be read.
"""

from counterproof.analysis.source.languages import is_test
from counterproof.analysis.source.origin import (
    generated_by_name,
    in_documentation,
    in_sample_folder,
    is_build_output,
    is_for_development,
    is_sample,
    runs_in_ci,
)
from counterproof.model.survey import FileRole


def role_of(path: str) -> tuple[FileRole, str]:
    """The role that a path indicates, with the reason; runtime without a reason by default."""
    if is_test(path):
        return FileRole.TEST, "its name or folder is one of tests"
    if runs_in_ci(path):
        return FileRole.CI, "it configures continuous integration"
    if is_for_development(path):
        return FileRole.DEVELOPMENT, "it builds the project or sets up a machine to develop on"
    if in_documentation(path):
        return FileRole.DOCUMENTATION, "it is in a documentation folder"
    if is_sample(path) and not _is_page(path):
        return FileRole.SAMPLE, "its name or folder is one of samples"
    if generated_by_name(path):
        return FileRole.GENERATED, "its name is one that generators give"
    if is_build_output(path):
        return FileRole.GENERATED, "it is in a folder of build output"
    return FileRole.RUNTIME, ""


def _is_page(path: str) -> bool:
    """Return True for a page that the site's visitors see, not an example."""
    return path.lower().endswith((".html", ".htm")) and not in_sample_folder(path)
