const express = require("express");
const app = express();

app.get("/basket", (req, res) => {
  const items = find({ owner: req.cookies.userid }); // expect: javascript-forgeable-cookie
  res.json(items);
});

app.use((req, res, next) => {
  const kept = req.cookies["user"]; // expect: javascript-forgeable-cookie
  if (kept) req.user = JSON.parse(kept);
  next();
});

app.get("/signed", (req, res) => {
  res.json(find({ owner: req.signedCookies.userid })); // ok: javascript-forgeable-cookie
});

app.get("/shown", (req, res) => {
  res.json({ theme: req.cookies.theme, token: req.cookies.user_token }); // ok: javascript-forgeable-cookie
});

app.get("/checked", (req, res) => {
  const user = jwt.verify(req.cookies.user, KEY); // ok: javascript-forgeable-cookie
  res.json(user);
});

async function buy(request) {
  const jar = await cookies();
  const cookieStore = jar;
  return store(cookieStore.get("user_id")); // expect: javascript-forgeable-cookie
}

app.listen(3000);
