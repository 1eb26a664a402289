const express = require("express");

const app = express();
const PAGES = { home: "/home", login: "/login" };

app.get("/next", (req, res) => {
  res.redirect(req.query.next); // expect: javascript-open-redirect
});

app.get("/status", (req, res) => {
  res.redirect(302, req.query.url); // expect: javascript-open-redirect
});

app.post("/login", (req, res) => {
  const { returnTo } = req.body;
  return res.redirect(returnTo || "/"); // expect: javascript-open-redirect
});

app.get("/location", (req, res) => {
  res.location(req.query.to).end(); // expect: javascript-open-redirect
});

app.get("/fixed", (req, res) => {
  res.redirect("/search?q=" + req.query.q); // ok: javascript-open-redirect
});

app.get("/page", (req, res) => {
  res.redirect(PAGES[req.query.page]); // ok: javascript-open-redirect
});

app.get("/allowed", (req, res) => {
  const next = req.query.next;
  if (next === "/home" || next === "/login") {
    return res.redirect(next); // ok: javascript-open-redirect
  }
  res.redirect("/"); // ok: javascript-open-redirect
});

function finish(page, res) {
  if (page) res.redirect(page); // expect: javascript-open-redirect
  else res.redirect("/home");
}

app.post("/finish", (req, res) => {
  load(() => finish(req.body.page, res));
});

const asked = new URLSearchParams(location.search);
window.location.href = asked.get("next"); // expect: javascript-open-redirect
location.assign(asked.get("next")); // expect: javascript-open-redirect
location.href = location.href.split("#")[0]; // ok: javascript-open-redirect
window.location.href = "/search?q=" + asked.get("q"); // ok: javascript-open-redirect

app.get("/named", (question, answer) => {
  answer.redirect(question.query.next); // expect: javascript-open-redirect
  answer.redirect("/home"); // ok: javascript-open-redirect
});

const filtered = new URLSearchParams(window.location.search);
window.location.search = filtered.toString(); // ok: javascript-open-redirect
window.location.hash = filtered.get("tab"); // ok: javascript-open-redirect

app.get("/secure", (req, res) => {
  res.redirect(`https://${req.headers.host}${req.originalUrl}`); // ok: javascript-open-redirect
});

app.post("/back", (req, res) => {
  res.redirect(req.headers.origin); // ok: javascript-open-redirect
});

app.get("/elsewhere", (req, res) => {
  res.redirect(`https://${req.headers.host}${req.query.next}`); // expect: javascript-open-redirect
});

app.get("/forwarded", (req, res) => {
  res.redirect(req.headers["x-next"]); // expect: javascript-open-redirect
});

app.get("/origin", (req, res) => {
  const target = new URL(req.query.next, "https://example.com");
  if (target.origin !== "https://example.com") return res.redirect("/");
  res.redirect(target.href); // ok: javascript-open-redirect
});

app.get("/protocol", (req, res) => {
  const target = new URL(req.query.next, "https://example.com");
  if (target.protocol !== "https:") return res.redirect("/");
  res.redirect(target.href); // expect: javascript-open-redirect
});
