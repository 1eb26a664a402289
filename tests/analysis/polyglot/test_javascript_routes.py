"""Routes of JavaScript and TypeScript frameworks, with prefixes, order of middleware and guards."""

import pytest
from conftest_types import Shown

pytestmark = pytest.mark.rule("A9")

GUARD = """
    exports.requireLogin = (req, res, next) => {
      if (!req.session.user) return res.status(401).end();
      next();
    };
    exports.trace = (req, res, next) => { console.log(req.url); next(); };
"""


def test_express_mounts_prefixes_and_the_order_of_middleware(routes: Shown) -> None:
    found = routes(
        {
            "server.js": """
                const express = require("express");
                const { requireLogin, trace } = require("./guard");
                const app = express();
                app.use(express.json(), trace);
                app.get("/health", (req, res) => res.send("ok"));
                app.use("/api/items", require("./items"));
                app.use(requireLogin);
                app.use("/api/users", require("./users")());
                app.listen(1);
            """,
            "guard.js": GUARD,
            "items.js": """
                const router = require("express").Router();
                const { requireLogin } = require("./guard");
                const list = (req, res) => res.json([]);
                router.get("/", list);
                router.route("/:id")
                  .get(list)
                  .delete(requireLogin, function remove(req, res) { res.end(); });
                module.exports = router;
            """,
            "users.js": """
                const express = require("express");
                const handlers = require("./handlers");
                module.exports = () => {
                  const router = express.Router();
                  router.post("/", handlers.create);
                  return router;
                };
            """,
            "handlers.js": "exports.create = async (req, res) => res.json({});\n",
        }
    )
    assert found == [
        "GET /api/items items.js:3 absent",
        "DELETE /api/items/:id items.js:7 present",
        "GET /api/items/:id items.js:3 absent",
        "POST /api/users handlers.js:1 present",
        "GET /health server.js:5 absent",
    ]


def test_what_cannot_be_read_leaves_the_guard_open(routes: Shown) -> None:
    found = routes(
        {
            "app.ts": """
                import express, { Router } from "express";
                import gate from "some-gate";
                import { expressjwt as jwt } from "express-jwt";
                import helmet from "helmet";
                import { requireUser, optionalAuth } from "./own";
                const api = Router();
                api.get("/a", gate(), (q, s) => s.end());
                api.get("/b", jwt({ secret: "x" }), (q, s) => s.end());
                api.get("/c", helmet(), (q, s) => s.end());
                api.get("/d", requireUser, (q, s) => s.end());
                api.get("/e", jwt({ secret: "x", credentialsRequired: false }), (q, s) => s.end());
                api.get("/f", optionalAuth, (q, s) => s.end());
                export default express().use("/v1", api);
            """,
            "own.ts": """
                export function requireUser(req, res, next) { next(); }
                export function optionalAuth(req, res, next) { if (req.headers.x) res.status(401); next(); }
            """,
        }
    )
    assert [line.split()[1::2] for line in found] == [
        ["/v1/a", "unknown"],
        ["/v1/b", "present"],
        ["/v1/c", "absent"],
        ["/v1/d", "absent"],
        ["/v1/e", "absent"],
        ["/v1/f", "absent"],
    ]


def test_a_router_handed_to_a_function_and_one_in_a_field(routes: Shown) -> None:
    found = routes(
        {
            "main.js": """
                import express from "express";
                import setup from "./setup.js";
                import { Things } from "./things.js";
                const app = express();
                setup(app);
                app.use("/things", new Things().router);
            """,
            "setup.js": "export default function setup(server) { server.put('/x', (req, res) => res.end()); }\n",
            "things.js": """
                import { Router } from "express";
                export class Things {
                  constructor() {
                    this.router = Router();
                    this.router.patch("/:id", this.change);
                  }
                  change(req, res) { res.end(); }
                }
            """,
            "client.js": """
                class Client { constructor(http) { this.http = http; } load() { return this.http.get("/remote", this.options); } }
            """,
        }
    )
    assert found == ["PATCH /things/:id things.js:7 absent", "PUT /x setup.js:1 absent"]


@pytest.mark.parametrize(
    ("prefix", "path"),
    [
        ("options.prefix || process.env.MOUNT_PATH || '/in'", "/in/login"),
        ("process.env.MOUNT_PATH ?? '/in'", "/in/login"),
        ("options.prefix || process.env.MOUNT_PATH", "/login"),
        ("'/in/' + options.prefix", "/in/{options.prefix}/login"),
    ],
)
def test_a_prefix_from_a_setting_is_its_default_once(routes: Shown, prefix: str, path: str) -> None:
    made = "const app = express();\n  app.get('/login', (req, res) => res.send('x'));\n  return app;"
    files = {
        "inner.js": f"const express = require('express');\nmodule.exports = () => {{\n  {made}\n}};\n",
        "app.js": "const express = require('express');\nconst inner = require('./inner');\nmodule.exports = (options) => {\n"
        f"  const prefix = {prefix};\n  const app = express();\n  app.use(prefix, inner());\n}};\n",
    }
    assert [each.split()[1] for each in routes(files)] == [path]


