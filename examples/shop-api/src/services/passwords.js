"use strict";

const bcrypt = require("bcrypt");
const crypto = require("crypto");

const ROUNDS = 12;

/** Customers that came over from the old shop. */
function legacyDigest(password) {
  return crypto.createHash("md5").update(password).digest("hex");
}

function isLegacy(stored) {
  return /^[0-9a-f]{32}$/.test(stored);
}

function check(password, stored) {
  return bcrypt.compare(password, stored);
}

function strongDigest(password) {
  return bcrypt.hash(password, ROUNDS);
}

/** A name for a cached picture, the same for the same content. */
function pictureName(content) {
  return crypto.createHash("md5").update(content).digest("hex");
}

module.exports = { legacyDigest, isLegacy, check, strongDigest, pictureName };
