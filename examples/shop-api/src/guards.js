"use strict";

/** Only for customers who are logged in. */
function requireUser(req, res, next) {
  if (!req.session.userId) {
    return res.status(401).json({ error: "login required" });
  }
  next();
}

/** Only for staff. */
function requireStaff(req, res, next) {
  if (!req.session.userId || req.session.role !== "staff") {
    return res.status(403).json({ error: "staff only" });
  }
  next();
}

module.exports = { requireUser, requireStaff };
