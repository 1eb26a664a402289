"""The operations of grammar nodes, in every supported language; the checker's own table.

A node type that two grammars share is listed once: it means the same in all of them, because an entry states the operation, not
the language.
"""

from counterproof.model.fact import Operation

CALLS = {
    "call": "function",  # Python; Ruby names it `method`
    "call_expression": "function",
    "new_expression": "constructor",
    "method_invocation": "name",
    "object_creation_expression": "type",
    "member_call_expression": "name",
    "nullsafe_member_call_expression": "name",
    "scoped_call_expression": "name",
    "function_call_expression": "function",
}
"""Call nodes, with the field for the callee."""

TARGETS = {
    "assignment": "left",
    "augmented_assignment": "left",
    "named_expression": "name",
    "for_statement": "left",
    "for_in_clause": "left",
    "for_in_statement": "left",
    "as_pattern": "alias",
    "keyword_argument": "name",
    "pair": "key",
    "variable_declarator": "name",
    "assignment_expression": "left",
    "augmented_assignment_expression": "left",
    "public_field_definition": "name",
    "field_definition": "property",
    "short_var_declaration": "left",
    "assignment_statement": "left",
    "var_spec": "name",
    "const_spec": "name",
    "range_clause": "left",
    "property_element": "name",
    "operator_assignment": "left",
    "keyed_element": "key",
    "enhanced_for_statement": "name",
    "default_parameter": "name",
    "typed_default_parameter": "name",
    "assignment_pattern": "left",
    "object_assignment_pattern": "left",
}
"""Nodes that bind a name, a key or a field, with the field for the target."""

DEFINITIONS = frozenset((
    "function_definition", "class_definition", "function_declaration", "generator_function_declaration", "method_definition",
    "class_declaration", "abstract_class_declaration", "function_expression", "method_declaration", "constructor_declaration",
    "interface_declaration", "enum_declaration", "record_declaration", "type_spec", "method", "singleton_method", "class",
    "module", "trait_declaration",
))  # fmt: skip

FUNCTIONS = frozenset((
    "function_definition", "lambda", "function_declaration", "generator_function_declaration", "method_definition",
    "function_expression", "generator_function", "arrow_function", "method_declaration", "constructor_declaration",
    "func_literal", "lambda_expression", "anonymous_function", "method", "singleton_method",
))  # fmt: skip

PARAMETERS = frozenset((
    "parameters", "lambda_parameters", "formal_parameters", "parameter_list", "method_parameters", "block_parameters",
    "inferred_parameters",
))  # fmt: skip

DEFAULTED = frozenset(("required_parameter", "optional_parameter"))
"""TypeScript parameters; a default value binds the parameter if the caller passes none."""

PLAIN: dict[str, Operation] = {
    "return_statement": Operation.RETURN,
    "return": Operation.RETURN,
    "yield": Operation.RETURN,
    "yield_expression": Operation.RETURN,
    "raise_statement": Operation.RAISE,
    "throw_statement": Operation.RAISE,
    "throw_expression": Operation.RAISE,
    "comparison_operator": Operation.COMPARE,
    "decorator": Operation.DECORATE,
    "annotation": Operation.DECORATE,
    "marker_annotation": Operation.DECORATE,
    "attribute_list": Operation.DECORATE,
    "import_statement": Operation.IMPORT,
    "import_from_statement": Operation.IMPORT,
    "import_declaration": Operation.IMPORT,
    "import_spec": Operation.IMPORT,
    "namespace_use_declaration": Operation.IMPORT,
    "export_statement": Operation.IMPORT,
    "string": Operation.LITERAL,
    "template_string": Operation.LITERAL,
    "integer": Operation.LITERAL,
    "float": Operation.LITERAL,
    "number": Operation.LITERAL,
    "true": Operation.LITERAL,
    "false": Operation.LITERAL,
    "none": Operation.LITERAL,
    "null": Operation.LITERAL,
    "regex": Operation.LITERAL,
    "string_literal": Operation.LITERAL,
    "interpreted_string_literal": Operation.LITERAL,
    "raw_string_literal": Operation.LITERAL,
    "encapsed_string": Operation.LITERAL,
    "decimal_integer_literal": Operation.LITERAL,
    "int_literal": Operation.LITERAL,
    "boolean": Operation.LITERAL,
    "concatenated_string": Operation.BUILD,
    "interpolation": Operation.BUILD,
    "template_substitution": Operation.BUILD,
}
"""Nodes with one operation on all names inside them."""

HOLES = ("interpolation", "template_substitution")
"""Insertions in a string. The string as a whole is the result, on all of its lines."""

CONDITIONS = {
    "if_statement": "condition",
    "elif_clause": "condition",
    "while_statement": "condition",
    "ternary_expression": "condition",
    "conditional_expression": "",
    "assert_statement": "",
    "match_statement": "subject",
    "switch_statement": "value",
    "switch_expression": "condition",
    "expression_switch_statement": "value",
    "if": "condition",
    "unless": "condition",
    "if_modifier": "condition",
    "unless_modifier": "condition",
    "except_clause": "",
    "catch_clause": "parameter",
}
"""Nodes that choose a branch, with the field for the condition ('' for the whole node)."""

COMPARISONS = frozenset(
    ("==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof", "&&", "||", "<=>", "=~", "and", "or")
)
JOINS = frozenset(("+", "%", ".", "<<", "/"))
"""Operators that join strings; `/` joins parts of a path."""
BINARY = frozenset(("binary_expression", "binary_operator", "binary", "boolean_operator"))

IDENTIFIERS = frozenset((
    "identifier", "property_identifier", "private_property_identifier", "shorthand_property_identifier",
    "shorthand_property_identifier_pattern", "field_identifier", "type_identifier", "package_identifier", "name", "variable_name",
    "constant", "instance_variable", "simple_symbol",
))  # fmt: skip
MEMBERS = {
    "attribute": ("object", "attribute"),
    "member_expression": ("object", "property"),
    "selector_expression": ("operand", "field"),
    "field_access": ("object", "field"),
    "member_access_expression": ("object", "name"),
    "scope_resolution": ("scope", "name"),
    "scoped_identifier": ("scope", "name"),
    "class_constant_access_expression": ("", ""),
}
"""Member accesses, with the fields for the object and the member."""

SUBSCRIPTS = frozenset(("subscript", "subscript_expression", "index_expression", "element_reference", "array_access"))
STRINGS = frozenset((
    "string_content", "string_fragment", "interpreted_string_literal_content", "string_value", "escape_sequence",
))  # fmt: skip
