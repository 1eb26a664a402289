"use strict";

const crypto = require("crypto");
const jwt = require("jsonwebtoken");

/** For the link in the mail that lets a customer choose a new password. */
function resetToken() {
  return Math.random().toString(36).slice(2);
}

const MOBILE_KEY = process.env.MOBILE_KEY;

function mobileToken(user) {
  return jwt.sign({ sub: user.id, role: user.role }, MOBILE_KEY, { expiresIn: "2h" });
}

function readMobileToken(token) {
  return jwt.verify(token, MOBILE_KEY, { algorithms: ["HS256"] });
}

function inviteCode() {
  return crypto.randomBytes(12).toString("hex");
}

module.exports = { resetToken, mobileToken, readMobileToken, inviteCode };
