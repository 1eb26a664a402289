"use strict";

const express = require("express");
const db = require("../db");
const { requireStaff } = require("../guards");

const router = express.Router();

router.get("/customers", requireStaff, async (req, res) => {
  res.json(await db.rows("SELECT id, email, name FROM customers"));
});

router.put("/products/:id", requireStaff, async (req, res) => {
  await db.rows("UPDATE products SET price = ? WHERE id = ?", [Number(req.body.price), req.params.id]);
  res.end();
});

router.post("/products", requireStaff, async (req, res) => {
  await db.rows("INSERT INTO products (name, price) VALUES (?, ?)", [req.body.name, Number(req.body.price)]);
  res.status(201).end();
});

router.delete("/coupons/:id", requireStaff, async (req, res) => {
  await db.rows("DELETE FROM coupons WHERE id = ?", [req.params.id]);
  res.end();
});

router.delete("/customers/:id", async (req, res) => {
  await db.rows("DELETE FROM customers WHERE id = ?", [req.params.id]);
  res.end();
});

module.exports = router;
