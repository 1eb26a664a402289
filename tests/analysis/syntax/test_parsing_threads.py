"""Replies of several agents are checked in several threads over one project, whose parsers serve one text at a time."""

import subprocess
import sys

PROGRAM = """
import sys, threading
from counterproof.analysis.syntax.parsing import parsed
from tree_sitter import Language, Parser
import tree_sitter_python

sys.setswitchinterval(1e-6)
parser = Parser(Language(tree_sitter_python.language()))
source = b"def one(a):\\n    return {'b': [a, (a, a)]}\\n" * 400
whole = parsed(parser, source).end_byte
seen = []

def work():
    seen.extend(parsed(parser, source).end_byte == whole for _ in range(20))

threads = [threading.Thread(target=work) for _ in range(6)]
for each in threads: each.start()
for each in threads: each.join()
assert seen == [True] * 120, seen
"""


def test_threads_that_share_a_parser_parse_one_after_the_other() -> None:
    """In a process of its own: without the lock it ends with a signal."""
    ended = subprocess.run([sys.executable, "-c", PROGRAM], check=False, capture_output=True, timeout=120)
    assert ended.returncode == 0, ended.stderr.decode()
