const bcrypt = require("bcrypt");
const db = require("./db");

function login(req, res) {
  const { username, password } = req.body;
  const query = "SELECT * FROM users WHERE username = '" + username + "' AND password = '" + password + "'";
  db.get(query, (err, user) => res.json(user)); // expect: javascript-plaintext-password
}

function register(req, res) {
  db.run("INSERT INTO users (username, password) VALUES (?, ?)", [req.body.username, req.body.password]); // expect: javascript-plaintext-password
}

function change(req, res) {
  db.query(`UPDATE users SET password = '${req.body.password}' WHERE id = ?`, [req.session.id]); // expect: javascript-plaintext-password
}

async function careful(req, res) {
  const hashed = await bcrypt.hash(req.body.password, 12);
  db.run("INSERT INTO users (username, password) VALUES (?, ?)", [req.body.username, hashed]); // ok: javascript-plaintext-password
}

function other(req, res) {
  db.all("SELECT password FROM users WHERE username = ?", [req.body.username]); // ok: javascript-plaintext-password
}

function settings(req, res) {
  db.run("UPDATE settings SET theme = ? WHERE user = ?", [req.body.theme, req.body.user]); // ok: javascript-plaintext-password
}
