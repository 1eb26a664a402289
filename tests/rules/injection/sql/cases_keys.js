const express = require("express");
const knex = require("knex")({ client: "pg" });

const app = express();

function find(match) {
  const query = knex("links");
  Object.entries(match).forEach(([key, value]) => {
    query.andWhere(key, ...(Array.isArray(value) ? value : [value])); // ok: javascript-sql-injection
  });
  return query;
}

function findAny(match) {
  const query = knex("links");
  for (const [key, value] of Object.entries(match)) {
    query.andWhere(key, value); // expect: javascript-sql-injection
  }
  return query;
}

app.get("/link", async (req, res) => {
  res.json(await find({ "links.id": req.query.id }));
});

app.get("/links", async (req, res) => {
  res.json(await findAny(req.query));
});
