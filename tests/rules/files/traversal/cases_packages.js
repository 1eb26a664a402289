const path = require("path");
const express = require("express");
const { rimraf } = require("rimraf");
const { loadJsonFile } = require("load-json-file");
const app = express();

app.delete("/a", async (req, res) => {
  await rimraf("uploads/" + req.query.name); // expect: javascript-path-traversal
});

app.get("/b", async (req, res) => {
  res.json(await loadJsonFile(`data/${req.query.name}`)); // expect: javascript-path-traversal
});

app.get("/c", async (req, res) => {
  res.json(await loadJsonFile(`data/${path.basename(req.query.name)}`)); // ok: javascript-path-traversal
});
