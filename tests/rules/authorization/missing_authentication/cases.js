const express = require("express");
const { requireLogin } = require("./guards");

const router = express.Router();

function requireUser(req, res, next) {
  if (!req.session.userId) return res.status(401).end();
  next();
}

router.get("/orders", requireUser, (req, res) => res.json(list(req.session.userId))); // ok: missing-authentication
router.post("/orders", requireUser, (req, res) => res.json(place(req.session.userId, req.body))); // ok: missing-authentication
router.put("/orders/:id", requireUser, (req, res) => res.json(change(req.session.userId, req.params.id))); // ok: missing-authentication
router.post("/refunds", (req, res) => res.json(refund(req.body))); // expect: missing-authentication
router.get("/export", (req, res) => res.json(everything())); // expect: missing-authentication
router.get("/products", (req, res) => res.json(products())); // ok: missing-authentication
router.post("/login", (req, res) => res.json(signIn(req.body))); // ok: missing-authentication

module.exports = router;
