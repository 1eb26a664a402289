const express = require("express");
const session = require("express-session");
const cookieSession = require("cookie-session");

const app = express();
const open = { httpOnly: false };

app.use(session({ secret: process.env.SECRET, cookie: { httpOnly: false, secure: true } })); // expect: javascript-cookie-httponly
app.use(cookieSession({ keys: [process.env.KEY], httpOnly: false })); // expect: javascript-cookie-httponly
app.use(session({ secret: process.env.SECRET, cookie: { secure: true } })); // ok: javascript-cookie-httponly

app.post("/login", (req, res) => {
  res.cookie("session_token", makeToken(req)); // expect: javascript-cookie-httponly
  res.cookie("auth", makeToken(req), open); // expect: javascript-cookie-httponly
  res.cookie("refreshToken", makeToken(req), { httpOnly: true, secure: true }); // ok: javascript-cookie-httponly
  res.cookie("language", req.query.language); // ok: javascript-cookie-httponly
  res.cookie("token", makeToken(req), cookieOptions()); // ok: javascript-cookie-httponly
});

app.post('/leave', (req, res) => {
  res.cookie('sessionId', '', { expires: new Date(1970) }); // ok: javascript-cookie-httponly
  res.redirect('/');
});
