import express from "express";
import session from "express-session";

const app = express();

app.use(session({ secret: process.env.SECRET, resave: false })); // expect: javascript-cookie-secure
app.use(session({ secret: process.env.SECRET, cookie: { maxAge: 60000 } })); // expect: javascript-cookie-secure
app.use(session({ secret: process.env.SECRET, cookie: { secure: true } })); // ok: javascript-cookie-secure
app.use(session({ secret: process.env.SECRET, cookie: { secure: process.env.NODE_ENV === "production" } })); // ok: javascript-cookie-secure

app.post("/login", (req, res) => {
  res.cookie("token", makeToken(req), { httpOnly: true }); // expect: javascript-cookie-secure
  res.cookie("token", makeToken(req), { httpOnly: true, secure: true }); // ok: javascript-cookie-secure
  res.cookie("theme", "dark"); // ok: javascript-cookie-secure
});

app.post('/leave', (req, res) => {
  res.cookie('sessionId', '', { expires: new Date(1970) }); // ok: javascript-cookie-secure
  res.redirect('/');
});
