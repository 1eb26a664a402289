const express = require("express");

const app = express();
const WORDS = /^(\w+\s?)*$/;

app.get("/test", (req, res) => {
  res.json(/^(a+)+$/.test(req.query.text)); // expect: javascript-regex-denial
});

app.get("/constant", (req, res) => {
  res.json(WORDS.test(req.query.text)); // expect: javascript-regex-denial
});

function isNumberList(text) {
  return text.match(/([0-9]+)+#/); // expect: javascript-regex-denial
}

app.post("/list", (req, res) => {
  res.json(isNumberList(req.body.list));
});

app.get("/header", (req, res) => {
  const agent = req.headers["user-agent"];
  res.json(/^([^;]*)*;$/.exec(agent)); // expect: javascript-regex-denial
});

app.get("/plain", (req, res) => {
  res.json(/^[a-z]+$/.test(req.query.text)); // ok: javascript-regex-denial
  res.json(/^(\w+)\s(\w+)$/.test(req.query.text)); // ok: javascript-regex-denial
});

app.get("/number", (req, res) => {
  res.json(/^(a+)+$/.test(String(Number(req.query.n)))); // ok: javascript-regex-denial
});

/^(a+)+$/.test("aaaa"); // ok: javascript-regex-denial

app.get("/brackets", (req, res) => {
  res.json(/^(([-.]|[_]+)?([a-z]+))*@[a-z]+$/.test(req.query.text)); // expect: javascript-regex-denial
  res.json(/^(?<first>(?<word>[a-z]+))*$/.test(req.query.text)); // expect: javascript-regex-denial
  res.json(/^(([-.])([a-z]+))*@[a-z]+$/.test(req.query.text)); // ok: javascript-regex-denial
});
