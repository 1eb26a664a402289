"use strict";

const express = require("express");
const escapeHtml = require("escape-html");
const db = require("../db");

const router = express.Router();
const SORTING = { name: "name ASC", price: "price ASC", newest: "created DESC" };
const ARTICLE = /^([A-Z0-9]+-?)+$/;

router.get("/search", async (req, res) => {
  const found = await db.rows(`SELECT * FROM products WHERE name LIKE '%${req.query.q}%'`);
  res.json(found);
});

router.get("/products/:id", async (req, res) => {
  const product = await db.one("SELECT * FROM products WHERE id = ?", [req.params.id]);
  res.render("product", { product, note: req.query.note });
});

router.get("/hello", (req, res) => {
  res.send("<h1>Welcome back, " + req.query.name + "</h1>");
});

router.get("/by-article", async (req, res) => {
  const article = String(req.query.article);
  if (!ARTICLE.test(article)) {
    return res.status(400).end();
  }
  res.json(await db.rows("SELECT * FROM products WHERE article = ?", [article]));
});

router.get("/empty", (req, res) => {
  res.send(`<p>Nothing found for ${escapeHtml(String(req.query.q))}</p>`);
});

router.get("/codes", (req, res) => {
  const valid = /^[a-z]{2}-[0-9]{4}$/.test(String(req.query.code));
  res.json({ valid });
});

router.get("/sorted", async (req, res) => {
  const order = SORTING[req.query.sort] || SORTING.name;
  res.json(await db.rows("SELECT * FROM products ORDER BY " + order));
});

module.exports = router;
