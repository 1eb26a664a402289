const express = require("express");
const app = express();

app.post("/trim", (req, res) => {
  res.json({ text: req.body.text.replace(/\s+$/, "") }); // expect: javascript-slow-pattern
});

app.post("/heading", (req, res) => {
  const found = /#+(?<title>.*)#+$/.exec(req.body.text); // expect: javascript-slow-pattern
  res.json({ title: found ? found.groups.title : "" });
});

app.post("/start", (req, res) => {
  res.json({ ok: /^\d+x/.test(req.body.text) }); // ok: javascript-slow-pattern
});

app.post("/bounded", (req, res) => {
  if (req.body.text.length > 200) return res.status(400).end();
  res.json({ text: req.body.text.replace(/\s+$/, "") }); // ok: javascript-slow-pattern
});

app.get("/own", (req, res) => {
  res.json({ text: "our own text  ".replace(/\s+$/, "") }); // ok: javascript-slow-pattern
});

app.post("/words", (req, res) => {
  res.json({ found: req.body.text.match(/(\w+)\s*:\s*(\w+)/) }); // expect: javascript-slow-pattern
});

app.post("/parts", (req, res) => {
  res.json({ parts: req.body.text.split(/\s*,\s*/) }); // expect: javascript-slow-pattern
});

app.post("/fixed", (req, res) => {
  res.json({ parts: req.body.text.split(/,/) }); // ok: javascript-slow-pattern
});

app.post("/behind", (req, res) => {
  const text = req.body.text.replace(/(?<!\s)\s+$/, ""); // ok: javascript-slow-pattern
  res.json({ text: text.replace(/(?<! ) .*$/, "") }); // expect: javascript-slow-pattern
});
