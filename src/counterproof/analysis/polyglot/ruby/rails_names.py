"""Names as Rails makes them: actions of resources, classes of controllers, singular and plural.

Invariant: only regular forms are known; an irregular plural leads to no controller, and the route keeps its own line.
"""

PLURAL = (
    ("index", "GET", ""), ("create", "POST", ""), ("new", "GET", "/new"), ("edit", "GET", "/:id/edit"), ("show", "GET", "/:id"),
    ("update", "PATCH", "/:id"), ("destroy", "DELETE", "/:id"),
)  # fmt: skip
SINGULAR = (
    ("new", "GET", "/new"), ("edit", "GET", "/edit"), ("show", "GET", ""), ("update", "PATCH", ""), ("destroy", "DELETE", ""),
    ("create", "POST", ""),
)  # fmt: skip
DEVISE = (
    ("sessions", "new", "GET", "/sign_in"), ("sessions", "create", "POST", "/sign_in"),
    ("sessions", "destroy", "DELETE", "/sign_out"),
    ("registrations", "create", "POST", ""), ("registrations", "update", "PATCH", ""), ("registrations", "destroy", "DELETE", ""),
    ("passwords", "create", "POST", "/password"), ("passwords", "update", "PATCH", "/password"),
)  # fmt: skip


def class_name(controller: str) -> str:
    return "::".join(camel(part) for part in controller.split("/") if part) + "Controller"


def under(module: str, name: str) -> str:
    return f"{module}/{name}" if module and not name.startswith("/") else name.lstrip("/")


def plural(name: str) -> str:
    if name.endswith("y") and name[-2:-1] not in tuple("aeiou"):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "ch", "sh")) else "s")


def singular(name: str) -> str:
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name.removesuffix("s") if not name.endswith("ss") else name


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
