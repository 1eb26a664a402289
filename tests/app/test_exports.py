"""Files for coding agents say what is enforced and what is advice, and never replace what a user wrote."""

import json
import re
from pathlib import Path

import pytest

from cli.command import counterproof
from counterproof.app.exports import KINDS, write
from counterproof.mcp.server import INSTRUCTIONS
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.errors import UserError


@pytest.mark.rule("R34")
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_exported_file_says_what_is_enforced_and_what_is_advice(kind: str, tmp_path: Path) -> None:
    paths = write(kind, tmp_path)
    assert sorted(paths) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    for path in (path for path in paths if path.suffix != ".json"):
        text = path.read_text(encoding="utf-8")
        assert re.search(r"Enforced(, by the engine behind the MCP tools)?: ", text), path
        assert "Advice" in text, path
        assert "{{" not in text, path
    assert write(kind, tmp_path) == paths, "our own files are replaced"


def test_the_files_have_the_shapes_that_their_tools_read(tmp_path: Path) -> None:
    write("claude-code", tmp_path)
    for page in (*tmp_path.glob(".claude/skills/*/SKILL.md"), *tmp_path.glob(".claude/agents/*.md")):
        assert re.match(r"---\nname: [a-z-]+\ndescription: [^\n]+\n---\n", page.read_text()), page
    write("cursor", tmp_path)
    rule = (tmp_path / ".cursor/rules/counterproof.mdc").read_text()
    assert re.match(r"---\ndescription: [^\n]+\nalwaysApply: false\n---\n", rule)
    write("agents-md", tmp_path)
    guidance = (tmp_path / "AGENTS.md").read_text()
    assert all(f"- {each.value} {each.label}\n" in guidance for each in ALL_DIMENSIONS)


def test_tools_that_the_files_name_exist(tmp_path: Path) -> None:
    from counterproof.agents.tool_shapes import audit_tools
    from counterproof.mcp.run_tools import RunTools
    from counterproof.mcp.task_tools import TaskTools

    tools = {name for kind in (RunTools, TaskTools) for name in vars(kind) if not name.startswith("_")}
    tools |= {f"task_{name}" for name, *_ in audit_tools()}
    texts = [
        INSTRUCTIONS,
        *(path.read_text() for kind in KINDS for path in write(kind, tmp_path / kind) if path.suffix != ".json"),
    ]
    named = {name for text in texts for name in re.findall(r"\b(?:[a-z]+_)+[a-z]+\b", text)}
    assert named
    assert named <= {*tools, "task_id"}


def test_a_file_of_the_user_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("my own words")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "AGENTS.md").symlink_to(tmp_path / "target")
    for folder in (tmp_path, tmp_path / "elsewhere"):
        with pytest.raises(UserError, match="was not written by us"):
            write("agents-md", folder)
    assert (tmp_path / "AGENTS.md").read_text() == "my own words"
    (tmp_path / "elsewhere" / ".cursor").symlink_to(tmp_path)
    with pytest.raises(UserError, match="leads out of"):
        write("cursor", tmp_path / "elsewhere")
    result = counterproof("export", "agents-md", "--out", str(tmp_path))
    assert result.returncode == 2
    assert "give another --out" in result.stderr


@pytest.mark.parametrize(("kind", "name"), [("claude-code", ".mcp.json"), ("cursor", ".cursor/mcp.json")])
def test_the_server_is_added_to_the_users_own(kind: str, name: str, tmp_path: Path) -> None:
    server = {"counterproof": {"command": "counterproof", "args": ["mcp"]}}
    write(kind, tmp_path)
    assert json.loads((tmp_path / name).read_text()) == {"mcpServers": server}
    (tmp_path / name).write_text('{"mcpServers": {"other": {"command": "x"}}, "inputs": []}')
    write(kind, tmp_path)
    assert json.loads((tmp_path / name).read_text()) == {"mcpServers": {"other": {"command": "x"}, **server}, "inputs": []}
    (tmp_path / name).write_text('{"mcpServers": [// mine')
    with pytest.raises(UserError, match="not the JSON object"):
        write(kind, tmp_path)
    assert "mine" in (tmp_path / name).read_text()
