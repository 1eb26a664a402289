"""Languages without an analyser here, recognised by extension, first line, or first bytes (A64).

Invariant: data, prose, styles and pages are not source. Not handled here: the analysed languages.
"""

import re
from pathlib import PurePosixPath

_ENDINGS = {
    "C": "c h", "C++": "cc cpp cxx hh hpp hxx ipp", "C#": "cs csx", "Visual Basic": "vb bas vbs", "F#": "fs fsx fsi",
    "Objective-C": "m mm", "Swift": "swift", "Kotlin": "kt kts", "Scala": "scala sc", "Groovy": "groovy gvy",
    "Clojure": "clj cljs cljc",
    "Rust": "rs", "Zig": "zig", "Nim": "nim", "D": "d", "Dart": "dart", "Haskell": "hs lhs", "OCaml": "ml mli", "Elm": "elm",
    "Erlang": "erl hrl", "Elixir": "ex exs", "Lua": "lua", "Perl": "pl pm cgi psgi", "Raku": "raku rakumod p6", "R": "r",
    "Julia": "jl", "Fortran": "f f90 f95 f03 for", "COBOL": "cob cbl", "Pascal": "pas dpr lpr", "Ada": "adb ads",
    "Assembly": "asm s", "Tcl": "tcl", "Crystal": "cr", "CoffeeScript": "coffee litcoffee", "ColdFusion": "cfm cfc",
    "ABAP": "abap", "Apex": "cls trigger", "Solidity": "sol", "PL/SQL": "pls pkb pks plsql", "ASP": "asp asa ascx",
    "ASP.NET": "aspx ashx asmx cshtml vbhtml razor", "JSP": "jsp jspx tag", "Vala": "vala", "Hack": "hack hhi",
    "Lisp": "lisp lsp cl el", "Scheme": "scm ss rkt", "Prolog": "pro prolog", "Vue": "vue", "Svelte": "svelte", "Astro": "astro",
    "Cython": "pyx pxd pxi", "Smalltalk": "st", "Haxe": "hx", "ReScript": "res resi", "Cuda": "cu cuh", "Starlark": "bzl star",
    "Mako": "mako",
}  # fmt: skip
_SHELLS = {"Shell": "sh bash zsh ksh fish", "PowerShell": "ps1 psm1", "Batch": "bat cmd"}
_BY_ENDING = {ending: name for name, endings in (*_ENDINGS.items(), *_SHELLS.items()) for ending in endings.split()}
_INTERPRETERS = {
    b"perl": "Perl", b"bash": "Shell", b"sh": "Shell", b"zsh": "Shell", b"ksh": "Shell", b"dash": "Shell", b"fish": "Shell",
    b"lua": "Lua", b"luajit": "Lua", b"tclsh": "Tcl", b"wish": "Tcl", b"rscript": "R", b"julia": "Julia", b"groovy": "Groovy",
    b"scala": "Scala", b"escript": "Erlang", b"elixir": "Elixir", b"pwsh": "PowerShell", b"runghc": "Haskell", b"ocaml": "OCaml",
    b"guile": "Scheme", b"racket": "Scheme", b"raku": "Raku", b"awk": "Awk", b"gawk": "Awk",
    b"sbcl": "Lisp", b"crystal": "Crystal",
}  # fmt: skip
_SHEBANG = re.compile(rb"#!\s{0,4}(?:[\w./-]{1,80}/)?(?:env\s{1,4}(?:-S\s{1,4})?)?([\w-]{1,20})")
_SIGNS = (
    (re.compile(rb"\A\s{0,80}(?:using System(?:\.\w{1,40}){0,4};|namespace [\w.]{1,80}\s{0,4}[;{])"), "C#"),
    (re.compile(rb"\A\s{0,80}#include\s{0,4}[<\"][\w./]{1,80}[>\"]"), "C"),
    (re.compile(rb"\A\s{0,80}(?:pub )?(?:fn main\(\)|use std::)"), "Rust"),
    (re.compile(rb"\A\s{0,80}IDENTIFICATION DIVISION\.", re.IGNORECASE), "COBOL"),
)
_AMBIGUOUS = {
    "m": re.compile(rb"(?m)^\s{0,8}(?:#import\b|@(?:interface|implementation|import|end)\b)"),
    "d": re.compile(rb"(?m)^\s{0,8}(?:module [\w.]{1,80};|import [\w.]{1,80}[;,:])"),
    "s": re.compile(rb"(?m)^\s{0,8}(?:\.(?:globl|global|text|section)\b|mov\w?\s)"),
    "cls": re.compile(rb"(?i)\b(?:public|private|global)\s{1,4}(?:virtual |abstract |with sharing )?class\b"),
    "mako": re.compile(rb"<%!?\s"),
    "tag": re.compile(rb"<%@\s{0,4}(?:tag|attribute|taglib)\b"),
    "st": re.compile(rb"(?m)^\w{1,40} (?:class )?>> |subclass: #"),
    "f": re.compile(rb"(?im)^\s{1,12}(?:program|subroutine|function|integer|real)\b"),
    "for": re.compile(rb"(?im)^\s{1,12}(?:program|subroutine|function|integer|real)\b"),
    "el": re.compile(rb"(?m)^\s{0,4}\((?:defun|defvar|require|provide|setq)\b"),
    "cl": re.compile(rb"(?m)^\s{0,4}(?:\((?:defun|defvar|in-package)\b|__kernel\b)"),
    "pro": re.compile(rb"(?m)^\w{1,60}\([^)\n]{0,200}\)\s{0,4}(?::-|\.)"),
    "pl": re.compile(
        rb"(?m)^\s{0,8}(?:use (?:strict|warnings|[A-Z]\w)|my [$@%]|sub \w|package \w|print\b|require\b|open\b|system\b|exec\b)"
    ),
    "r": re.compile(rb"(?m)^\s{0,8}(?:library\(|[\w.]{1,60}\s{0,4}<-|source\()"),
    "bas": re.compile(rb"(?im)^\s{0,8}(?:sub|function|dim|attribute vb_name)\b"),
    "res": re.compile(rb"(?m)^\s{0,8}(?:let|open|type|module)\b"),
    "ss": re.compile(rb"(?m)^\s{0,4}\((?:define|require|module)\b"),
    "sc": re.compile(rb"(?m)^\s{0,8}(?:object|class|def|import|val)\b"),
    "star": re.compile(rb"(?m)^(?:def|load)\b"),
    "cr": re.compile(rb"(?m)^\s{0,8}(?:require|class|module|def|puts)\b"),
    "p6": re.compile(rb"(?m)^\s{0,8}(?:use v6|my |sub |class )"),
}
"""Ambiguous extensions, with text that only source files contain."""
_WITH_SCRIPT = re.compile(rb"<script\b|^---\s", re.IGNORECASE)
SHELLS = frozenset((*_SHELLS, "Awk"))
"""Scripting languages for building and starting: part of the program only if it refers to the script."""


def other_language(path: str, head: bytes) -> str:
    """The language of a file without an analyser; '' for data, prose, and unrecognised files."""
    name = PurePosixPath(path)
    ending = name.suffix.lower().removeprefix(".")
    if ending in _BY_ENDING:
        language = _BY_ENDING[ending]
        if ending in _AMBIGUOUS and not _AMBIGUOUS[ending].search(head):
            return ""
        return "" if language in ("Vue", "Svelte", "Astro") and not _WITH_SCRIPT.search(head) else language
    found = _SHEBANG.match(head)
    if found and (told := _INTERPRETERS.get(found[1].lower().rstrip(b"0123456789."), "")):
        return told
    if ending in ("", "inc", "txt", "dat", "bak", "old", "src"):
        return next((language for sign, language in _SIGNS if sign.search(head)), "")
    return ""


def ending_of(path: str) -> str:
    """A glob for files of this kind."""
    suffix = PurePosixPath(path).suffix
    return f"**/*{suffix}" if suffix else path
