"use strict";

const ejs = require("ejs");
const express = require("express");
const _ = require("lodash");
const { requireUser, requireStaff } = require("../guards");

const router = express.Router();
const defaults = { language: "en", letters: { weekly: true } };
const FORMULAS = { gross: (net) => net * 1.19, half: (net) => net / 2 };

router.post("/calculator", requireUser, (req, res) => {
  res.json({ result: eval(req.body.formula) });
});

router.post("/letters", requireStaff, (req, res) => {
  res.send(ejs.render(req.body.letter, { name: "customer" }));
});

router.post("/preferences", requireUser, (req, res) => {
  const settings = _.merge(defaults, req.body);
  res.json(settings);
});

router.get("/prices", (req, res) => {
  const formula = FORMULAS[req.query.kind] || FORMULAS.gross;
  res.json({ result: formula(Number(req.query.net)) });
});

router.get("/greeting", (req, res) => {
  res.send(ejs.render("<p>Hello <%= name %></p>", { name: req.query.name }));
});

router.post("/letters/options", requireUser, (req, res) => {
  const options = { ...defaults, language: String(req.body.language) };
  res.json(options);
});

module.exports = router;
