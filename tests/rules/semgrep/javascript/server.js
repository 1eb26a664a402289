const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const https = require("https");
const cors = require("cors");
const axios = require("axios");
const express = require("express");
const session = require("express-session");
const jwt = require("jsonwebtoken");
const { exec, execFile } = require("child_process");
const serializer = require("node-serialize");

const app = express();
app.use(cors({ origin: true, credentials: true })); // expect: javascript-cors-everyone
app.use(cors({ origin: "https://shop.example" })); // ok: javascript-cors-everyone
app.use(session({ secret: "keyboard-cat", resave: false })); // expect: javascript-key-in-source
app.use(session({ secret: process.env.SESSION_SECRET })); // ok: javascript-key-in-source

app.get("/orders", (req, res) => {
  db.query("SELECT * FROM orders WHERE id = " + req.query.id); // expect: javascript-sql-injection
  const status = req.body.status;
  const text = `SELECT * FROM orders WHERE status = '${status}'`;
  db.query(text); // expect: javascript-sql-injection
  db.query("SELECT * FROM orders WHERE id = ?", [req.query.id]); // ok: javascript-sql-injection
  db.query("SELECT 1 " + "FROM orders"); // ok: javascript-sql-injection
  User.findOne({ name: req.body.name }); // expect: javascript-nosql-injection
  User.findOne({ name: String(req.body.name) }); // ok: javascript-nosql-injection
  res.send("<p>" + req.query.id + "</p>"); // expect: javascript-cross-site-scripting
  res.send(`<p>${escapeHtml(req.query.id)}</p>`); // ok: javascript-cross-site-scripting
  res.send({ id: req.query.id }); // ok: javascript-cross-site-scripting
});

app.get("/files", (req, res) => {
  exec("convert " + req.query.name); // expect: javascript-command-injection
  execFile("convert", [req.query.name]); // ok: javascript-command-injection
  exec("sync"); // ok: javascript-command-injection
  fs.readFile("files/" + req.params.name, done); // expect: javascript-path-traversal
  fs.readFile("files/" + path.basename(req.params.name), done); // ok: javascript-path-traversal
  res.sendFile(path.join(root, req.params.name)); // expect: javascript-path-traversal
  fs.readFileSync("settings.json"); // ok: javascript-path-traversal
});

app.get("/preview", async (req, res) => {
  await axios.get(req.query.url); // expect: javascript-ssrf
  await fetch(`https://${req.query.host}/`); // expect: javascript-ssrf
  await fetch("https://api.example/?q=" + encodeURIComponent(req.query.q)); // ok: javascript-ssrf
  res.redirect(req.query.next); // expect: javascript-open-redirect
  res.redirect("/home"); // ok: javascript-open-redirect
});

function evaluate(text, blob) {
  eval(text); // expect: javascript-code-evaluation
  new Function("a", text); // expect: javascript-code-evaluation
  JSON.parse(text); // ok: javascript-code-evaluation
  serializer.unserialize(blob); // expect: javascript-unsafe-deserialisation
  JSON.parse(blob); // ok: javascript-unsafe-deserialisation
}

function show(element, text) {
  element.innerHTML = text; // expect: javascript-raw-markup
  element.innerHTML = "<b>fixed</b>"; // ok: javascript-raw-markup
  element.innerHTML = DOMPurify.sanitize(text); // ok: javascript-raw-markup
  element.textContent = text; // ok: javascript-raw-markup
}

function keep(password, payload, key, iv) {
  crypto.createHash("md5").update(password).digest("hex"); // expect: javascript-weak-password-hash
  crypto.createHash("sha256").update(payload).digest("hex"); // ok: javascript-weak-password-hash
  crypto.createCipheriv("aes-128-ecb", key, null); // expect: javascript-weak-cipher
  crypto.createCipheriv("aes-256-gcm", key, iv); // ok: javascript-weak-cipher
  const resetToken = Math.random().toString(36); // expect: javascript-guessable-secret
  const sessionToken = crypto.randomBytes(32); // ok: javascript-guessable-secret
  const position = Math.random(); // ok: javascript-guessable-secret
  jwt.sign({ resetToken, sessionToken, position }, "hunter2hunter2"); // expect: javascript-key-in-source
  new https.Agent({ rejectUnauthorized: false }); // expect: javascript-certificate-check-off
  new https.Agent({ rejectUnauthorized: true }); // ok: javascript-certificate-check-off
}

function trust(token, key, res) {
  jwt.verify(token, key, { algorithms: ["none", "HS256"] }); // expect: javascript-jwt-unverified
  jwt.verify(token, key, { algorithms: ["HS256"] }); // ok: javascript-jwt-unverified
  res.cookie("sid", token, { httpOnly: false }); // expect: javascript-cookie-flag-off
  res.cookie("sid", token, { httpOnly: true, secure: true }); // ok: javascript-cookie-flag-off
}
