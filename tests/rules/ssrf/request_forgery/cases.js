import axios from "axios";
import express from "express";
import http from "http";
import fetch from "node-fetch";

const app = express();
const SERVICES = { users: "https://users.example.com" };

app.get("/fetch", async (req, res) => {
  res.send(await fetch(req.query.url)); // expect: javascript-ssrf
});

app.post("/axios", async (req, res) => {
  const { target } = req.body;
  const answer = await axios.get(target); // expect: javascript-ssrf
  res.json(answer.data);
});

app.get("/host", (req, res) => {
  http.get("http://" + req.query.host + "/status", (answer) => answer.pipe(res)); // expect: javascript-ssrf
});

app.get("/options", (req, res) => {
  axios({ url: req.query.next, method: "GET" }).then((answer) => res.json(answer.data)); // expect: javascript-ssrf
});

app.get("/fixed", async (req, res) => {
  res.json(await fetch("https://api.example.com/users/" + req.query.name)); // ok: javascript-ssrf
});

app.get("/template", async (req, res) => {
  res.json(await axios.get(`https://api.example.com/items?q=${req.query.q}`)); // ok: javascript-ssrf
});

app.get("/service", async (req, res) => {
  res.json(await axios.get(SERVICES[req.query.service])); // ok: javascript-ssrf
});

app.get("/listed", async (req, res) => {
  const url = req.query.url;
  if (["https://a.example.com", "https://b.example.com"].includes(url)) {
    res.json(await fetch(url)); // ok: javascript-ssrf
  }
});
