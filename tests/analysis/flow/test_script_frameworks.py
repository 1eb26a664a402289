"""Handlers of the web frameworks of JavaScript: each is handed its request the way its framework does it."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination

LookAt = Callable[[dict[str, str]], Examination]
EXEC = 'import { exec } from "child_process";\n'

HANDLERS = {
    "koa": (
        "app.js",
        """
        import Router from "@koa/router";
        const router = new Router();
        router.get("/a", async (ctx) => {
          exec(ctx.query.name);
        });
        export default router;
        """,
    ),
    "koa body": (
        "app.js",
        """
        import Router from "@koa/router";
        const router = new Router();
        router.post("/a", async (context) => {
          exec("ls " + context.request.body.name);
        });
        export default router;
        """,
    ),
    "fastify": (
        "app.js",
        """
        import Fastify from "fastify";
        const server = Fastify();
        server.get("/a/:name", async (question, answer) => {
          exec(question.params.name);
        });
        """,
    ),
    "hono": (
        "app.ts",
        """
        import { Hono } from "hono";
        const app = new Hono();
        app.get("/a", (c) => {
          exec(c.req.query("name"));
          return c.text("done");
        });
        """,
    ),
    "h3": (
        "server/api/a.ts",
        """
        import { defineEventHandler, readBody } from "h3";
        export default defineEventHandler(async (event) => {
          const { name } = await readBody(event);
          exec(name);
        });
        """,
    ),
    "nuxt": (
        "server/api/a.ts",
        """
        export default defineEventHandler((event) => {
          exec(getQuery(event).name);
        });
        """,
    ),
    "nest": (
        "cats.controller.ts",
        """
        import { Controller, Get, Param, Post, Body } from "@nestjs/common";
        @Controller("cats")
        export class CatsController {
          @Get(":name")
          find(@Param("name") name: string) {
            exec("ls " + name);
          }
        }
        """,
    ),
    "next route": (
        "app/api/files/route.ts",
        """
        export async function GET(request: Request) {
          const { searchParams } = new URL(request.url);
          exec("ls " + searchParams.get("name"));
        }
        """,
    ),
    "next page": (
        "pages/api/files.js",
        """
        export default function handler(req, res) {
          exec(req.query.name);
        }
        """,
    ),
    "apollo": (
        "server.js",
        """
        import { ApolloServer } from "@apollo/server";
        const resolvers = {
          Query: {
            files: (parent, args) => exec("ls " + args.name),
          },
        };
        new ApolloServer({ typeDefs: "type Query { files: String }", resolvers });
        """,
    ),
    "express controller": (
        "app.js",
        """
        import express from "express";
        function Files(db) {
          this.list = (question, answer) => {
            exec("ls " + question.query.name);
          };
        }
        function routes(app, db) {
          const files = new Files(db);
          app.get("/files", files.list);
        }
        routes(express(), {});
        """,
    ),
    "graphql resolvers": (
        "resolvers.js",
        """
        import { mergeTypeDefs } from "@graphql-tools/merge";
        export default {
          Query: {
            find: (parent, { name }, context) => exec("ls " + name),
          },
        };
        """,
    ),
    "graphql root": (
        "server.js",
        """
        import { graphqlHTTP } from "express-graphql";
        const root = {
          find: ({ name }) => exec("ls " + name),
        };
        export const serve = graphqlHTTP({ schema, rootValue: root });
        """,
    ),
}


@pytest.mark.parametrize("name", HANDLERS)
def test_data_of_a_request_reaches_the_sink_of_a_handler(look_at: LookAt, name: str) -> None:
    path, text = HANDLERS[name]
    found = look_at({path: EXEC + text.replace("\n        ", "\n"), "package.json": '{"name": "site", "private": true}'})
    wanted = next(number for number, line in enumerate((EXEC + text).splitlines(), 1) if "exec(" in line)
    assert [(each.location.path, each.location.start) for each in found.findings] == [(path, wanted)]


def test_what_a_framework_itself_hands_over_is_no_data(look_at: LookAt) -> None:
    """The state of a Koa context and the second parameter of its handlers come from the program."""
    text = EXEC + (
        'import Router from "@koa/router";\nconst router = new Router();\n'
        'router.get("/a", async (ctx, next) => {\n  exec(ctx.state.command);\n  exec(next.name);\n});\nexport default router;\n'
    )
    assert look_at({"app.js": text}).findings == ()


def test_the_parent_and_the_context_of_a_resolver_are_no_data(look_at: LookAt) -> None:
    text = EXEC + (
        'import { gql } from "graphql-tag";\nexport default {\n  Query: {\n'
        '    find: (parent, args, context) => exec("ls " + parent.name + context.folder),\n  },\n};\n'
    )
    assert look_at({"resolvers.js": text}).findings == ()


def test_the_proof_for_a_resolver_is_a_query(look_at: LookAt) -> None:
    path, text = HANDLERS["graphql root"]
    (found,) = look_at({path: EXEC + text.replace("\n        ", "\n")}).findings
    assert found.poc == (
        "curl -X POST -H 'Content-Type: application/json' "
        """-d '{"query": "query { find(argument: \\"; id\\") }"}' 'http://localhost:8000/graphql'"""
    )
    assert found.source == "request, body at server.js:5"
