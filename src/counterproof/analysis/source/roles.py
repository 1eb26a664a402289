"""What a file is for, judged by where it lies and what it is called.

Decided here and nowhere else, with the reason. A look is only a look: what running code reaches is runtime whatever it is
called (see `reach`), so nobody can hide code behind a name. Not handled here: whether a file can be read.
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
    """The role that a path speaks for, and how; runtime, with no reason, where it speaks for nothing else."""
    if is_test(path):
        return FileRole.TEST, "its name or folder is one of tests"
    if runs_in_ci(path):
        return FileRole.CI, "it configures continuous integration"
    if is_for_development(path):
        return FileRole.DEVELOPMENT, "it builds the project or sets up a machine to develop on"
    if in_documentation(path):
        return FileRole.DOCUMENTATION, "it lies among documentation"
    if is_sample(path) and not _is_page(path):
        return FileRole.SAMPLE, "its name or folder is one of samples"
    if generated_by_name(path):
        return FileRole.GENERATED, "its name is one that generators give"
    if is_build_output(path):
        return FileRole.GENERATED, "it is in a folder of build output"
    return FileRole.RUNTIME, ""


def _is_page(path: str) -> bool:
    """A page is shown to whoever visits the site, unless it lies among examples."""
    return path.lower().endswith((".html", ".htm")) and not in_sample_folder(path)
