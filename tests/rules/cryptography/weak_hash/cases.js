const crypto = require("crypto");
const md5 = require("md5");
const bcrypt = require("bcrypt");

function hashPassword(password) {
  return crypto.createHash("sha256").update(password).digest("hex"); // expect: javascript-weak-hash
}

function store(user, form) {
  user.password = md5(form.password); // expect: javascript-weak-hash
}

function resetToken(user) {
  const token = crypto.createHash("sha1").update(user.email).digest("hex"); // expect: javascript-weak-hash
  return token;
}

function checksum(file) {
  return crypto.createHash("md5").update(file.content).digest("hex"); // ok: javascript-weak-hash
}

function etag(body) {
  return md5(body); // ok: javascript-weak-hash
}

function digestOfToken(token) {
  return crypto.createHash("sha256").update(token).digest("hex"); // ok: javascript-weak-hash
}

async function strong(password) {
  return bcrypt.hash(password, 12);
}
