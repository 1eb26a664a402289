const express = require("express");
const mongoose = require("mongoose");
const _ = require("lodash");
const { User } = require("./models");

const app = express();
const Order = mongoose.model("Order", new mongoose.Schema({ total: Number, paid: Boolean }));

app.post("/users", async (req, res) => {
  res.json(await User.create(req.body)); // expect: javascript-mass-assignment
});

app.put("/users/:id", async (req, res) => {
  const user = await User.findByPk(req.params.id);
  Object.assign(user, req.body); // expect: javascript-mass-assignment
  res.json(await user.save());
});

app.post("/orders", async (req, res) => {
  const order = new Order(req.body); // expect: javascript-mass-assignment
  res.json(await order.save());
});

app.patch("/orders/:id", async (req, res) => {
  res.json(await Order.findByIdAndUpdate(req.params.id, { $set: req.body })); // expect: javascript-mass-assignment
});

app.post("/members", async (req, res) => {
  res.json(await User.create({ name: req.body.name, email: req.body.email })); // ok: javascript-mass-assignment
  res.json(await User.create(_.pick(req.body, ["name", "email"]))); // ok: javascript-mass-assignment
});

app.post("/options", (req, res) => {
  const options = Object.assign({ limit: 10 }, req.body); // ok: javascript-mass-assignment
  res.json(options);
});
