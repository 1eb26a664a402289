"""What callers of a package pass, what documents and other servers say, and what language models ask tools to do."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination
from counterproof.model.proof import Guess

Look = Callable[[dict[str, str]], Examination]
SETUP = {"setup.py": "from setuptools import setup\nsetup(name='thing')\n"}
PACKAGE = '{"name": "thing", "version": "1.0.0", "main": "./dist/cjs/index.js", "exports": {"./more": "./dist/more.js"}}'


def told(found: Examination) -> list[tuple[str, int]]:
    return sorted((each.rule, each.location.start) for each in found.findings)


@pytest.mark.rule("A55")
def test_a_name_that_a_caller_gives_behind_a_folder_is_low(look_at: Look) -> None:
    found = look_at(
        {
            **SETUP,
            "thing/store.py": """
            import os

            class Store:
                def __init__(self, root):
                    self.root = root

                def save(self, name, data):
                    with open(os.path.join(self.root, name[1:].replace("a", "b")), "wb") as file:
                        file.write(data)

                def whole(self, path):
                    return open(path).read()

                def _inner(self, name):
                    return open(os.path.join("/srv", name)).read()
            """,
        }
    )
    assert told(found) == [("path-traversal", 9)]
    proof = found.findings[0].proof
    assert proof is not None
    assert {each.guess for each in proof.assumptions} == {Guess.UNKNOWN_CALLER, Guess.INTENDED_USE}
    assert not proof.whole


def test_nobody_calls_the_functions_of_a_program_that_cannot_be_installed(look_at: Look) -> None:
    assert told(look_at({"store.py": "import os\ndef load(name):\n    return open(os.path.join('/srv', name)).read()\n"})) == []


def test_to_a_rule_that_does_not_mind_callers_what_they_pass_is_the_program_s_own(look_at: Look) -> None:
    """So that a text which only a check reports is not taken for one that was followed and is safe."""
    found = look_at(
        {
            **SETUP,
            "thing/store.py": """
            import os
            def find(db, name):
                return db.execute("SELECT a FROM b WHERE c = '" + name + "'")
            def show(name):
                os.system("ls " + name)
            """,
        }
    )
    assert told(found) == [("command-injection", 6)]
    origins = {each.kind: each.origin for each in found.traces}
    assert origins == {"sql": "internal, literal", "shell": "argument of a caller, literal"}


def test_a_route_of_a_package_is_a_route_first(look_at: Look) -> None:
    found = look_at(
        {
            **SETUP,
            "thing/app.py": """
            import os
            from flask import Flask
            app = Flask(__name__)

            @app.get("/<path:name>")
            def show(name):
                return open(os.path.join("/srv", name)).read()
            """,
        }
    )
    paths = [each for each in found.findings if each.rule == "path-traversal"]
    assert ["request" in each.source for each in paths] == [True]


@pytest.mark.parametrize(
    ("body", "harmful"),
    [
        ("names = zipfile.ZipFile('a.zip').namelist()", True),
        ("names = [os.path.basename(each) for each in zipfile.ZipFile('a.zip').namelist()]", False),
        ("names = requests.get('https://example.org/list').json()['names']", True),
        ("names = [part.get_filename() for part in mailbox.walk()]", True),
        ("names = ['one', 'two']", False),
        ("names = [schema['$ref']]", True),
    ],
)
def test_names_out_of_documents_and_answers(look_at: Look, body: str, harmful: bool) -> None:
    code = f"""
    import os, zipfile, requests

    def run(mailbox, schema):
        {body}
        for name in names:
            open(os.path.join("/srv", name), "wb")
    """
    found = look_at({"run.py": code})
    assert [each.rule for each in found.findings] == ["path-traversal"] * harmful
    for each in found.findings:
        assert each.proof is not None
        assert Guess.UNKNOWN_AUTHOR in {point.guess for point in each.proof.assumptions}


def test_what_a_request_brings_in_a_document_stays_the_request_s(look_at: Look) -> None:
    found = look_at(
        {
            "app.py": """
            import os
            from xml.etree import ElementTree
            from flask import Flask, request
            app = Flask(__name__)

            @app.post("/x")
            def take():
                name = ElementTree.fromstring(request.data).find("name").text
                return open(os.path.join("/srv", name)).read()
            """
        }
    )
    paths = [each for each in found.findings if each.rule == "path-traversal"]
    assert ["request" in each.source for each in paths] == [True]


def test_a_package_s_sources_are_found_behind_what_a_build_makes(look_at: Look) -> None:
    found = look_at(
        {
            "package.json": PACKAGE,
            "src/index.ts": """
            import fs from "fs";
            import path from "path";
            export * from "./inner";
            export class Store {
              constructor(private root: string) {}
              save(name: string, data: string) { fs.writeFileSync(path.join(this.root, name), data); }
              keep(name: string, data: string) { fs.writeFileSync(path.join(this.root, path.basename(name)), data); }
            }
            """,
            "src/inner.ts": """
            import { execFile, spawn } from "child_process";
            export const shell = (name: string) => spawn("sh", ["-c", "ls " + name]);
            export const windows = (name: string) => execFile("powershell.exe", ["-NoProfile", "-Command", name]);
            export const plain = (name: string) => spawn("ls", ["-l", name]);
            """,
            "src/more.ts": """
            export function show(element: HTMLElement, title: string) { element.innerHTML = title; }
            export function quiet(element: HTMLElement, title: string) { element.textContent = title; }
            """,
            "src/unused.ts": "export function get(element: HTMLElement, title: string) { element.innerHTML = title; }\n",
        }
    )
    assert sorted((each.location.path, each.location.start) for each in found.findings) == [
        ("src/index.ts", 7),
        ("src/inner.ts", 3),
        ("src/inner.ts", 4),
        ("src/more.ts", 2),
    ]


def test_a_static_method_means_its_class_by_this(look_at: Look) -> None:
    found = look_at(
        {
            "package.json": '{"name": "thing", "version": "1.0.0", "main": "index.js"}',
            "index.js": """
            const { exec } = require("child_process");
            class Tool {
              static run(name) { return this.inner(name); }
              static inner(text) { return exec("ls " + text); }
            }
            module.exports = (name) => Tool.run(name);
            """,
        }
    )
    assert [each.rule for each in found.findings] == ["javascript-command-injection"]


TOOLS = """
import os, subprocess
from mcp.server.fastmcp import Context, FastMCP
mcp = FastMCP("thing")

