const express = require("express");
const cmd = require("node-cmd");
const pty = require("node-pty");
const app = express();

app.get("/a", (req, res) => {
  cmd.run("ls " + req.query.folder); // expect: javascript-command-injection
});

app.get("/b", (req, res) => {
  pty.spawn("sh", ["-c", "ls " + req.query.folder]); // expect: javascript-command-injection
});

app.get("/c", (req, res) => {
  pty.spawn("ls", [req.query.folder]); // ok: javascript-command-injection
});
