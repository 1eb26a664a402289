const express = require("express");
const sqlite3 = require("sqlite3");
const app = express();
const db = new sqlite3.Database("x.db");

function checkAuth(req, res, next) {
  if (!req.cookies.token) return res.status(401).end();
  next();
}

app.get("/profile", checkAuth, (req, res) => res.json(req.user));

app.post("/refill", (req, res) => { // expect: open-entries
  db.run("UPDATE users SET credit = credit + ?", [req.body.amount]);
  res.end();
});

app.patch("/payments/:id/status", (req, res) => { // expect: open-entries
  db.run("UPDATE payments SET status = ? WHERE id = ?", [req.body.status, req.params.id]);
  res.end();
});

app.get("/orders", (req, res) => { // expect: open-entries
  db.all("SELECT * FROM orders", (error, rows) => res.json(rows));
});

app.get("/status", (req, res) => res.json({ ok: true })); // ok: open-entries

app.post("/convert", (req, res) => { // ok: open-entries
  res.json({ length: req.body.text.length });
});

app.post("/webhook", (req, res) => { // ok: open-entries
  db.run("INSERT INTO events (text) VALUES (?)", [req.body.text]);
  res.end();
});

app.post("/log-in", (req, res) => { // ok: open-entries
  db.run("UPDATE users SET seen = 1 WHERE name = ?", [req.body.name]);
  res.end();
});

app.post("/users", (req, res) => { // ok: open-entries
  db.run("INSERT INTO users (name) VALUES (?)", [req.body.name]);
  res.end();
});
