const express = require("express");
const fs = require("fs");
const path = require("path");
const { isFileLoadingAllowed, isFileLoadingLogged } = require("server");

const app = express();
const BASE = "/srv/data";

app.get("/rooted", (req, res) => {
  res.send(fs.readFileSync(path.join(BASE, path.normalize("/" + req.query.name)))); // ok: javascript-path-traversal
  res.send(fs.readFileSync(path.resolve(BASE, path.normalize("/" + req.query.name)))); // expect: javascript-path-traversal
  res.send(fs.readFileSync(path.join(BASE, path.normalize(req.query.name)))); // expect: javascript-path-traversal
});

app.get("/same", (req, res) => {
  const name = req.query.name;
  if (path.basename(name) !== name) return res.status(400).end();
  res.send(fs.readFileSync(path.join(BASE, name))); // ok: javascript-path-traversal
});

app.get("/dots", (req, res) => {
  res.send(fs.readFileSync(path.join(BASE, req.query.name.replace(/\.\./g, "")))); // ok: javascript-path-traversal
  res.send(fs.readFileSync(path.join(BASE, req.query.name.replace(/\.\.\//g, "")))); // expect: javascript-path-traversal
});

class Store {
  constructor(base) {
    this.base = path.resolve(base);
  }

  file(key) {
    const full = path.resolve(this.base, key);
    if (full !== this.base && !full.startsWith(this.base + path.sep)) throw new Error(key);
    return full;
  }

  loose(key) {
    const full = path.resolve(this.base, key);
    if (full !== this.base && !full.endsWith(".txt")) throw new Error(key);
    return full;
  }
}

const store = new Store(BASE);

app.get("/store", (req, res) => {
  res.send(fs.readFileSync(store.file(req.query.name))); // ok: javascript-path-traversal
});

app.get("/loose", (req, res) => {
  res.send(fs.readFileSync(store.loose(req.query.name))); // expect: javascript-path-traversal
});

app.get("/allowed", (req, res) => {
  const file = req.query.file;
  if (isFileLoadingAllowed(app.settings, file)) res.send(fs.readFileSync(file)); // ok: javascript-path-traversal
});

app.get("/logged", (req, res) => {
  const file = req.query.file;
  if (isFileLoadingLogged(app.settings, file)) res.send(fs.readFileSync(file)); // expect: javascript-path-traversal
});
