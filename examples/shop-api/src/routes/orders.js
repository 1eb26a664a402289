"use strict";

const express = require("express");
const _ = require("lodash");
const db = require("../db");
const hooks = require("../services/hooks");
const remote = require("../services/remote");
const { requireUser } = require("../guards");
const { Order, Address } = require("../models");

const router = express.Router();
const LARGEST = 99;

router.get("/mine", requireUser, async (req, res) => {
  res.json(await Order.findAll({ where: { customerId: req.session.userId } }));
});

router.get("/invoices/:orderId", requireUser, async (req, res) => {
  const order = await Order.findByPk(req.params.orderId);
  res.json({ number: order.invoice, lines: order.lines, address: order.address });
});

router.post("/lines", requireUser, async (req, res) => {
  const quantity = Number(req.body.quantity);
  const order = await Order.findOne({ where: { state: "open", customerId: req.session.userId } });
  await order.add(req.body.article, quantity);
  res.json(order);
});

router.get("/details/:id", requireUser, async (req, res) => {
  const order = await Order.findOne({ where: { id: req.params.id, customerId: req.session.userId } });
  if (!order) {
    return res.status(404).end();
  }
  res.json(order);
});

router.post("/addresses", requireUser, async (req, res) => {
  res.json(await Address.create(req.body));
});

router.post("/gifts", requireUser, async (req, res) => {
  const quantity = Number(req.body.quantity);
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > LARGEST) {
    return res.status(400).json({ error: "quantity" });
  }
  const order = await Order.findOne({ where: { state: "open", customerId: req.session.userId } });
  res.json(await order.addGift(req.body.article, quantity));
});

router.put("/addresses/current", requireUser, async (req, res) => {
  const address = await Address.findOne({ where: { customerId: req.session.userId, current: true } });
  address.set(_.pick(req.body, ["street", "city", "postcode"]));
  res.json(await address.save());
});

router.post("/refunds", async (req, res) => {
  const order = await Order.findOne({ where: { number: req.body.number } });
  await db.rows("INSERT INTO refunds (order_id, amount) VALUES (?, ?)", [order.id, order.total]);
  res.json({ refunded: order.total });
});

router.post("/hooks", requireUser, async (req, res) => {
  const order = await Order.findOne({ where: { id: req.body.order, customerId: req.session.userId } });
  res.json({ status: await hooks.notify(req.body.address, order) });
});

router.post("/parcels", requireUser, async (req, res) => {
  res.json(await remote.track(String(req.body.parcel)));
});

module.exports = router;