@mcp.tool()
def run(ctx: Context, name: str, count: int) -> str:
    subprocess.run(f"head -n {count} /srv/a")
    return subprocess.check_output(f"ls {name}", shell=True)

@mcp.tool()
def safe(name: str) -> str:
    return subprocess.check_output(["ls", os.path.basename(name)])

def own(name: str) -> str:
    return subprocess.check_output(f"ls {name}", shell=True)
"""


def test_the_arguments_of_a_tool_come_from_whoever_the_model_reads(look_at: Look) -> None:
    assert told(look_at({"server.py": TOOLS})) == [("command-injection", 9)]


def test_tools_of_a_script(look_at: Look) -> None:
    found = look_at(
        {
            "server.ts": """
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            import { CallToolRequestSchema, CallToolRequest } from "@modelcontextprotocol/sdk/types.js";
            import { exec, execFile } from "child_process";
            const server = new McpServer({ name: "thing", version: "1" });
            server.tool("list", {}, async ({ folder }) => {
              exec(`ls ${folder}`);
            });
            server.setRequestHandler(CallToolRequestSchema, async (request: CallToolRequest) => {
              const { arguments: given } = request.params;
              return fetch(given.url);
            });
            server.registerTool("safe", {}, async (given) => execFile("ls", ["-l", given.folder]));
            """
        }
    )
    assert told(found) == [("javascript-command-injection", 7), ("javascript-ssrf", 11)]


def test_a_message_of_another_window_is_the_sender_s_unless_its_origin_is_asked(look_at: Look) -> None:
    found = look_at(
        {
            "page.js": """
            const place = document.querySelector("#place");
            window.addEventListener("message", (event) => { place.innerHTML = event.data.text; });
            window.addEventListener("message", (event) => {
              if (event.origin !== "https://example.org") return;
              place.innerHTML = event.data.text;
            });
            """
        }
    )
    assert told(found) == [("javascript-dom-xss", 3)]
