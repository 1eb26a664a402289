const express = require("express");
const { User, Order } = require("./models");

const router = express.Router();

function requireUser(req, res, next) {
  if (!req.session.userId) return res.status(401).end();
  next();
}

router.get("/api/shelf", requireUser, async (req, res) => res.json(await Order.findAll({ where: { owner: req.user.id } })));
router.get("/api/wishes", requireUser, async (req, res) => res.json(await Order.findAll({ where: { owner: req.user.id } })));

router.post("/api/admin/reset-user-password", async (req, res) => { // expect: missing-authentication
  const user = await User.findOne({ where: { email: req.body.email } });
  user.password = req.body.password;
  await user.save();
  res.end();
});

router.get("/api/admin/orders/abandoned", async (req, res) => { // expect: missing-authentication
  res.json(await Order.findAll({ where: { abandoned: true } }));
});

router.post("/api/admin/login", async (req, res) => { // ok: missing-authentication
  const user = await User.findOne({ where: { email: req.body.email } });
  res.json({ known: Boolean(user) });
});

router.post("/api/admin/rebuild", async (req, res) => { // ok: missing-authentication
  if (req.headers["x-key"] !== process.env.REBUILD_KEY) return res.status(404).end();
  await Order.destroy({ where: {} });
  res.end();
});

router.post("/api/admin/notes", async (req, res) => { // ok: missing-authentication
  if (req.session.level < 5) return res.end();
  await Order.update({ note: req.body.note }, { where: { id: req.body.id } });
  res.end();
});

router.get("/api/admin/handbook", (req, res) => { // ok: missing-authentication
  res.render("admin/handbook");
});

module.exports = router;
