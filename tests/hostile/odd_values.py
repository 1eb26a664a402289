"""Values that a language or a format allows and a reader chokes on, in the places where a tree has values (X16).

Numbers beyond every type, texts that no escape ends, keys that are no text, dates, references to oneself: whatever a parser
hands over that code behind it did not think of. `cases` yields trees with a flaw beside the value, in the same file where that
is possible; the flaw is to be found in each. Below, `§x*9§` stands for nine times x, and `§` for the value.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hostile.hidden_code import PYTHON_FLAW, SCRIPT_FLAW

PYTHON_VALUES = r"""
§9*5000§
0x§f*6000§
1e400
-1e-400
1e400j
0b1§01*400§
'\ud83d'
b'\xff\x00'
'\N{BELL}\0'
f'{1:{2}}{request!r:>{9**9}}'
...
{}
{1: {2: {3: ()}}}
(None, True, ...)[1]
not_there
-0.0
'%s' % ()
'{0.__class__}'.format(1)
'%(a)s' % {}
'a' 'b' f'{0}'
lambda *a, **k: a
[*()]
10 ** 10 ** 10
1 << 10 ** 9
'x' * 10 ** 12
int('1' * 9999)
(yield)
await_
{**{}}
'\x80' '\u0000'
True and 9 or {}
1 if 0 else '\\'
"""
PYTHON_PLACES = r"""
VALUE = §\n
def f(a=§):\n    return a\n
class C:\n    field = §\n    __slots__ = (§,)\n
x = dict(a=§)\n
SETTINGS = {'SECRET_KEY': §, 'DEBUG': §, 'k': 1}\n
app.config['SECRET_KEY'] = §\n
DEBUG = SECRET_KEY = PORT = §\n
app.run(host=§, port=§, debug=§)\n
def g(q):\n    return open(§, §).read(§)\n
os.system('ls %s' % §)\n
import hashlib\nhashlib.new(§, §)\nhashlib.pbkdf2_hmac('sha1', §, §, §)\n
x = [§][§:§]\n
@bp.route(§, methods=§, defaults=§)\ndef odd():\n    return §\n
assert § == §, §\n
match 1:\n    case _ if §:\n        pass\n
db.execute('SELECT ' + §, (§,))\n
requests.get(§, verify=§, timeout=§)\n
re.compile(§, §)\n
yaml.load(§, §)\n
resp.set_cookie('a', §, secure=§, max_age=§)\n
jwt.decode(§, §, algorithms=§)\n
random.seed(§)\n
os.chmod('x', §)\n
"""
SCRIPT_VALUES = r"""
§9*5000§
1e999
0x§f*6000§
§9*400§n
'\ud83d'
`${`${1}`}`
/(?<a>\p{L}+)/u
void 0
[,,]
{ ['a']: 1 }
(() => {})
class {}
null ?? undefined
-0
'\u{110000}'
NaN
async () => await 1
{ __proto__: null }
'\x0'
new.target
import.meta
<a/>
'x'.repeat(1e12)
1 ** 1 ** 1e9
{ get a() { return 1 } }
{ ...{} }
"""
SCRIPT_PLACES = r"""
const v = §;\n
module.exports.a = §;\n
router.get(§, §);\n
router.use(§, (req, res) => res.send(§));\n
exec(§, §);\n
const s = require(§);\n
res.cookie('a', §, { secure: §, maxAge: § });\n
crypto.createHash(§);\n
new RegExp(§, §);\n
jwt.verify(§, §, { algorithms: § });\n
app.listen(§);\n
fetch(§, { headers: § });\n
switch (§) { case §: break; }\n
for (const a of §) { a; }\n
class Q { static a = §; }\n
"""
MANIFESTS = r"""
package.json {"dependencies": {"a": §9*5000§, "b": 1e999, "c": null, "d": ["1"], "e": {"f": 1}}}
package.json {"dependencies": NaN}
package.json [1, 2]
package.json {"scripts": ["a", {"b": 1}], "name": 7, "version": {}, "workspaces": 3, "main": [1], "bin": 9, "exports": 8}
package.json {"a": 1, "a": {"a": 2}}
package.json "text"
package.json null
package.json \ufeff{}
package.json {"dependencies": {"": "", "\\u0000": "\\u0000", "../..": "file:../.."}}
package-lock.json {"lockfileVersion": §9*5000§, "packages": {"": 1, "node_modules/": {}, "x": null}}
package-lock.json {"packages": [1]}
package-lock.json {"lockfileVersion": "x", "dependencies": {"a": {"requires": 1, "dependencies": {"a": {"version": 7}}}}}
composer.json {"require": {"php": §9*5000§, "a/b": 1}}
composer.json {"require": ["a"], "autoload": 1, "scripts": 5}
pyproject.toml [project]\nname = 1979-05-27\nversion = 1e400\ndependencies = [1, 2]\n
pyproject.toml x = §9*5000§\n
pyproject.toml [project]\ndependencies = 'a'\n[tool]\npoetry = 3\n
pyproject.toml project = 1\ntool = 'x'\n[build]\nsystem = inf\n
pyproject.toml [tool.poetry.dependencies]\na = 1979-05-27T07:32:00Z\nb = [nan]\n'' = {}\n
pyproject.toml [project]\noptional-dependencies = [[1]]\nscripts = 9\nentry-points = []\n
Pipfile [packages]\na = §9*5000§\nb = 1.5\n
Pipfile packages = 7\n
Cargo.toml [dependencies]\na = 07:32:00\nb = {version = 5}\n
requirements.txt a==\\\n\\\n\\\n
requirements.txt -r requirements.txt\n
requirements.txt -r ../../../etc/passwd\n
requirements.txt a[§b,*999§]==1; python_version<'\\x00'\n
requirements.txt ===1\n@@@\n
requirements.txt a @ file:///etc/passwd\n
setup.cfg [options]\ninstall_requires =\n  %(x)s\n  ${a:b}\n[x]\n%(x)s = 1\n
setup.cfg no section\n
setup.cfg [a]\n[a]\n
setup.cfg §[*999§
setup.py setup(install_requires=§9*5000§, version=1e400, extras_require=[], packages={})\n
pom.xml <project><!DOCTYPE x [<!ENTITY a 'b'>]><version>&a;</version></project>
pom.xml §<*3000§
pom.xml <project xmlns='§x*9000§'/>
build.gradle dependencies { implementation§(*900§( }\n
build.gradle version = §9*5000§\n
go.mod module x\ngo §9*5000§\nrequire a v§9*5000§.0.0\n
go.mod §require (\n*400§
Gemfile gem 9, {}, :\n
Gemfile §gem *2000§
Gemfile.lock GEM\n  specs:\n    (\n    a (9..9)\n    a (§9*5000§)\n
docker-compose.yml services: {a: {ports: [§9*5000§, 1e999, 0o7, ~], environment: {1: 2, ~: x, [a]: b}}}\n
docker-compose.yml services: [1, {a: 2}]\n
docker-compose.yml &a [*a]\n
docker-compose.yml !!python/object/apply:os.system ['x']\n
docker-compose.yml services:\n  ? {a: b}\n  : 1\n  2001-01-01: x\n
docker-compose.yml !!binary '/w=='\n
docker-compose.yml a: &x {<<: *x}\n
docker-compose.yml ? |\n
docker-compose.yml services: {a: {image: 5, build: [1], privileged: 2020-01-01, volumes: {a: 1}}}\n
docker-compose.yml --- \n---\n--- a\n...\n%YAML 9.9\n---\n
.github/workflows/ci.yml on: {pull_request_target: 5}\njobs: 7\n
.github/workflows/ci.yml on: 2020-01-01\njobs: {1: {steps: 5, permissions: [1]}, a: {steps: [7, {run: {a: 1}, uses: 5}]}}\n
.github/workflows/ci.yml true: [push]\njobs: {a: [1]}\nenv: 5\npermissions: {contents: [x]}\n
k8s.yaml apiVersion: 1\nkind: [Pod]\nspec: {containers: {a: 1}}\n
k8s.yaml kind: Pod\nspec: {containers: [1, {securityContext: 5, env: [1, {name: 2, value: 3}]}]}\n
.env =x\nA\nB=$(x)\nC=${D:-${E}}\n\\\n
.env SECRET_KEY=§a*9000§\n
Dockerfile FROM\nRUN\nENV\nUSER \\\n
Dockerfile FROM a AS b AS c\nRUN ["a", 1, {\n
tsconfig.json {"extends": "./tsconfig.json", "compilerOptions": {"paths": {"*": 5, "a": [1]}, "baseUrl": 7}}
tsconfig.json // x\n{,}
main.tf resource "a" "b" { x = §9*5000§\n
main.tf variable "x" { default = <<EOT\n
notebook.ipynb {"cells": [{"source": 5}, 7, {"cell_type": []}]}
notebook.ipynb {"cells": {"a": 1}, "nbformat": 1e999}
notebook.ipynb [[[
.gitignore [\n[!\n\\\n**/**/**\n!\n
.gitignore §a*9000§
.gitmodules [submodule "\n path = ../..\n
.gitmodules [submodule]\n
openapi.yaml openapi: 3\npaths: {/a: 5, 7: {get: [1]}}\n
schema.prisma §model {\n*300§
templates/a.html §{{ *2000§
templates/a.html {% if %}{% for %}{{ a|b:c|d }}{{ %}
templates/a.html <a §b='*999§
"""


@dataclass(frozen=True)
class Odd:
    """One tree, and the files that contain a flaw."""

    name: str
    files: dict[str, bytes]
    flaws: frozenset[str]


def cases() -> Iterator[Odd]:
    """Every value in every place: in a language one tree a value, with a file for each place."""
    for name, values, places, code, ending in (
        ("Python", PYTHON_VALUES, PYTHON_PLACES, PYTHON_FLAW, "py"),
        ("JavaScript", SCRIPT_VALUES, SCRIPT_PLACES, SCRIPT_FLAW, "js"),
    ):
        for value in values.strip().splitlines():
            files = {
                f"m{n}.{ending}": (code + _unescaped(place).replace("§", _repeated(value))).encode()
                for n, place in enumerate(places.strip().splitlines())
            }
            yield Odd(f"{name} {value}", files, frozenset(files))
    for each in MANIFESTS.strip().splitlines():
        path, _, text = each.partition(" ")
        files = {"main.py": PYTHON_FLAW.encode(), path: _unescaped(_repeated(text)).encode()}
        yield Odd(each, files, frozenset({"main.py"}))


def _repeated(text: str) -> str:
    return re.sub(r"§(.+?)\*(\d+)§", lambda found: found[1] * int(found[2]), text)


def _unescaped(text: str) -> str:
    return text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\ufeff", "\ufeff").replace("\0", "\\")
