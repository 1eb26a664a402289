"use strict";

const express = require("express");
const db = require("../db");
const passwords = require("../services/passwords");
const tokens = require("../services/tokens");
const log = require("../services/log");
const { requireUser } = require("../guards");

const router = express.Router();
const failures = new Map();

router.post("/login", async (req, res) => {
  const user = await db.one("SELECT * FROM customers WHERE email = ?", [req.body.email]);
  if (!user) {
    return res.status(401).json({ error: "Unknown email address" });
  }
  const known = passwords.isLegacy(user.password)
    ? passwords.legacyDigest(req.body.password) === user.password
    : await passwords.check(req.body.password, user.password);
  if (!known) {
    return res.status(401).json({ error: "Wrong password" });
  }
  req.session.userId = user.id;
  req.session.role = user.role;
  res.json({ id: user.id, token: tokens.mobileToken(user) });
});

router.post("/logout", (req, res) => {
  req.session.destroy(() => res.redirect("/"));
});

router.get("/continue", requireUser, (req, res) => {
  res.redirect(req.query.next);
});

router.get("/me", requireUser, async (req, res) => {
  const user = await db.one("SELECT id, email, name FROM customers WHERE id = ?", [req.session.userId]);
  res.json(user);
});

router.post("/staff/login", async (req, res) => {
  const attempts = failures.get(req.body.email) || 0;
  if (attempts > 4) {
    return res.status(429).json({ error: "try again later" });
  }
  const user = await db.one("SELECT * FROM staff WHERE email = ?", [req.body.email]);
  if (!user || !(await passwords.check(req.body.password, user.password))) {
    failures.set(req.body.email, attempts + 1);
    return res.status(401).json({ error: "Unknown email address or wrong password" });
  }
  req.session.regenerate(() => {
    req.session.userId = user.id;
    req.session.role = "staff";
    res.json({ id: user.id });
  });
});

router.get("/return", requireUser, (req, res) => {
  const next = String(req.query.next || "/");
  if (!["/", "/cart", "/orders"].includes(next)) {
    return res.redirect("/");
  }
  res.redirect(next);
});

router.post("/password", requireUser, async (req, res) => {
  log.info(`customer ${req.session.userId} chose ${req.body.password}`);
  const digest = await passwords.strongDigest(req.body.password);
  await db.rows("UPDATE customers SET password = ? WHERE id = ?", [digest, req.session.userId]);
  res.end();
});

module.exports = router;
