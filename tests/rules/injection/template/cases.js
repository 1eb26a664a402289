const ejs = require("ejs");
const express = require("express");
const handlebars = require("handlebars");
const pug = require("pug");
const _ = require("lodash");

const app = express();

app.get("/ejs", (req, res) => {
  res.send(ejs.render("<p>Hello " + req.query.name + "</p>")); // expect: javascript-template-injection
});

app.post("/pug", (req, res) => {
  const page = pug.compile(`p Welcome ${req.body.name}`); // expect: javascript-template-injection
  res.send(page());
});

function filled(text, data) {
  return handlebars.compile(text)(data); // expect: javascript-template-injection
}

app.post("/mail", (req, res) => {
  res.send(filled(req.body.template, { name: "x" }));
});

app.post("/lodash", (req, res) => {
  res.send(_.template(req.body.text)({})); // expect: javascript-template-injection
});

app.get("/variables", (req, res) => {
  res.send(ejs.render("<p>Hello <%= name %></p>", { name: req.query.name })); // ok: javascript-template-injection
  res.send(handlebars.compile("Hello {{name}}")({ name: req.query.name })); // ok: javascript-template-injection
});

const fixed = pug.compile("p Hello"); // ok: javascript-template-injection
const table = { a: "A <%= x %>", b: "B <%= x %>" };

app.get("/choice", (req, res) => {
  res.send(ejs.render(table[req.query.kind], { x: 1 })); // ok: javascript-template-injection
});
