// An answer on which something was set is still the answer.
const express = require("express");

const app = express();

app.get("/taken", (req, res) => {
  res.status(400).send(`<p>${req.query.name} is taken</p>`); // expect: javascript-xss
});

app.get("/kept", (req, res) => {
  const answer = res.status(200).set("X-Kept", "yes");
  answer.send("<p>" + req.query.name + "</p>"); // expect: javascript-xss
});

app.get("/listed", (req, res) => {
  res.status(400).json({ taken: req.query.name }); // ok: javascript-xss
});

app.get("/plain", (req, res) => {
  res.status(400).type("text/plain").send(req.query.name); // ok: javascript-xss
});

app.get("/number", (req, res) => {
  res.status(404).send(`<p>${Number(req.query.page)} is missing</p>`); // ok: javascript-xss
});
