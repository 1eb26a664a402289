"""Code made from untrusted data.

## What it finds
Request data, or what a language model answers, given to `eval`, `exec`, `compile`, dynamic imports, functions looked up by
name in `globals()`, and similar.

## Why it matters
The sender's text becomes part of the program and can do whatever the program can. A model follows whatever text it reads, a web
page or a mail as well as a question, so that whoever writes one of them decides what is run.

## What is safe
`ast.literal_eval`, `json.loads`, a table from names to functions, values from a fixed list.

## Limits
A sandbox given as second argument is not trusted: they are escaped regularly.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_CONSOLES = ("InteractiveInterpreter", "InteractiveConsole")
_REPLS = ("langchain.utilities", "langchain_experimental.utilities", "langchain_experimental.utilities.python")

RULE = FlowRule(
    RuleInfo(
        id="code-injection",
        title="Program code made from untrusted data",
        dimension=Dimension.D1,
        kind="code",
        cwe=94,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run code of their choice inside the application.",
        remedy="Parse the data (`json.loads`, `ast.literal_eval`) or map names to functions; never evaluate it.",
    ),
    sinks=(
        Sink("eval", (0,)),
        Sink("exec", (0,)),
        Sink("execfile", (0,)),
        Sink("compile", (0, "source")),
        Sink("builtins.eval", (0,)),
        Sink("builtins.exec", (0,)),
        Sink("__import__", (0,), only_remote=True),
        Sink("importlib.import_module", (0, "name"), only_remote=True),
        Sink("django.utils.module_loading.import_string", (0, "dotted_path"), only_remote=True),
        Sink("werkzeug.utils.import_string", (0, "import_name"), only_remote=True),
        Sink("pydoc.locate", (0, "path"), only_remote=True),
        Sink("pkgutil.resolve_name", (0, "name"), only_remote=True),
        Sink("runpy.run_path", (0, "path_name"), only_remote=True),
        Sink("runpy.run_module", (0, "mod_name"), only_remote=True),
        Sink("imp.load_source", (1, "pathname"), only_remote=True),
        Sink("importlib.util.spec_from_file_location", (1, "location"), only_remote=True),
        Sink("importlib.machinery.SourceFileLoader", (1, "path"), only_remote=True),
        Sink("ctypes.CDLL", (0, "name"), only_remote=True),
        Sink("ctypes.cdll.LoadLibrary", (0, "name"), only_remote=True),
        Sink("six.exec_", (0,)),
        *(Sink(f"code.{each}().{name}", (0,)) for each in _CONSOLES for name in ("runsource", "runcode", "push")),
        Sink("sympy.sympify", (0,), only_remote=True),
        Sink("sympy.parse_expr", (0,), only_remote=True),
        Sink("sympy.parsing.sympy_parser.parse_expr", (0,), only_remote=True),
        Sink("js2py.eval_js", (0, "js")),
        *(Sink(f"{package}.PythonREPL().run", (0, "command")) for package in _REPLS),
        *(Sink(f"{names}().get", (0,), only_remote=True) for names in ("globals", "locals", "vars")),
        Sink("pandas.eval", (0,)),
        Sink("PIL.ImageMath.eval", (0, "expression")),
        Sink("PIL.ImageMath.unsafe_eval", (0, "expression")),
        Sink("numexpr.evaluate", (0,)),
        *(Sink(f"timeit.{name}", (0, 1, "stmt", "setup")) for name in ("timeit", "repeat", "Timer")),
        Sink("cProfile.run", (0, "statement")),
    ),
    sanitisers=("ast.literal_eval", "json.loads", "quoted literal"),
    poc="__import__('os').system('id')",
    local_users=True,
    models=True,
)