def test_koa_and_fastify(routes: Shown) -> None:
    found = routes(
        {
            "koa.js": """
                const Koa = require("koa");
                const Router = require("@koa/router");
                const app = new Koa();
                const router = new Router({ prefix: "/koa" });
                router.get("/list", async (ctx) => { ctx.body = []; });
                app.use(async (ctx, next) => { if (!ctx.state.user) ctx.throw(401); await next(); });
                app.use(router.routes());
            """,
            "fast.js": """
                const fastify = require("fastify")();
                async function plugin(instance, options) {
                  instance.addHook("preHandler", async (req, reply) => { if (!req.user) reply.code(403).send(); });
                  instance.route({ method: ["GET", "POST"], url: "/both", handler: async () => ({}) });
                }
                fastify.register(plugin, { prefix: "/fast" });
                fastify.get("/open", { schema: {} }, async () => "x");
            """,
        }
    )
    assert found == [
        "GET /fast/both fast.js:4 present",
        "POST /fast/both fast.js:4 present",
        "GET /koa/list koa.js:5 present",
        "GET /open fast.js:7 absent",
    ]


def test_nest_controllers_guards_and_middleware(routes: Shown) -> None:
    found = routes(
        {
            "main.ts": "import { NestFactory } from '@nestjs/core';\nconst app = x(); app.setGlobalPrefix('api');\n",
            "cats.ts": """
                import { Controller, Get, Post, UseGuards, Put } from "@nestjs/common";
                import { AuthGuard } from "@nestjs/passport";
                import { Odd } from "./odd";
                @Controller("cats")
                export class CatsController {
                  @Get() all() { return []; }
                  @Get(":id") one() { return {}; }
                  @UseGuards(AuthGuard("jwt"))
                  @Post()
                  create() { return {}; }
                  @Put("odd") @UseGuards(Odd) odd() { return {}; }
                }
            """,
            "odd.ts": "import { Injectable } from '@nestjs/common';\nexport class Odd { canActivate() { return true; } }\n",
            "module.ts": """
                import { Module, RequestMethod } from "@nestjs/common";
                import { Check } from "./check";
                export class M {
                  configure(consumer) { consumer.apply(Check).forRoutes({ path: "cats/:id", method: RequestMethod.GET }); }
                }
            """,
            "check.ts": """
                import { HttpException } from "@nestjs/common";
                export class Check { use(req, res, next) { if (!req.user) throw new HttpException("x", 401); next(); } }
            """,
        }
    )
    assert found == [
        "GET /api/cats cats.ts:6 absent",
        "POST /api/cats cats.ts:10 present",
        "GET /api/cats/:id cats.ts:7 present",
        "PUT /api/cats/odd cats.ts:11 absent",
    ]


def test_next_routes_by_file_name(routes: Shown) -> None:
    found = routes(
        {
            "app/api/(shop)/orders/[id]/route.ts": """
                import { NextResponse } from "next/server";
                export async function GET() { return NextResponse.json({}); }
                export const DELETE = async (request: Request) => {
                  const session = await auth();
                  if (!session) return new Response("no", { status: 401 });
                };
            """,
            "pages/api/hello.js": "export default function handler(req, res) { res.end(); }\n",
        }
    )
    assert found == [
        "ANY /api/hello pages/api/hello.js:1 absent",
        "DELETE /api/orders/{id} app/api/(shop)/orders/[id]/route.ts:3 present",
        "GET /api/orders/{id} app/api/(shop)/orders/[id]/route.ts:2 absent",
    ]


def test_signing_in_is_no_guard(routes: Shown) -> None:
    found = routes(
        {
            "a.js": """
                const app = require("express")();
                app.post("/login", (req, res) => { const user = find(req.body.password); if (!user) res.status(401).end(); });
                app.get("/mine", (req, res) => { if (!req.session.user) { return res.redirect("/login"); } res.end(); });
            """
        }
    )
    assert [line.rpartition(" ")[2] for line in found] == ["absent", "present"]


def test_other_ways_in(others: Shown) -> None:
    found = others(
        {
            "package.json": '{"name": "tool", "bin": {"tool": "./cli.js"}, "scripts": {"start": "node server.js"}}',
            "cli.js": """
                #!/usr/bin/env node
                const { program } = require("commander");
                program.command("sync <dir>").action((dir) => dir);
            """,
            "server.js": """
                const { Worker } = require("bullmq");
                const cron = require("node-cron");
                new Worker("mails", async (job) => job.data);
                cron.schedule("* * * * *", () => 1);
            """,
            "live.js": """
                const io = require("socket.io")(3000);
                io.on("connection", (socket) => {
                  socket.on("message", (text) => text);
                });
            """,
        }
    )
    assert found == [
        "cli tool cli.js:2",
        "cli sync <dir> cli.js:3",
        "websocket connection live.js:2",
        "websocket message live.js:3",
        "main server.js server.js:1",
        "queue mails server.js:3",
        "scheduled * * * * * server.js:4",
    ]
