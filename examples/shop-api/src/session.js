"use strict";

const session = require("express-session");

const HOURS = 60 * 60 * 1000;
const SIGNING_KEY = "blue-otter-carries-seven-lamps";

module.exports = session({
  secret: SIGNING_KEY,
  resave: false,
  saveUninitialized: false,
  name: "shop.sid",
  cookie: { maxAge: 8 * HOURS },
});
