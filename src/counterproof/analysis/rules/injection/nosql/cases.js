const express = require("express");
const mongoose = require("mongoose");
const sanitize = require("mongo-sanitize");

const app = express();
const User = mongoose.model("User", new mongoose.Schema({ name: String }));

app.post("/login", async (req, res) => {
  res.json(await User.findOne({ name: req.body.name, password: req.body.password })); // expect: javascript-nosql-injection
});

app.post("/search", async (req, res) => {
  res.json(await User.find(req.body)); // expect: javascript-nosql-injection
});

app.delete("/user", async (req, res) => {
  const filter = { name: req.body.name };
  await User.deleteMany(filter); // expect: javascript-nosql-injection
  res.end();
});

app.get("/where", async (req, res) => {
  res.json(await User.find().$where("this.name === '" + req.query.name + "'")); // expect: javascript-nosql-injection
});

app.post("/text", async (req, res) => {
  res.json(await User.findOne({ name: String(req.body.name) })); // ok: javascript-nosql-injection
});

app.post("/clean", async (req, res) => {
  res.json(await User.find(sanitize(req.body))); // ok: javascript-nosql-injection
});

app.post("/number", async (req, res) => {
  res.json(await User.find({ age: parseInt(req.body.age, 10) })); // ok: javascript-nosql-injection
});

app.get("/all", async (req, res) => {
  res.json(await User.find({ active: true })); // ok: javascript-nosql-injection
});

app.get("/user/:name", async (req, res) => {
  res.json(await User.findOne({ name: req.params.name })); // ok: javascript-nosql-injection
});

app.get("/user/:name/script", async (req, res) => {
  res.json(await User.find().$where("this.name === '" + req.params.name + "'")); // expect: javascript-nosql-injection
});

app.get("/listed", async (req, res) => {
  res.json(await User.findOne({ name: req.query.name })); // expect: javascript-nosql-injection
});

app.post("/trimmed", async (req, res) => {
  res.json(await User.findOne({ name: req.body.name.replace("@", "") })); // ok: javascript-nosql-injection
});
