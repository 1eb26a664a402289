const crypto = require("crypto");

function resetToken() {
  return Math.random().toString(36).slice(2); // expect: javascript-weak-random
}

function invite(user) {
  const password = "x" + Math.random(); // expect: javascript-weak-random
  user.password = password;
}

const otp = Math.floor(Math.random() * 1000000); // expect: javascript-weak-random

function colour() {
  return Math.floor(Math.random() * 360); // ok: javascript-weak-random
}

function pick(list) {
  return list[Math.floor(Math.random() * list.length)]; // ok: javascript-weak-random
}

function strongToken() {
  return crypto.randomBytes(16).toString("hex");
}
