const fs = require("fs");
const path = require("path");
const express = require("express");
const app = express();

app.get("/all", (req, res) => {
  const name = req.query.name.replace(/[\\/:]/g, "_");
  fs.readFile(path.join("files", name), (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/every", (req, res) => {
  const name = req.query.name.replaceAll("/", "_");
  fs.readFile(path.join("files", name), (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/first", (req, res) => {
  const name = req.query.name.replace("/", "_");
  fs.readFile(path.join("files", name), (err, data) => res.end(data)); // expect: javascript-path-traversal
});

app.get("/others", (req, res) => {
  const name = req.query.name.replace(/[^/a-z.]/g, "_");
  fs.readFile(path.join("files", name), (err, data) => res.end(data)); // expect: javascript-path-traversal
});
