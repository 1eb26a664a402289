"use strict";

const express = require("express");
const db = require("../db");
const log = require("../services/log");
const tokens = require("../services/tokens");

const router = express.Router();

router.post("/reset", async (req, res) => {
  const token = tokens.resetToken();
  await db.rows("UPDATE customers SET reset_token = ? WHERE email = ?", [token, req.body.email]);
  log.info("a reset was asked for");
  res.json({ sent: true });
});

module.exports = router;
