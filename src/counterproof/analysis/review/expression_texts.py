"""An expression as comparable text. The same text means the same expression; '' where it cannot be told."""

from counterproof.analysis.syntax import ir

MAX_DEPTH = 20


def written(expr: ir.Expr, depth: int = 0) -> str:
    """Names, attributes, indexes, literals and what is made of them."""
    if depth > MAX_DEPTH:
        return ""
    match expr:
        case ir.Name():
            return expr.id
        case ir.Const():
            return repr(expr.value)
        case ir.Attribute():
            inner = written(expr.value, depth + 1)
            return f"{inner}.{expr.name}" if inner else ""
        case ir.Index():
            return _joined((expr.value, expr.key), "[]", depth)
        case ir.Not():
            return _joined((expr.operand,), "not ", depth)
        case ir.Compare():
            return _joined(expr.operands, " ".join(expr.operators), depth)
        case ir.Boolean():
            return _joined(expr.operands, expr.operator, depth)
        case ir.Binary():
            return _joined(expr.operands, expr.operator, depth)
        case _:
            return ""


def _joined(parts: tuple[ir.Expr, ...], sign: str, depth: int) -> str:
    texts = [written(each, depth + 1) for each in parts]
    return f"({f' {sign} '.join(texts)})" if len(texts) > 1 and all(texts) else (f"{sign}{texts[0]}" if all(texts) else "")
