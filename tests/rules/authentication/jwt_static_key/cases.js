const express = require("express");
const session = require("express-session");
const cookieParser = require("cookie-parser");
const cookieSession = require("cookie-session");
const jwt = require("jsonwebtoken");
const { expressjwt } = require("express-jwt");

const app = express();
const settings = { key: "seven horses in a row" }; // expect: javascript-static-key
const CERTIFICATE = "-----BEGIN PUBLIC KEY-----MFww";

app.use(session({ secret: "keyboard cat", resave: false })); // expect: javascript-static-key
app.use(cookieParser("a very quiet place")); // expect: javascript-static-key
app.use(cookieSession({ keys: ["one", "two"] })); // expect: javascript-static-key
app.use(expressjwt({ secret: settings.key, algorithms: ["HS256"] }));
app.use(session({ secret: process.env.SESSION_SECRET || "not very secret" })); // expect: javascript-static-key
app.use(session({ secret: process.env.SESSION_SECRET })); // ok: javascript-static-key
app.use(cookieParser()); // ok: javascript-static-key

function issue(user) {
  return jwt.sign({ id: user.id }, settings.key);
}

function read(token) {
  return jwt.verify(token, CERTIFICATE, { algorithms: ["RS256"] }); // ok: javascript-static-key
}

function issueSimply(user) {
  return jwt.sign({ id: user.id }, "eleven lost umbrellas"); // expect: javascript-static-key
}

function issueWell(user) {
  return jwt.sign({ id: user.id }, process.env.TOKEN_KEY); // ok: javascript-static-key
}
