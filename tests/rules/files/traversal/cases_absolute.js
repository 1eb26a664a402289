const express = require("express");
const fs = require("fs");
const path = require("path");

const app = express();
const BASE = "/srv/data";

app.get("/joined", (req, res) => {
  const name = req.query.name;
  if (name.includes("..")) return res.status(400).end();
  res.send(fs.readFileSync(path.join(BASE, name))); // ok: javascript-path-traversal
});

app.get("/resolved", (req, res) => {
  const name = req.query.name;
  if (name.includes("..")) return res.status(400).end();
  res.send(fs.readFileSync(path.resolve(BASE, name))); // expect: javascript-path-traversal
});

app.get("/resolved-relative", (req, res) => {
  const name = req.query.name;
  if (name.includes("..") || path.isAbsolute(name)) return res.status(400).end();
  res.send(fs.readFileSync(path.resolve(BASE, name))); // ok: javascript-path-traversal
});

app.get("/resolved-slash", (req, res) => {
  const name = req.query.name;
  if (name.includes("..") || name.startsWith("/")) return res.status(400).end();
  res.send(fs.readFileSync(path.resolve(BASE, name))); // ok: javascript-path-traversal
});

app.get("/resolved-stripped", (req, res) => {
  const name = req.query.name.replace(/^\/+/, "");
  if (name.includes("..")) return res.status(400).end();
  res.send(fs.readFileSync(path.resolve(BASE, name))); // ok: javascript-path-traversal
});

app.get("/text", (req, res) => {
  const name = req.query.name;
  if (name.includes("..")) return res.status(400).end();
  res.send(fs.readFileSync(`${BASE}/${name}`)); // ok: javascript-path-traversal
});

app.get("/alone", (req, res) => {
  const name = req.query.name;
  if (name.includes("..")) return res.status(400).end();
  res.send(fs.readFileSync(name)); // expect: javascript-path-traversal
});

app.get("/from-root", (req, res) => {
  res.send(fs.readFileSync(path.join(BASE, path.join("/", req.query.name)))); // ok: javascript-path-traversal
});

app.get("/from-folder", (req, res) => {
  res.send(fs.readFileSync(path.join(BASE, path.join("pages", req.query.name)))); // expect: javascript-path-traversal
});
