const crypto = require("crypto");
const CryptoJS = require("crypto-js");

const START = "0000000000000000";

function old(text, key) {
  return crypto.createCipher("aes-256-cbc", key).update(text, "utf8", "hex"); // expect: javascript-weak-cipher
}

function fixed(text, key) {
  return crypto.createCipheriv("aes-256-cbc", key, START).update(text, "utf8", "hex"); // expect: javascript-weak-cipher
}

function ecb(text, key) {
  return crypto.createCipheriv("aes-128-ecb", key, null).update(text, "utf8", "hex"); // expect: javascript-weak-cipher
}

function des(text, key) {
  return CryptoJS.DES.encrypt(text, key).toString(); // expect: javascript-weak-cipher
}

function strong(text, key) {
  return crypto.createCipheriv("aes-256-gcm", key, crypto.randomBytes(12)).update(text, "utf8", "hex"); // ok: javascript-weak-cipher
}

function read(text, key, start) {
  return crypto.createDecipheriv("aes-256-gcm", key, start).update(text, "hex", "utf8"); // ok: javascript-weak-cipher
}
