"""Manifests in other formats: setup.cfg, setup.py, Pipfile.lock, environment.yml.

`setup.py` is never run: only literal lists are read, and computed values are reported as unknown.
"""

import re

from counterproof.analysis.dependencies.manifest import Declared, Manifest, Role
from counterproof.analysis.dependencies.plain_data import as_table
from counterproof.analysis.dependencies.requirement import normal_name, parse_requirement
from counterproof.analysis.program.traversal import calls_in, keyword, text_of
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.structured import parsed_json

_CONDA = re.compile(
    r"[ \t]*-[ \t]{1,10}[\"']?(?:[\w.-]{1,60}::)?([A-Za-z0-9][\w.-]{0,100})[ \t]{0,5}"
    r"((?:[=<>!~][^#\"']{0,100})?)[\"']?[ \t]*(?:#.*)?$"
)
_JSON_KEY = re.compile(r'[ \t]*"([^"]{1,100})":')


def read_setup_cfg(path: str, text: str) -> Manifest:
    """`[options] install_requires` and `[options.extras_require]`."""
    declared: list[Declared] = []
    section = key = ""
    packaged = False
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        if not bare or bare.startswith(("#", ";")):
            continue
        if bare.startswith("["):
            section, key = bare.strip("[]").strip(), ""
            continue
        value = bare
        if not line[0].isspace():
            name, _, value = bare.partition("=")
            key, value = name.strip(), value.strip()
            packaged = packaged or (section == "metadata" and key == "name")
        wanted = section == "options.extras_require" or (section == "options" and key in ("install_requires", "tests_require"))
        if wanted and value:
            requirement = parse_requirement(value, number, development=section != "options" or key != "install_requires")
            declared += [requirement] if requirement else []
    return Manifest(path, Role.DECLARES, tuple(declared), packaged=packaged)


def read_setup_py(path: str, module: ir.Module) -> Manifest:
    """The literal arguments of `setup()`."""
    lists: dict[str, ir.Expr] = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ir.Assign) and node.value is not None
        for target in node.targets
        if isinstance(target, ir.Name)
    }
    declared: list[Declared] = []
    problems: list[str] = []
    packaged = False
    for call in calls_in(*module.body):
        name = call.callee.id if isinstance(call.callee, ir.Name) else getattr(call.callee, "name", "")
        if name != "setup":
            continue
        packaged = True
        found = _requirement_lists(call, lists)
        if found is None:
            problems.append(f"{path}:{call.line} computes its requirements; they are not known")
        else:
            declared += found
    return Manifest(path, Role.DECLARES, tuple(declared), packaged=packaged, problems=tuple(problems))


def _requirement_lists(call: ir.Call, lists: dict[str, ir.Expr]) -> list[Declared] | None:
    declared: list[Declared] = []
    for option, development in (("install_requires", False), ("tests_require", True), ("setup_requires", True)):
        value = keyword(call, option)
        if value is None:
            continue
        value = lists.get(value.id, value) if isinstance(value, ir.Name) else value
        if not isinstance(value, ir.Sequence):
            return None
        declared += _literal_requirements(value, development)
    extras = keyword(call, "extras_require")
    extras = lists.get(extras.id, extras) if isinstance(extras, ir.Name) else extras
    if isinstance(extras, ir.Mapping):
        for _, value in extras.entries:
            declared += _literal_requirements(value, True) if isinstance(value, ir.Sequence) else []
    return declared


def _literal_requirements(value: ir.Sequence, development: bool) -> list[Declared]:
    found = [parse_requirement(text_of(item) or "", item.line, development) for item in value.items if text_of(item)]
    return [each for each in found if each]


def read_pipfile_lock(path: str, text: str) -> Manifest:
    """JSON with exact versions and hashes."""
    try:
        data: object = parsed_json(text)
    except ValueError:
        return Manifest(path, Role.LOCKS, problems=(f"{path} is not valid JSON and was not read",))
    keys = ((number, _JSON_KEY.match(line)) for number, line in enumerate(text.split("\n"), start=1))
    lines = {found[1]: number for number, found in keys if found}
    declared = [
        Declared(
            normal_name(name),
            str(as_table(detail).get("version", "*")).removeprefix("=="),
            pinned=True,
            line=lines.get(name, 1),
            verified=True,
            development=section == "develop",
        )
        for section in ("default", "develop")
        for name, detail in as_table(as_table(data).get(section)).items()
    ]
    return Manifest(path, Role.LOCKS, tuple(declared))


def read_conda(path: str, text: str) -> Manifest:
    """The `dependencies` list of an environment file, with its `pip` part."""
    declared: list[Declared] = []
    inside = in_pip = False
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        if bare and not line[0].isspace() and not bare.startswith(("-", "#")):
            inside, in_pip = bare.startswith("dependencies:"), False
        elif inside and re.fullmatch(r"-[ \t]+pip[ \t]*:", bare):
            in_pip = True
        elif inside and bare.startswith("- "):
            requirement = _conda_entry(line, bare, number, in_pip)
            declared += [requirement] if requirement and requirement.name not in ("python", "pip") else []
    return Manifest(path, Role.DECLARES, tuple(declared))


def _conda_entry(line: str, bare: str, number: int, in_pip: bool) -> Declared | None:
    if in_pip:
        return parse_requirement(bare[2:].strip("\"' "), number)
    found = _CONDA.match(line)
    if not found:
        return None
    exact = re.fullmatch(r"={1,2}([0-9][\w.]{0,60})(?:=.{0,60})?", found[2].strip())
    return Declared(normal_name(found[1]), exact[1] if exact else found[2].strip() or "*", exact is not None, number)
