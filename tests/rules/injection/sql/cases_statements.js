const express = require("express");
const neo4j = require("neo4j-driver");
const { createClient } = require("@clickhouse/client");
const { Prisma } = require("@prisma/client");
const app = express();
const session = neo4j.driver("bolt://graph.example").session();
const rows = createClient();

app.get("/a", async (req, res) => {
  res.json(await session.run(`MATCH (p:${req.query.label}) RETURN p`)); // expect: javascript-sql-injection
});

app.get("/b", async (req, res) => {
  res.json(await rows.query({ query: "SELECT * FROM " + req.query.table })); // expect: javascript-sql-injection
});

app.get("/c", async (req, res) => {
  res.json(Prisma.raw(req.query.order)); // expect: javascript-sql-injection
});

app.get("/d", async (req, res) => {
  res.json(await session.run("MATCH (p {name: $name}) RETURN p", { name: req.query.name })); // ok: javascript-sql-injection
});

app.get("/e", async (req, res) => {
  const given = { query: "SELECT {a: String}", query_params: { a: req.query.a } };
  res.json(await rows.query(given)); // ok: javascript-sql-injection
});
