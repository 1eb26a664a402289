"""Node types of three grammars, mapped to common kinds. Data only."""

KINDS = {
    # statements
    "function_definition": "function", "function_declaration": "function", "generator_function_declaration": "function",
    "method_definition": "function", "arrow_function": "function", "function_expression": "function",
    "generator_function": "function", "lambda": "lambda",
    "class_definition": "class", "class_declaration": "class", "abstract_class_declaration": "class", "class": "class",
    "if_statement": "if", "elif_clause": "elif", "else_clause": "else",
    "for_statement": "for", "for_in_statement": "for", "while_statement": "while", "do_statement": "while",
    "try_statement": "try", "except_clause": "handler", "except_group_clause": "handler", "catch_clause": "handler",
    "finally_clause": "finally", "with_statement": "with",
    "return_statement": "return", "raise_statement": "raise", "throw_statement": "raise", "assert_statement": "assert",
    "break_statement": "jump", "continue_statement": "jump", "pass_statement": "pass", "delete_statement": "delete",
    "expression_statement": "expr", "lexical_declaration": "declaration", "variable_declaration": "declaration",
    "switch_statement": "switch", "switch_case": "case", "switch_default": "case", "match_statement": "switch",
    "case_clause": "case",
    "import_statement": "import", "import_from_statement": "import", "future_import_statement": "import",
    "public_field_definition": "field", "field_definition": "field",
    "block": "block", "statement_block": "block", "module": "block", "program": "block", "class_body": "block",
    # expressions
    "call": "call", "call_expression": "call", "new_expression": "call",
    "attribute": "attribute", "member_expression": "attribute",
    "subscript": "index", "subscript_expression": "index",
    "await": "await", "await_expression": "await",
    "not_operator": "not", "unary_expression": "unary", "unary_operator": "unary",
    "boolean_operator": "bool", "comparison_operator": "compare", "binary_expression": "binary", "binary_operator": "binary",
    "conditional_expression": "conditional", "ternary_expression": "conditional",
    "identifier": "name", "property_identifier": "name", "shorthand_property_identifier": "name", "this": "name",
    "none": "none", "null": "none", "undefined": "none", "true": "constant", "false": "constant", "integer": "number",
    "float": "number",
    "number": "number", "list": "list", "array": "list", "tuple": "tuple", "set": "set", "dictionary": "mapping",
    "object": "mapping",
    "pair": "pair", "keyword_argument": "keyword", "argument_list": "arguments", "arguments": "arguments",
    "assignment": "assign", "assignment_expression": "assign", "variable_declarator": "assign", "augmented_assignment": "augment",
    "augmented_assignment_expression": "augment", "named_expression": "assign",
    "parameters": "parameters", "formal_parameters": "parameters", "typed_parameter": "parameter",
    "default_parameter": "parameter",
    "typed_default_parameter": "parameter", "required_parameter": "parameter", "optional_parameter": "parameter",
    "spread_element": "spread", "list_splat": "spread", "dictionary_splat": "spread",
}  # fmt: skip
"""Common kinds for equivalent node types of the grammars; every other node keeps its own."""

BLOCKS = frozenset({"block", "statement_block", "class_body", "switch_body"})
"""Kinds whose contents are not part of the surrounding text."""

SKIPPED = frozenset(
    {
        "comment", "html_comment", "type", "type_annotation", "type_arguments", "type_parameters", "type_parameter",
        "accessibility_modifier", "override_modifier", "readonly", "type_predicate_annotation", "asserts_annotation",
        "implements_clause", "line_continuation", "hash_bang_line",
    }
)  # fmt: skip
"""Nodes that do not run."""

TYPES = frozenset(
    {"interface_declaration", "type_alias_declaration", "ambient_declaration", "function_signature", "type_alias_statement",
     "abstract_method_signature"}
)  # fmt: skip

TRANSPARENT = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion"}
)
"""Wrappers that stand for the value inside."""

TEXTS = frozenset({"string", "template_string", "concatenated_string", "regex"})

OPERATORS = frozenset(
    ("and", "or", "&&", "||", "??", "!", "==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "not in", "is", "is not",
     "instanceof")
)  # fmt: skip

ROWS = frozenset(
    {
        "function", "class", "if", "elif", "for", "while", "try", "handler", "finally", "with", "return", "raise",
        "assert", "jump",
        "delete", "expr", "declaration", "switch", "case", "import", "field", "decorator",
    }
)  # fmt: skip
"""Kinds of statements, by which two versions of a function are compared."""
