const _ = require("lodash");
const express = require("express");
const extend = require("extend");
const objectPath = require("object-path");

const app = express();
const settings = { theme: "light" };

app.post("/merge", (req, res) => {
  _.merge(settings, req.body); // expect: javascript-prototype-pollution
  res.json(settings);
});

app.post("/set", (req, res) => {
  _.set(settings, req.body.path, req.body.value); // expect: javascript-prototype-pollution
  res.json(settings);
});

function update(target, changes) {
  return extend(true, target, changes); // expect: javascript-prototype-pollution
}

app.patch("/settings", (req, res) => {
  res.json(update(settings, req.body));
});

app.patch("/path", (req, res) => {
  objectPath.set(settings, req.query.key, true); // expect: javascript-prototype-pollution
  res.json(settings);
});

app.post("/shallow", (req, res) => {
  res.json(extend(false, {}, req.body)); // ok: javascript-prototype-pollution
  res.json({ ...settings, ...req.body });
});

app.post("/named", (req, res) => {
  _.merge(settings, { theme: "dark" }); // ok: javascript-prototype-pollution
  _.set(settings, "theme", req.body.theme); // ok: javascript-prototype-pollution
  objectPath.set(settings, "colours.main", req.body.colour); // ok: javascript-prototype-pollution
});
