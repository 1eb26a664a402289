const express = require("express");
const mongoose = require("mongoose");
const { Order, Address } = require("./models");

const router = express.Router();
const Note = mongoose.model("Note", new mongoose.Schema({ text: String }));

function requireUser(req, res, next) {
  if (!req.session.userId) return res.status(401).end();
  next();
}

router.get("/orders/:orderId", requireUser, async (req, res) => {
  res.json(await Order.findByPk(req.params.orderId)); // expect: javascript-missing-ownership
});

router.delete("/addresses/:id", requireUser, async (req, res) => {
  await Address.destroy({ where: { id: req.params.id } }); // expect: javascript-missing-ownership
  res.end();
});

router.put("/notes/:id", requireUser, async (req, res) => {
  res.json(await Note.findByIdAndUpdate(req.params.id, { text: req.body.text })); // expect: javascript-missing-ownership
});

function statementOf(userId) {
  return Order.findAll({ where: { userId } }); // expect: javascript-missing-ownership
}

router.get("/statements/:userId", requireUser, async (req, res) => {
  res.json(await statementOf(req.params.userId));
});

router.post("/users/edit", requireUser, async (req, res) => {
  const user = await User.findOne({ where: { id: req.body.id } }); // expect: javascript-missing-ownership
  user.email = req.body.email;
  await user.save();
  res.render("edit", { name: req.user.name });
});

router.get("/counted/orders/:id", requireUser, async (req, res) => {
  const id = parseInt(req.params.id, 10);
  res.json(await Order.findByPk(id)); // expect: javascript-missing-ownership
});

router.get("/mine/orders/:id", requireUser, async (req, res) => {
  res.json(await Order.findOne({ where: { id: req.params.id, userId: req.session.userId } })); // ok: javascript-missing-ownership
});

router.get("/checked/orders/:id", requireUser, async (req, res) => {
  const order = await Order.findByPk(req.params.id); // ok: javascript-missing-ownership
  if (order.userId !== req.user.id) return res.status(403).end();
  res.json(order);
});

router.get("/colours/:id", requireUser, async (req, res) => {
  res.json(await Colour.findByPk(req.params.id)); // ok: javascript-missing-ownership
});

router.get("/products/:id", async (req, res) => {
  res.json(await Product.findByPk(req.params.id)); // ok: javascript-missing-ownership
});

module.exports = router;
