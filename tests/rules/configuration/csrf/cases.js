const express = require("express");
const session = require("express-session");
const cookieSession = require("cookie-session");

const app = express();

app.use(session({ secret: process.env.SECRET })); // expect: javascript-csrf
app.use(cookieSession({ keys: [process.env.KEY], sameSite: "none" })); // expect: javascript-csrf
app.use(session({ secret: process.env.SECRET, cookie: { sameSite: "lax" } })); // ok: javascript-csrf
app.use(cookieSession({ keys: [process.env.KEY], sameSite: "strict" })); // ok: javascript-csrf

app.post("/orders", (req, res) => res.json({}));
