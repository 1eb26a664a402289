"""Grammars of the languages besides Python, and which of their nodes are calls, functions, classes, assignments and imports.

Invariant: a grammar is loaded on first use and kept. Not handled here: what any of the nodes mean.
"""

import importlib
from dataclasses import dataclass
from functools import cache

from tree_sitter import Language as Grammar
from tree_sitter import Parser, Query

from counterproof.model.survey import Language


@dataclass(frozen=True, slots=True)
class Shapes:
    """Node types by what they are, as the grammar names them."""

    calls: tuple[str, ...]
    functions: tuple[str, ...]
    classes: tuple[str, ...]
    assignments: tuple[str, ...]
    imports: tuple[str, ...]
    structures: tuple[str, ...] = ()

    def query(self) -> str:
        kinds = (
            ("call", self.calls),
            ("function", self.functions),
            ("class", self.classes),
            ("assignment", self.assignments),
            ("import", self.imports),
            ("structure", self.structures),
        )
        return "\n".join(f"({type_}) @{kind}" for kind, types in kinds for type_ in types)


_SCRIPT_FUNCTIONS = (
    "function_declaration", "generator_function_declaration", "function_expression", "generator_function", "arrow_function",
    "method_definition",
)  # fmt: skip
_SCRIPT = Shapes(
    ("call_expression", "new_expression"),
    _SCRIPT_FUNCTIONS,
    ("class_declaration", "class"),
    ("variable_declarator", "assignment_expression", "pair"),
    ("import_statement", "export_statement"),
)
_TYPED_SCRIPT = Shapes(
    _SCRIPT.calls,
    _SCRIPT_FUNCTIONS,
    ("class_declaration", "abstract_class_declaration", "class"),
    ("variable_declarator", "assignment_expression", "pair", "public_field_definition"),
    _SCRIPT.imports,
)

SHAPES = {
    "javascript": _SCRIPT,
    "typescript": _TYPED_SCRIPT,
    "tsx": _TYPED_SCRIPT,
    "java": Shapes(
        ("method_invocation", "object_creation_expression"),
        ("method_declaration", "constructor_declaration", "lambda_expression"),
        ("class_declaration", "interface_declaration", "record_declaration", "enum_declaration"),
        ("variable_declarator", "assignment_expression"),
        ("import_declaration",),
    ),
    "go": Shapes(
        ("call_expression",),
        ("function_declaration", "method_declaration", "func_literal"),
        ("type_spec",),
        ("short_var_declaration", "var_spec", "const_spec", "assignment_statement"),
        ("import_spec",),
        ("composite_literal",),
    ),
    "php": Shapes(
        (
            "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression", "function_call_expression",
            "object_creation_expression",
        ),
        ("function_definition", "method_declaration", "anonymous_function", "arrow_function"),
        ("class_declaration", "trait_declaration", "interface_declaration"),
        ("assignment_expression",),
        ("namespace_use_clause",),
    ),
    "ruby": Shapes(
        ("call",),
        ("method", "singleton_method"),
        ("class", "module"),
        ("assignment",),
        (),
    ),
}  # fmt: skip

_FUNCTIONS = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "java": ("tree_sitter_java", "language"),
    "go": ("tree_sitter_go", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "ruby": ("tree_sitter_ruby", "language"),
}


def dialect_of(path: str, language: Language) -> str:
    """The grammar for a file: TypeScript with markup has one of its own."""
    return "tsx" if language is Language.TYPESCRIPT and path.endswith(".tsx") else language.value


@cache
def _grammar(dialect: str) -> Grammar:
    module, function = _FUNCTIONS[dialect]
    pointer: object = getattr(importlib.import_module(module), function)()
    return Grammar(pointer)


@cache
def parser_for(dialect: str) -> Parser:
    return Parser(_grammar(dialect))


@cache
def query_for(dialect: str) -> Query:
    """Finds all nodes that `Shapes` names, in one pass."""
    return Query(_grammar(dialect), SHAPES[dialect].query())
