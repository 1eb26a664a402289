"""X21, second half: code that looks irrelevant, but is reached by something other than an import statement.

The flaw stands in `vendor/plain.py` or `vendor/plain.js`, which is left out where nothing reaches it. Each entry is one way in
which running code, a manifest or a start script reaches it.
"""

from collections.abc import Iterator

from hostile.hidden_code import PYTHON_FLAW, SCRIPT_FLAW, Hidden

PYTHON_PATH, SCRIPT_PATH = "vendor/plain.py", "vendor/plain.js"
PYTHON_WAYS: dict[str, str] = {
    "exec of its text": "exec(open('vendor/plain.py').read())\n",
    "exec, compiled": "from pathlib import Path\nexec(compile(Path('vendor/plain.py').read_text(), 'x', 'exec'))\n",
    "exec, joined path": "import os\nexec(open(os.path.join('vendor', 'plain.py')).read())\n",
    "exec, beside this file": "from pathlib import Path\nexec((Path(__file__).parent / 'vendor' / 'plain.py').read_text())\n",
    "run by path": "import runpy\nrunpy.run_path('vendor/plain.py')\n",
    "run as a module": "import runpy\nrunpy.run_module('vendor.plain')\n",
    "from a file's location": "import importlib.util as u\ns = u.spec_from_file_location('p', 'vendor/plain.py')\n"
    "m = u.module_from_spec(s)\ns.loader.exec_module(m)\n",
    "__import__": "bp = __import__('vendor.plain', fromlist=['bp']).bp\n",
    "imported by a name in a list": "import importlib\nfor each in ['vendor.plain']:\n    importlib.import_module(each)\n",
    "imported by a joined name": "import importlib\nimportlib.import_module('vendor' + '.' + 'plain')\n",
    "imported by a formatted name": "import importlib\nname = 'plain'\nimportlib.import_module(f'vendor.{name}')\n",
    "imported relative to a package": "import importlib\nimportlib.import_module('.plain', 'vendor')\n",
    "every module of a folder": "import importlib, pkgutil\nfor m in pkgutil.iter_modules(['vendor']):\n"
    "    importlib.import_module('vendor.' + m.name)\n",
    "every file of a folder": "import glob, runpy\nfor path in glob.glob('vendor/*.py'):\n    runpy.run_path(path)\n",
    "through the path of modules": "import sys\nsys.path.insert(0, 'vendor')\nimport plain\n",
    "through the path, beside this file": "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), 'vendor'))\n"
    "from plain import bp\n",
    "as a process": "import subprocess, sys\nsubprocess.run([sys.executable, 'vendor/plain.py'])\n",
    "as a command": "import os\nos.system('python vendor/plain.py')\n",
    "as a module of a process": "import subprocess\nsubprocess.Popen(['python', '-m', 'vendor.plain'])\n",
    "by werkzeug's import_string": "from werkzeug.utils import import_string\nbp = import_string('vendor.plain:bp')\n",
    "installed in Django": "INSTALLED_APPS = ['django.contrib.admin', 'vendor.plain']\n",
    "Django's root of addresses": "ROOT_URLCONF = 'vendor.plain'\n",
    "middleware of Django": "MIDDLEWARE = ['vendor.plain.Middleware']\n",
    "included by Django": "from django.urls import include, path\nurlpatterns = [path('', include('vendor.plain'))]\n",
    "a task of Celery": "from celery import Celery\napp = Celery('x', include=['vendor.plain'])\n",
    "served by uvicorn": "import uvicorn\nuvicorn.run('vendor.plain:app')\n",
    "a name that is made later": "import importlib\ndef __getattr__(name):\n    return importlib.import_module('vendor.plain')\n",
}
PYTHON_FILES: dict[str, dict[str, str]] = {
    "re-exported by its package": {"vendor/__init__.py": "from .plain import bp\n", "main.py": "from vendor import bp\n"},
    "a script of the project": {"pyproject.toml": "[project]\nname = 'x'\n[project.scripts]\nx = 'vendor.plain:ping'\n"},
    "an entry point": {"pyproject.toml": "[project]\nname = 'x'\n[project.entry-points.flask]\nx = 'vendor.plain:bp'\n"},
    "a script of poetry": {"pyproject.toml": "[tool.poetry.scripts]\nx = 'vendor.plain:ping'\n"},
    "an entry point of setup.py": {"setup.py": "setup(entry_points={'console_scripts': ['x = vendor.plain:ping']})\n"},
    "an entry point of setup.cfg": {"setup.cfg": "[options.entry_points]\nconsole_scripts =\n    x = vendor.plain:ping\n"},
    "a Procfile": {"Procfile": "web: gunicorn vendor.plain:app\n"},
    "an image": {"Dockerfile": 'FROM python\nCOPY . .\nCMD ["python", "vendor/plain.py"]\n'},
    "an image, as a module": {"Dockerfile": "FROM python\nENTRYPOINT python -m vendor.plain\n"},
    "an image, by its folder": {"Dockerfile": "FROM python\nWORKDIR vendor\nCMD flask --app plain run\n"},
    "compose": {"docker-compose.yml": "services:\n  a:\n    image: python\n    command: gunicorn vendor.plain:app\n"},
    "a script of a shell": {"run.sh": "#!/bin/sh\nexec python vendor/plain.py\n"},
    "a Makefile": {"Makefile": "run:\n\tpython -m vendor.plain\n"},
    "uwsgi": {"uwsgi.ini": "[uwsgi]\nmodule = vendor.plain:app\n"},
    "a unit of systemd": {"x.service": "[Service]\nExecStart=/usr/bin/python vendor/plain.py\n"},
    "supervisor": {"supervisord.conf": "[program:x]\ncommand=python vendor/plain.py\n"},
    "serverless": {"serverless.yml": "functions:\n  a:\n    handler: vendor/plain.ping\n"},
    "a crontab": {"crontab": "* * * * * python vendor/plain.py\n"},
    "app.yaml": {"app.yaml": "runtime: python312\nentrypoint: gunicorn vendor.plain:app\n"},
}
SCRIPT_WAYS: dict[str, str] = {
    "joined path": "const r = require(require('path').join(__dirname, 'vendor', 'plain'));\n",
    "resolved path": "const path = require('path');\nconst r = require(path.resolve('./vendor/plain.js'));\n",
    "template with the folder": "const r = require(`${__dirname}/vendor/plain`);\n",
    "dynamic import": "import('./vendor/plain.js').then((m) => app.use(m.default));\n",
    "every file of a folder": "require('fs').readdirSync('./vendor').forEach((f) => app.use(require('./vendor/' + f)));\n",
    "run in a context": "require('vm').runInThisContext(require('fs').readFileSync('vendor/plain.js', 'utf8'));\n",
    "evaluated": "eval(require('fs').readFileSync(__dirname + '/vendor/plain.js', 'utf8'));\n",
    "forked": "require('child_process').fork('./vendor/plain.js');\n",
    "a worker": "const { Worker } = require('worker_threads');\nnew Worker('./vendor/plain.js');\n",
    "exported again": "export * from './vendor/plain.js';\n",
    "exported again by name": "export { router } from './vendor/plain';\n",
    "a require that was made": "const r = require('module').createRequire(__filename)('./vendor/plain');\n",
    "another name for require": "const load = require;\nconst r = load('./vendor/plain');\n",
    "require of the module": "const r = module.require('./vendor/plain');\n",
    "a name put together": "const r = require('./vendor/' + 'plain');\n",
    "a name in a variable": "const where = './vendor/plain';\nconst r = require(where);\n",
    "a name in a list": "['./vendor/plain'].forEach((each) => app.use(require(each)));\n",
    "for its effects": "import './vendor/plain.js';\n",
    "as a command": "require('child_process').spawn('node', ['vendor/plain.js']);\n",
}
SCRIPT_FILES: dict[str, dict[str, str]] = {
    "main": {"package.json": '{"name": "x", "main": "vendor/plain.js"}'},
    "bin": {"package.json": '{"name": "x", "bin": {"x": "./vendor/plain.js"}}'},
    "exports": {"package.json": '{"name": "x", "exports": {".": {"require": "./vendor/plain.js"}}}'},
    "imports": {"package.json": '{"imports": {"#p": "./vendor/plain.js"}}', "server.js": "const r = require('#p');\n"},
    "workspace": {"package.json": '{"workspaces": ["vendor"]}', "vendor/package.json": '{"name": "p", "main": "plain.js"}',
                  "server.js": "const r = require('p');\n"},
    "an alias of TypeScript": {"tsconfig.json": '{"compilerOptions": {"paths": {"@v/*": ["./vendor/*"]}}}',
                               "server.ts": "import r from '@v/plain';\n"},
    "pm2": {"ecosystem.config.js": "module.exports = { apps: [{ script: './vendor/plain.js' }] };\n"},
    "a Procfile": {"Procfile": "web: node vendor/plain.js\n"},
    "an image": {"Dockerfile": 'FROM node\nCMD ["node", "vendor/plain.js"]\n'},
    "nodemon": {"nodemon.json": '{"exec": "node ./vendor/plain.js"}'},
    "a script of a shell": {"start.sh": "node vendor/plain.js &\n"},
    "serverless": {"serverless.yml": "functions:\n  a:\n    handler: vendor/plain.handler\n"},
    "compose": {"compose.yaml": "services:\n  a:\n    image: node\n    command: [node, vendor/plain.js]\n"},
    "a folder's index": {"vendor/index.js": "module.exports = require('./plain');\n",
                         "server.js": "const r = require('./vendor');\n"},
}  # fmt: skip


def reached() -> Iterator[Hidden]:
    """Every way, each in a tree of its own."""
    for name, text in PYTHON_WAYS.items():
        yield _tree(f"Python, {name}", PYTHON_PATH, PYTHON_FLAW, {"main.py": text})
    for name, files in PYTHON_FILES.items():
        yield _tree(f"Python, {name}", PYTHON_PATH, PYTHON_FLAW, {"other.py": "x = 1\n", **files})
    for name, text in SCRIPT_WAYS.items():
        yield _tree(f"JavaScript, {name}", SCRIPT_PATH, SCRIPT_FLAW, {"server.js": "const app = require('express')();\n" + text})
    for name, files in SCRIPT_FILES.items():
        yield _tree(f"JavaScript, {name}", SCRIPT_PATH, SCRIPT_FLAW, {"other.js": "var x = 1;\n", **files})


def _tree(name: str, flaw: str, code: str, files: dict[str, str]) -> Hidden:
    return Hidden(name, flaw, {flaw: code.encode(), **{path: text.encode() for path, text in files.items()}})
