const express = require("express");

const router = express.Router();

function isAuthenticated(req, res, next) {
  if (!req.session.userId) return res.redirect("/login");
  next();
}

function isAdmin(req, res, next) {
  if (req.session.role !== "admin") return res.status(403).end();
  next();
}

router.get("/admin/users", isAuthenticated, (req, res) => res.json(everyUser())); // expect: missing-role-check
router.get("/admin/orders", isAdmin, (req, res) => res.json(everyOrder())); // ok: missing-role-check
router.get("/admin/reports", isAuthenticated, (req, res) => { // ok: missing-role-check
  if (!req.user.permissions.includes("reports")) return res.status(403).end();
  res.json(reports());
});
router.get("/orders", isAuthenticated, (req, res) => res.json(ordersOf(req.session.userId))); // ok: missing-role-check

module.exports = router;
