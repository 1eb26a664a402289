const express = require("express");
const crossFetch = require("cross-fetch");
const phin = require("phin");
const gaxios = require("gaxios");
const { curly } = require("node-libcurl");
const app = express();

app.get("/a", async (req, res) => {
  res.json(await crossFetch(req.query.url)); // expect: javascript-ssrf
});

app.get("/b", async (req, res) => {
  res.json(await phin({ url: req.query.url })); // expect: javascript-ssrf
});

app.get("/c", async (req, res) => {
  res.json(await gaxios.request({ url: req.query.url })); // expect: javascript-ssrf
});

app.get("/d", async (req, res) => {
  res.json(await curly.get(`https://api.example.com/${req.query.id}`)); // ok: javascript-ssrf
});

app.get("/e", async (req, res) => {
  res.json(await phin({ url: "https://api.example.com/a", data: req.query.text })); // ok: javascript-ssrf
});
