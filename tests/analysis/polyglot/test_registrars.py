"""Functions of the project that register routes for their callers, with the routes' guards (A9, A68)."""

from collections.abc import Callable

import pytest

Shown = Callable[[dict[str, str]], list[str]]

ROUTES = """
    import express from "express";
    import { signedIn } from "./auth.js";
    export const router = express.Router();
    export function open(method, path, middleware, handler) {
      register(method, path, middleware, handler, true);
    }
    export function api(method, path, handler) {
      open(method, path, [signedIn], handler);
    }
    function register(method, path, middleware, handler, transactional) {
      router[method](path, ...middleware, (req, res, next) => {
        const answer = () => handler(req, res, next);
        transactional ? answer() : handler(req, res);
      });
    }
"""
AUTH = """
    export function signedIn(req, res, next) {
      if (!req.session.user) return res.status(401).end();
      next();
    }
"""
HANDLERS = """
    export function list(req, res) { return []; }
    export function drop(req, res) { return 1; }
    export function login(req, res) { return 2; }
"""


@pytest.mark.rule("A68")
def test_routes_are_read_through_functions_that_hand_path_method_and_handler_on(routes: Shown) -> None:
    found = routes(
        {
            "routes.js": ROUTES,
            "auth.js": AUTH,
            "handlers.js": HANDLERS,
            "app.js": """
                import express from "express";
                import { router, open, api } from "./routes.js";
                import * as handlers from "./handlers.js";
                const [GET, DEL] = ["get", "delete"];
                open("post", "/login", [], handlers.login);
                api(GET, "/notes", handlers.list);
                api(DEL, "/notes/:id", handlers.drop);
                express().use(router);
            """,
        }
    )
    assert sorted(found) == [
        "DELETE /notes/:id handlers.js:2 present",
        "GET /notes handlers.js:1 present",
        "POST /login handlers.js:3 absent",
    ]


@pytest.mark.rule("A68")
def test_a_router_that_a_function_is_given_keeps_its_routes(routes: Shown) -> None:
    found = routes(
        {
            "auth.js": AUTH,
            "helpers.js": """
                const { signedIn } = require("./auth");
                function guarded(router, path, handler) { router.get(path, signedIn, (req, res) => answer(req, res, handler)); }
                function answer(req, res, handler) { res.json(handler(req)); }
                module.exports = { guarded };
            """,
            "app.js": """
                const express = require("express");
                const { guarded } = require("./helpers");
                const router = express.Router();
                guarded(router, "/status", (req) => 1);
                const app = express();
                app.use("/api", router);
            """,
        }
    )
    assert found == ["GET /api/status app.js:4 present"]


def test_a_function_whose_path_is_no_text_registers_nothing(routes: Shown) -> None:
    assert (
        routes(
            {
                "app.js": """
                const express = require("express");
                const app = express();
                function add(path, handler) { app.get(path, handler); }
                function again(path, handler) { again(path, handler); }
                add(process.argv[2], (req, res) => res.end());
                again("/x", () => 1);
            """
            }
        )
        == []
    )
