const express = require("express");
const escape = require("escape-string-regexp");
const _ = require("lodash");

const app = express();
const names = ["a", "b"];

app.get("/new", (req, res) => {
  res.json(names.filter((name) => new RegExp(req.query.q).test(name))); // expect: javascript-regex-injection
});

app.get("/call", (req, res) => {
  const pattern = RegExp("^" + req.query.prefix, "i"); // expect: javascript-regex-injection
  res.json(names.filter((name) => pattern.test(name)));
});

function matcher(text) {
  return new RegExp(`${text}$`); // expect: javascript-regex-injection
}

app.get("/function", (req, res) => {
  res.json(names.filter((name) => matcher(req.query.end).test(name)));
});

app.post("/list", (req, res) => {
  const patterns = req.body.patterns.map((each) => new RegExp(each)); // expect: javascript-regex-injection
  res.json(patterns.length);
});

app.get("/escaped", (req, res) => {
  res.json(names.filter((name) => new RegExp(escape(req.query.q)).test(name))); // ok: javascript-regex-injection
});

app.get("/lodash", (req, res) => {
  const pattern = new RegExp("^" + _.escapeRegExp(req.query.q)); // ok: javascript-regex-injection
  res.json(names.filter((name) => pattern.test(name)));
});

app.get("/fixed", (req, res) => {
  const pattern = new RegExp("^[a-z]+$"); // ok: javascript-regex-injection
  res.json(pattern.test(req.query.q));
});

app.get("/number", (req, res) => {
  const pattern = new RegExp("a{" + Number(req.query.n) + "}"); // ok: javascript-regex-injection
  res.json(names.filter((name) => pattern.test(name)));
});

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

app.get("/own", (req, res) => {
  const pattern = new RegExp(`.*${escapePattern(req.query.q)}.*`, "i"); // ok: javascript-regex-injection
  res.json(names.filter((name) => pattern.test(name)));
});

app.get("/dots-only", (req, res) => {
  const pattern = new RegExp(req.query.q.replace(/[.]/g, "\\$&")); // expect: javascript-regex-injection
  res.json(names.filter((name) => pattern.test(name)));
});

function isSafePattern(text) {
  return !/\([^)]*[+*}][^)]*\)[+*?]/.test(text);
}

function isSafeSearch(text) {
  return text.length > 0;
}

app.get("/refused", (req, res) => {
  const text = req.query.q;
  if (!isSafePattern(text)) return res.status(400).end();
  res.json(names.filter((name) => new RegExp(text).test(name))); // ok: javascript-regex-injection
});

app.get("/unrefused", (req, res) => {
  const text = req.query.q;
  if (!isSafeSearch(text)) return res.status(400).end();
  res.json(names.filter((name) => new RegExp(text).test(name))); // expect: javascript-regex-injection
});
