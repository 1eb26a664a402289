const express = require("express");
const cors = require("cors");

const app = express();

app.use(cors()); // expect: javascript-cors-wildcard
app.use(cors({ origin: "*" })); // expect: javascript-cors-wildcard
app.use(cors({ origin: true, credentials: true })); // expect: javascript-cors-wildcard
app.use(cors({ origin: "https://shop.example" })); // ok: javascript-cors-wildcard
app.use(cors({ origin: process.env.ORIGINS.split(",") })); // ok: javascript-cors-wildcard

app.use((req, res, next) => {
  res.setHeader("Access-Control-Allow-Origin", "*"); // expect: javascript-cors-wildcard
  res.header("Access-Control-Allow-Origin", req.headers.origin); // expect: javascript-cors-wildcard
  res.setHeader("Access-Control-Allow-Origin", "https://shop.example"); // ok: javascript-cors-wildcard
  res.setHeader("Content-Type", "text/plain"); // ok: javascript-cors-wildcard
  next();
});
