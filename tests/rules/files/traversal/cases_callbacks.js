const fs = require("fs");
const path = require("path");
const express = require("express");
const app = express();
const FOLDERS = [path.resolve("public"), path.resolve("shared")];
const ROOT = path.resolve("public");
const SIGNS = ["/", "\\", ".."];

function isInside(file) {
  const whole = path.resolve(file);
  return FOLDERS.some((folder) => whole.startsWith(folder + path.sep));
}

function isNear(file) {
  return FOLDERS.some((folder) => folder.length < file.length);
}

function insist(file) {
  const whole = path.resolve(file);
  const inside = FOLDERS.some((folder) => {
    const relative = path.relative(folder, whole);
    return !relative.startsWith("..") && !path.isAbsolute(relative);
  });
  if (!inside) {
    throw new Error("outside");
  }
}

function isUnder(file, root) {
  const relative = path.relative(root, file);
  if (path.isAbsolute(relative)) return false;
  if (relative.startsWith("..")) return false;
  return true;
}

function insistOnRoots(file) {
  const whole = path.resolve(file);
  const allowed = FOLDERS.some((root) => {
    if (process.platform === "win32") {
      return isUnder(whole.toLowerCase(), root.toLowerCase());
    }
    return isUnder(whole, root);
  });
  if (!allowed) {
    throw new Error("outside");
  }
}

app.get("/roots", (req, res) => {
  insistOnRoots(req.query.file);
  fs.readFile(req.query.file, (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/inside", (req, res) => {
  if (!isInside(req.query.file)) return res.end();
  fs.readFile(req.query.file, (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/inside-here", (req, res) => {
  const file = path.resolve(req.query.file);
  if (!FOLDERS.some((folder) => file.startsWith(folder + path.sep))) return res.end();
  fs.readFile(file, (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/insisted", (req, res) => {
  insist(req.query.file);
  fs.readFile(req.query.file, (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/near", (req, res) => {
  if (!isNear(req.query.file)) return res.end();
  fs.readFile(req.query.file, (err, data) => res.end(data)); // expect: javascript-path-traversal
});

app.get("/wrong-way", (req, res) => {
  if (isInside(req.query.file)) return res.end();
  fs.readFile(req.query.file, (err, data) => res.end(data)); // expect: javascript-path-traversal
});

app.get("/signs", (req, res) => {
  const name = req.query.file;
  if (SIGNS.some((sign) => name.includes(sign))) return res.end();
  fs.readFile(path.join("public", name), (err, data) => res.end(data)); // ok: javascript-path-traversal
});

app.get("/no-signs", (req, res) => {
  const name = req.query.file;
  if (SIGNS.every((sign) => name.includes(sign))) return res.end();
  fs.readFile(path.join("public", name), (err, data) => res.end(data)); // expect: javascript-path-traversal
});

app.get("/not-asked", (req, res) => {
  const whole = path.resolve(req.query.file);
  isUnder(whole, ROOT);
  fs.readFile(whole, (err, data) => res.end(data)); // expect: javascript-path-traversal
});
