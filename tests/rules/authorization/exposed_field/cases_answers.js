const express = require("express");
const { Pool } = require("pg");

const app = express();
const pool = new Pool();

app.post("/register", async (req, res) => {
  await pool.query("INSERT INTO users (name, password) VALUES ($1, $2)", [req.body.name, hash(req.body.password)]);
  res.json({ name: req.body.name, password: req.body.password }); // ok: exposed-field
});

app.get("/users", async (req, res) => {
  const result = await pool.query("SELECT * FROM users");
  res.json({ count: result.rows.length, users: result.rows }); // expect: exposed-field
});

app.get("/names", async (req, res) => {
  const result = await pool.query("SELECT id, name FROM users");
  res.json({ users: result.rows }); // ok: exposed-field
});

app.get("/books", async (req, res) => {
  const { rows } = await pool.query("SELECT * FROM books");
  res.json(rows); // ok: exposed-field
});

app.put("/users/:id", async (req, res) => {
  const result = await pool.query("UPDATE users SET name = $1 WHERE id = $2 RETURNING *", [req.body.name, req.params.id]);
  res.status(200).json({ user: result.rows[0] }); // expect: exposed-field
});

app.post("/login", async (req, res) => {
  const [users] = await pool.query("SELECT * FROM users WHERE name = ?", [req.body.name]);
  const user = users[0];
  if (!verify(req.body.password, user.password)) return res.status(401).json({ error: "no" }); // ok: exposed-field
  res.json({ token: sign(user.id), id: user.id, name: user.name }); // ok: exposed-field
});

app.get("/me", async (req, res) => {
  const result = await pool.query("SELECT * FROM users WHERE id = $1", [req.user.id]);
  const user = result.rows[0];
  delete user.password;
  res.json(user); // ok: exposed-field
});

app.get("/rest", async (req, res) => {
  const result = await pool.query("SELECT * FROM users WHERE id = $1", [req.user.id]);
  const { password, ...rest } = result.rows[0];
  res.json(rest); // ok: exposed-field
});

app.get("/called", (req, res) => {
  pool.query("SELECT * FROM users", (err, found) => {
    if (err) return res.status(500).end();
    res.send(found); // expect: exposed-field
  });
});

async function everybody() {
  const result = await pool.query("SELECT * FROM users");
  return result.rows;
}

app.get("/everybody", async (req, res) => {
  const people = await everybody();
  res.json({ people }); // expect: exposed-field
});

app.get("/one", async (req, res) => {
  const user = await load(req.params.id);
  res.json({ name: user.name, password: user.password }); // expect: exposed-field
});

app.get("/health", (req, res) => {
  res.json({ up: true, config: { secret: process.env.JWT_SECRET } }); // expect: exposed-field
});

app.get("/ready", (req, res) => {
  res.json({ up: true, port: process.env.PORT }); // ok: exposed-field
});
