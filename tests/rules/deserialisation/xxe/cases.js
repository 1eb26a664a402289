const express = require("express");
const libxmljs = require("libxmljs");
const { parseXml } = require("libxmljs2");

const app = express();
const OPEN = { noent: true };

app.post("/import", (req, res) => {
  res.send(libxmljs.parseXmlString(req.body.xml, { noent: true, noblanks: true }).toString()); // expect: javascript-xxe
  res.send(libxmljs.parseXml(req.files.list.data.toString("utf8"), OPEN).root().text()); // expect: javascript-xxe
});

function read(text) {
  return parseXml(text, { ...OPEN, noent: true }); // expect: javascript-xxe
}

app.post("/feed", (req, res) => {
  const found = read(req.body);
  res.json(found.root().name());
});

app.post("/nested", (req, res) => {
  const { document } = req.body;
  setImmediate(() => libxmljs.parseXml(document, { noent: true })); // expect: javascript-xxe
  res.end();
});

app.post("/plain", (req, res) => {
  res.send(libxmljs.parseXml(req.body.xml).toString()); // ok: javascript-xxe
  res.send(libxmljs.parseXml(req.body.xml, { noent: false }).toString()); // ok: javascript-xxe
});

const own = libxmljs.parseXml("<a>&b;</a>", { noent: true }); // ok: javascript-xxe
const loaded = libxmljs.parseXml(process.env.TEMPLATE, { noent: true }); // ok: javascript-xxe
