const express = require("express");
const { Pool } = require("pg");
const app = express();
const pool = new Pool();

async function query(text, values) {
  return pool.query(text, values);
}

const db = { query };
const short = { query: (text, values) => pool.query(text, values) };

app.get("/a", async (req, res) => {
  const rows = await db.query(`SELECT * FROM notes WHERE name = '${req.query.name}'`); // expect: javascript-sql-injection
  res.json(rows);
});

app.get("/b", async (req, res) => {
  const rows = await short.query("SELECT * FROM notes WHERE name = '" + req.query.name + "'"); // expect: javascript-sql-injection
  res.json(rows);
});

app.get("/c", async (req, res) => {
  const parts = [];
  if (req.query.name) {
    parts.push(`name = '${req.query.name}'`);
  }
  res.json(await db.query("SELECT * FROM notes WHERE " + parts.join(" AND "))); // expect: javascript-sql-injection
});

app.get("/d", async (req, res) => {
  res.json(await db.query("SELECT * FROM notes WHERE name = $1", [req.query.name])); // ok: javascript-sql-injection
});

app.get("/e", async (req, res) => {
  const parts = ["hidden = false"];
  if (req.query.name) {
    parts.push("name = $1");
  }
  res.json(await short.query("SELECT * FROM notes WHERE " + parts.join(" AND "), [req.query.name])); // ok: javascript-sql-injection
});
