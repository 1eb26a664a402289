"""Guards of routers that are mounted in another file, found by the names that a configuration gives to folders."""

import pytest

from analysis.polyglot.conftest import ProjectMaker, Shown
from counterproof.analysis.inventory.permissions import administrators_only, role_asked
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.model.recon import EntryPoint, Guard

GUARDS = """
export const isAuthenticated = (permission) => (req, res, next) => {
  if (!req.user || !req.user.has(permission)) {
    return res.status(403).json({});
  }
  next();
};
export const isOwnProfileOrAdmin = () => (req, res, next) => {
  if (!req.user?.isAdmin && req.user?.id !== Number(req.params.id)) {
    return res.status(403).json({});
  }
  next();
};
"""
FILES = {
    "server/tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@server/*": ["*"]}}}',
    "server/guards.ts": GUARDS,
    "server/routes/settings/index.ts": """
        import { Router } from 'express';
        import things from './things';
        const settings = Router();
        settings.use('/things', things);
        settings.post('/main', async (req, res) => res.json({}));
        export default settings;
        """,
    "server/routes/settings/things.ts": """
        import { Router } from 'express';
        const things = Router();
        things.delete('/:id', async (req, res) => res.json({}));
        export default things;
        """,
    "server/index.ts": """
        import { Router } from 'express';
        import settings from '@server/routes/settings';
        import { isAuthenticated, isOwnProfileOrAdmin } from '@server/guards';
        const router = Router();
        router.use('/settings', isAuthenticated(Permission.ADMIN), settings);
        router.get('/user/:id', isOwnProfileOrAdmin(), async (req, res) => res.json({}));
        export default router;
        """,
}


def found(make_project: ProjectMaker) -> dict[str, EntryPoint]:
    return {f"{each.method} {each.path}": each for each in other_entry_points(make_project(FILES))}


def test_what_a_mount_asks_for_is_asked_of_every_route_below(make_project: ProjectMaker) -> None:
    routes = found(make_project)
    for name in ("POST /settings/main", "DELETE /settings/things/:id"):
        assert (routes[name].guard, role_asked(routes[name])) == (Guard.PRESENT, Guard.PRESENT)


def test_a_guard_is_told_by_what_the_code_calls_it_and_where_it_stands(make_project: ProjectMaker) -> None:
    by = found(make_project)["GET /user/:id"].guarded_by
    assert by is not None
    assert (str(by.at), by.symbol) == ("server/index.ts:6", "isOwnProfileOrAdmin")
    assert str(by.defined) == "server/guards.ts:7"


def test_a_guard_that_lets_owners_in_is_not_one_for_administrators(make_project: ProjectMaker) -> None:
    routes = found(make_project)
    reserved = {path for _, _, path in administrators_only(tuple(routes.values()))}
    assert "/settings/main" in reserved
    assert "/user/:id" not in reserved


def test_a_refusal_of_whom_is_known_lets_strangers_pass(make_project: ProjectMaker) -> None:
    """`if (req.user) { if (req.user.banned) refuse }` requires no login; an additional refusal does."""
    banned = "if (req.session.user) { if (req.session.user.banned) { return res.status(403).json({}); } }"
    routes = {}
    for name, body in (("only", banned), ("both", f"if (!req.session.user) {{ return res.status(401).json({{}}); }} {banned}")):
        text = f"""
            const express = require('express');
            const app = express();
            app.use((req, res, next) => {{ {body} next(); }});
            app.post('/{name}', async (req, res) => res.json({{}}));
            """
        routes |= {each.path: each.guard for each in other_entry_points(make_project({f"{name}/app.js": text}))}
    assert routes["/only"] is not Guard.PRESENT
    assert routes["/both"] is Guard.PRESENT


REMEMBERS = """
    const express = require("express");
    const app = express();
    const isSafeRedirect = (url) => /^[a-z]*$/.test(url);
    app.use((req, res, next) => {
      if (!req.user && req.path !== "/login") {
        if (isSafeRedirect(req.originalUrl)) req.session.returnTo = req.originalUrl;
        else req.session.returnTo = "/";
      }
      next();
    });
    app.get("/open", (req, res) => res.send("x"));
"""


@pytest.mark.rule("A16", "A68")
def test_middleware_that_only_remembers_where_a_caller_went_is_no_guard(routes: Shown) -> None:
    assert [each.rpartition(" ")[2] for each in routes({"app.js": REMEMBERS})] == ["absent"]
    sends = REMEMBERS.replace('else req.session.returnTo = "/";', 'return res.redirect("/login");')
    assert [each.rpartition(" ")[2] for each in routes({"app.js": sends})] == ["present"]
