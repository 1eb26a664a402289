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

app.post("/cut", async (req, res) => {
  const parts = req.body.address.split(":");
  res.json(await User.findOne({ name: parts[1] })); // ok: javascript-nosql-injection
});

app.post("/asked-as-text", async (req, res) => {
  const actor = req.body.actor;
  if (!actor.startsWith("https://")) {
    return res.status(400).end();
  }
  res.json(await User.findOne({ actor: actor })); // ok: javascript-nosql-injection
});

app.post("/kind", async (req, res) => {
  const name = req.body.name;
  if (typeof name !== "string") {
    return res.status(400).end();
  }
  res.json(await User.findOne({ name: name })); // ok: javascript-nosql-injection
});

app.post("/other-kind", async (req, res) => {
  const name = req.body.name;
  if (typeof name === "string") {
    return res.status(400).end();
  }
  res.json(await User.findOne({ name: name })); // expect: javascript-nosql-injection
});

app.post("/another-is-text", async (req, res) => {
  const { name, actor } = req.body;
  actor.trim();
  res.json(await User.findOne({ name: name, actor: actor })); // expect: javascript-nosql-injection
});

app.post("/listed-objects", async (req, res) => {
  const names = req.body.names;
  names.includes("x");
  res.json(await User.findOne({ name: names })); // expect: javascript-nosql-injection
});

const { z } = require("zod");
const wanted = z.object({ name: z.string().min(1), kind: z.any(), near: z.string().transform((text) => JSON.parse(text)) });
const checked = (data, schema) => {
  return schema.parse(data);
};

app.post("/described", async (req, res) => {
  const { name } = wanted.parse(req.body);
  res.json(await User.findOne({ name: name })); // ok: javascript-nosql-injection
});

app.post("/described-elsewhere", async (req, res) => {
  const { name } = checked(req.body, wanted);
  res.json(await User.findOne({ name: name })); // ok: javascript-nosql-injection
});

app.post("/described-as-anything", async (req, res) => {
  const { kind } = wanted.parse(req.body);
  res.json(await User.findOne({ kind: kind })); // expect: javascript-nosql-injection
});

app.post("/described-and-changed", async (req, res) => {
  const { near } = wanted.parse(req.body);
  res.json(await User.findOne({ near: near })); // expect: javascript-nosql-injection
});

app.post("/not-described", async (req, res) => {
  wanted.parse(req.body);
  res.json(await User.findOne({ name: req.body.name })); // expect: javascript-nosql-injection
});

app.post("/as-text", async (req, res) => {
  res.json(await User.findOne({ number: req.body.id.toString() })); // ok: javascript-nosql-injection
});
