"use strict";

const express = require("express");
const jwt = require("jsonwebtoken");
const multer = require("multer");
const serialize = require("node-serialize");
const libxmljs = require("libxmljs2");
const db = require("../db");
const remote = require("../services/remote");

const router = express.Router();
const feeds = multer({ dest: "public/feeds" });

function partnerOf(req) {
  const token = String(req.headers.authorization).replace("Bearer ", "");
  return jwt.decode(token).partner;
}

router.post("/feeds", feeds.single("feed"), (req, res) => {
  res.json({ partner: partnerOf(req), size: req.file.size });
});

router.post("/carts", (req, res) => {
  const cart = serialize.unserialize(req.body.cart);
  res.json({ lines: cart.lines.length });
});

router.post("/stock", (req, res) => {
  const list = libxmljs.parseXml(req.body.document, { noent: true, noblanks: true });
  res.json({ articles: list.root().childNodes().length });
});

router.get("/prices", async (req, res) => {
  res.json(await remote.pricesFrom(String(req.query.address)));
});

router.get("/articles/:article", async (req, res) => {
  const stock = await remote.stockOf(req.params.article);
  const product = await db.one("SELECT id FROM products WHERE article = ?", [req.params.article]);
  res.json({ stock, product });
});

router.post("/prices", (req, res) => {
  const list = libxmljs.parseXml(req.body.document, { noblanks: true });
  res.json({ articles: list.root().childNodes().length });
});

router.post("/settings", (req, res) => {
  const wishes = JSON.parse(req.body.wishes);
  res.json({ kept: Object.keys(wishes).length });
});

module.exports = router;
