const express = require("express");

const app = express();
const router = express.Router();

app.post("/login", (req, res) => { // expect: javascript-login-limit
  res.json(check(req.body));
});

router.post("/users/sign-in", checkForm, (req, res) => { // expect: javascript-login-limit
  res.json(check(req.body));
});

router.post("/api/authenticate", (req, res) => { // expect: javascript-login-limit
  res.json(check(req.body));
});

app.post("/admin/login", (req, res) => { // ok: javascript-login-limit
  if (attempts(req.ip) > 5) return res.status(429).end();
  res.json(check(req.body));
});

app.post("/orders", (req, res) => { // ok: javascript-login-limit
  res.json(save(req.body));
});

router.route("/members/login").post((req, res) => { // expect: javascript-login-limit
  res.json(check(req.body));
});

const counted = (act) => (req, res) => act(req, res);

router.route("/staff/login").post(counted((req, res) => { // ok: javascript-login-limit
  if (attempts(req.ip) > 5) return res.status(429).end();
  res.json(check(req.body));
}));
