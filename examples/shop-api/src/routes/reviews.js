"use strict";

const express = require("express");
const db = require("../db");
const { requireUser } = require("../guards");

const router = express.Router();

router.post("/find", async (req, res) => {
  res.json(await db.Review.find({ product: req.body.product, author: req.body.author }));
});

router.post("/", requireUser, async (req, res) => {
  const stars = Math.min(5, Math.max(1, Number(req.body.stars)));
  const text = String(req.body.text).slice(0, 2000);
  const author = req.session.userId;
  const product = Number(req.body.product);
  res.status(201).json(await db.Review.create({ product, author, text, stars }));
});

router.post("/count", async (req, res) => {
  const author = String(req.body.author);
  res.json(await db.Review.countDocuments({ author }));
});

module.exports = router;
