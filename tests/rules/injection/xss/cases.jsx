const express = require("express");
const escapeHtml = require("escape-html");
const DOMPurify = require("dompurify");

const app = express();

app.get("/hello", (req, res) => {
  res.send("<h1>Hello " + req.query.name + "</h1>"); // expect: javascript-xss
});

app.get("/template", (req, res) => {
  const page = `<p>${req.query.text}</p>`;
  res.send(page); // expect: javascript-xss
});

app.get("/bare", (req, res) => {
  res.send(req.query.text); // expect: javascript-xss
});

export function Page(req, res) {
  return <div dangerouslySetInnerHTML={{ __html: req.query.html }} />; // expect: javascript-xss
}

app.get("/escaped", (req, res) => {
  res.send("<h1>Hello " + escapeHtml(req.query.name) + "</h1>"); // ok: javascript-xss
});

app.get("/json", (req, res) => {
  res.json({ name: req.query.name }); // ok: javascript-xss
});

app.get("/object", (req, res) => {
  res.send({ name: req.query.name }); // ok: javascript-xss
});

export function Clean(req, res) {
  return <div dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(req.query.html) }} />; // ok: javascript-xss
}

export function Text(req, res) {
  return <div>{req.query.text}</div>; // ok: javascript-xss
}
