import re

from pygments.lexer import RegexLexer
from pygments.token import Comment, Name, Operator

WORD = r"[a-z0-9]+"
QUOTED = re.compile(r'"((?:[^"\\]+|\\.)*)"')  # expect: regex-backtracking
DOMAIN = re.compile(r"^(?:\." + WORD + r"(?:[a-z0-9-]*[a-z0-9]+)*)*$")  # expect: regex-backtracking
COLOUR = re.compile(r"rgb\([ \n\t]*(.+?)[ \n\t]*\)")  # expect: regex-backtracking
SPACED = re.compile(rf"^(\s*{WORD}\s*)*=")  # expect: regex-backtracking

QUOTED_ONCE = re.compile(r'"((?:[^"\\]|\\.)*)"')  # ok: regex-backtracking
DOTTED = re.compile(r"^(?:\.(?!-)[a-z0-9-]*(?<!-))*$")  # ok: regex-backtracking
HOST = re.compile(r"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+$")  # ok: regex-backtracking
SQUARE = re.compile(r"^(.*?)([.,:;!]+)$")  # ok: regex-backtracking
POSSESSIVE = re.compile(r"^(?:[a-z]++)+$")  # ok: regex-backtracking
NEVER_FAILS = re.compile(r"(?:[a-z]+)*")  # ok: regex-backtracking
NUMBERS = re.compile(r"(?x) (\d+) \. (\d+) \. (\d+)  # three numbers")  # ok: regex-backtracking
STRONG = re.compile(r"(\*\*|__)(.+?[*_]*)\1", re.DOTALL)  # expect: regex-backtracking
STRONG_AT_START = re.compile(r"(\*\*|__)(.+?[*_]*)\1", re.DOTALL)  # ok: regex-backtracking


class Grammar:
    space = r"[ \t\n]*"
    ends = re.compile(r"end" + space + r"\n" + space + r"\n?" + space + r"$")  # expect: regex-backtracking


def tags(text):
    return re.findall("<[^>]*?(?:\n[^>]*?)*>", text, flags=re.DOTALL)  # expect: regex-backtracking


def lines(text):
    return re.findall("<[^\n>]*(?:\n[^\n>]*)*>", text, flags=re.DOTALL)  # ok: regex-backtracking


def made(word):
    return re.compile("(a*)*" + word)  # ok: regex-backtracking


def strong(text):
    return STRONG.sub(r"<b>\2</b>", text), STRONG_AT_START.match(text)


class NotesLexer(RegexLexer):
    flags = re.MULTILINE | re.DOTALL
    blank = r"(?:\s|//.*?\n|/[*].*?[*]/)*"
    tokens = {
        "root": [
            (r"/(\\\n)?[*](.|\n)*?[*]/", Comment),  # expect: regex-backtracking
            (r"/[*].*?[*]/", Comment),  # ok: regex-backtracking
            (blank + r"=", Operator),  # expect: regex-backtracking
            (r"[a-z]+", Name),  # ok: regex-backtracking
        ],
    }


class LinesLexer(RegexLexer):
    tokens = {"root": [(r"/[*](.|\n)*?[*]/", Comment)]}  # ok: regex-backtracking


def shell_blocks(width, word):
    first = re.compile(r"^([ ]{0,%d})>>>[ ].*\n^(\1.*\S+.*\n)*^\n" % width, re.M)  # expect: regex-backtracking
    other = re.compile(r"^([ ]{0,%d})>>>[ ].*\n^(\1[^\S\n]*\S.*\n)*^\n" % width, re.M)  # ok: regex-backtracking
    return first, other, re.compile(rf"{re.escape(word)}(?:[a-z]+,?)*;")  # expect: regex-backtracking


MACRO_RE = r"(\[(?P<macro>\w+)(?P<kwargs>\s\w+\:.+)*\])"  # expect: regex-backtracking
PLAIN_RE = r"\[(?P<macro>\w+)\]"  # ok: regex-backtracking
SOME_TEXT = r"(\[(?P<macro>\w+)(?P<kwargs>\s\w+\:.+)*\])"  # ok: regex-backtracking


_token = "[a-z]+"
_quoted = r'%s|"(?:\\.|[^"])*"' % _token  # expect: regex-backtracking
_pair = r"; *(%s) *= *(%s)" % (_token, _quoted)
PAIR = re.compile(_pair)  # ok: regex-backtracking

_quoted_well = r'%s|"(?:\\.|[^\\"])*"' % _token
PAIR_WELL = re.compile(r"; *(%s)" % _quoted_well)  # ok: regex-backtracking
