"""Code that a build downloads by name: actions in workflows, images in container files. Read line by line, never resolved."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_USES = re.compile(
    r"[ \t]*(?:-[ \t]{1,10})?uses[ \t]*:[ \t]*[\"']?([\w.-]{1,60})/([\w.-]{1,100})(?:/[\w./-]{0,200})?@([\w./+-]{1,200})"
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_FROM = re.compile(
    r"[ \t]*FROM[ \t]{1,10}(?:--platform=\S{1,100}[ \t]{1,10})?(\S{1,300})(?:[ \t]{1,10}AS[ \t]{1,10}(\S{1,100}))?", re.IGNORECASE
)
_IMAGE = re.compile(r"([ \t]{1,40})image[ \t]*:[ \t]*[\"']?([^\s\"'#]{1,300})")
_OWN_ACTIONS = ("actions", "github")
_WORKFLOW = re.compile(r"(?:.*/)?\.(?:github|gitea|forgejo)/(?:workflows|actions)/.*\.ya?ml")
_COMPOSE = re.compile(r"(?:docker-)?compose(?:[.-].*)?\.ya?ml")


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to downloaded code. `fixed`: the name cannot silently refer to other bytes later."""

    kind: str
    text: str
    line: int
    fixed: bool


def references_in(path: str, text: str) -> tuple[Reference, ...] | None:
    """The references in a file; None for files that cannot contain any."""
    name = path.rpartition("/")[2]
    if _WORKFLOW.fullmatch(path):
        return tuple(_actions(text))
    if name.lower().startswith(("dockerfile", "containerfile")) or name.lower().endswith(".dockerfile"):
        return tuple(_base_images(text))
    return tuple(_service_images(text)) if _COMPOSE.fullmatch(name) else None


def _actions(text: str) -> Iterator[Reference]:
    """The actions in a workflow. The platform's own actions are trusted, like the machine they run on."""
    for number, line in enumerate(text.split("\n"), start=1):
        found = _USES.match(line[:1_000])
        if found:
            fixed = found[1].lower() in _OWN_ACTIONS or _COMMIT.fullmatch(found[3]) is not None
            yield Reference("action", f"{found[1]}/{found[2]}@{found[3]}", number, fixed)


def _base_images(text: str) -> Iterator[Reference]:
    stages: set[str] = {"scratch"}
    for number, line in enumerate(text.split("\n"), start=1):
        found = _FROM.match(line[:1_000])
        if not found:
            continue
        image = found[1]
        if image.lower() not in stages and "$" not in image:
            yield Reference("image", image, number, _is_tagged(image))
        if found[2]:
            stages.add(found[2].lower())


_ALIAS = re.compile(r"\*([\w-]{1,60})")


def _service_images(text: str) -> Iterator[Reference]:
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        found = _IMAGE.match(line[:1_000])
        if found and "$" not in found[2] and not _is_built(lines, number - 1, found[1]):
            yield Reference("image", found[2], number, _is_tagged(found[2]))


def _is_built(lines: list[str], index: int, indent: str) -> bool:
    """Return True if this service builds the image itself; the image is then an output."""
    for nearby in (lines[index + 1 : index + 200], lines[max(0, index - 200) : index][::-1]):
        for line in nearby:
            if line.strip() and not line.startswith(indent):
                break
            if line.startswith(f"{indent}build:"):
                return True
            if line.startswith(f"{indent}<<:") and any(_anchor_builds(lines, each) for each in _ALIAS.findall(line[:1_000])):
                return True
    return False


def _anchor_builds(lines: list[str], name: str) -> bool:
    """Return True if the service that `&name` marks builds its image."""
    start = next((index for index, line in enumerate(lines) if line[:1_000].rstrip().endswith(f"&{name}")), len(lines))
    for line in lines[start + 1 : start + 200]:
        if line.strip() and len(line) - len(line.lstrip()) <= len(lines[start]) - len(lines[start].lstrip()):
            return False
        if line.strip().startswith("build:"):
            return True
    return False


def _is_tagged(image: str) -> bool:
    if "@sha256:" in image:
        return True
    tag = image.rpartition("/")[2].partition(":")[2]
    return bool(tag) and tag.lower() != "latest"
