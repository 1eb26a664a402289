const express = require("express");
const mysql = require("mysql");
const { Pool } = require("pg");
const { PrismaClient } = require("@prisma/client");

const db = mysql.createConnection({ host: "db" });
const pool = new Pool();
const prisma = new PrismaClient();
const app = express();

app.get("/user", (req, res) => {
  db.query("SELECT * FROM users WHERE name = '" + req.query.name + "'", (err, rows) => res.json(rows)); // expect: javascript-sql-injection
});

app.get("/orders", async (req, res) => {
  const text = `SELECT * FROM orders WHERE id = ${req.params.id}`;
  const found = await pool.query(text); // expect: javascript-sql-injection
  res.json(found.rows);
});

app.post("/raw", async (req, res) => {
  res.json(await prisma.$queryRawUnsafe(`SELECT * FROM users WHERE email = '${req.body.email}'`)); // expect: javascript-sql-injection
});

function search(connection, term) {
  return connection.execute("SELECT * FROM items WHERE title LIKE '%" + term + "%'"); // expect: javascript-sql-injection
}

app.get("/search", (req, res) => {
  search(db, req.query.q).then((rows) => res.json(rows));
});

app.get("/placeholder", (req, res) => {
  db.query("SELECT * FROM users WHERE name = ?", [req.query.name], (err, rows) => res.json(rows)); // ok: javascript-sql-injection
});

app.get("/number", async (req, res) => {
  const id = Number(req.params.id);
  res.json(await pool.query("SELECT * FROM orders WHERE id = " + id)); // ok: javascript-sql-injection
});

app.get("/escaped", (req, res) => {
  db.query("SELECT * FROM users WHERE name = " + mysql.escape(req.query.name), (err, rows) => res.json(rows)); // ok: javascript-sql-injection
});

app.get("/order", (req, res) => {
  const column = req.query.order;
  if (["name", "age"].includes(column)) {
    db.query("SELECT * FROM users ORDER BY " + column, (err, rows) => res.json(rows)); // ok: javascript-sql-injection
  }
});

app.get("/cache", (req, res) => {
  res.json(new Map().get("user:" + req.query.name)); // ok: javascript-sql-injection
});

const pgp = require("pg-promise")();
const promising = pgp("postgres://db");

app.get("/promising", (req, res) => {
  promising.one("SELECT * FROM users WHERE name = '" + req.query.name + "'").then((row) => res.json(row)); // expect: javascript-sql-injection
  promising.one("SELECT * FROM users WHERE name = $1", [req.query.name]).then((row) => res.json(row)); // ok: javascript-sql-injection
});

app.get("/kept", async (req, res) => {
  const statement = "SELECT * FROM items WHERE title = '" + req.query.title + "'";
  res.json(await store.query(statement)); // expect: javascript-sql-injection
});
