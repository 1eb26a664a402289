const jwt = require("jsonwebtoken");
const KEY = process.env.KEY;

function tokens(user, more) {
  const claims = { sub: user.id };
  return [
    jwt.sign({ userId: user.id, role: user.role }, KEY), // expect: javascript-token-expiry
    jwt.sign({ userId: user.id }, KEY, { algorithm: "HS256" }), // expect: javascript-token-expiry
    jwt.sign(claims, KEY), // expect: javascript-token-expiry
    jwt.sign({ userId: user.id }, KEY, { expiresIn: "1h" }), // ok: javascript-token-expiry
    jwt.sign({ userId: user.id, exp: Date.now() / 1000 + 60 }, KEY), // ok: javascript-token-expiry
    jwt.sign({ file: "report.pdf" }, KEY), // ok: javascript-token-expiry
    jwt.sign({ ...more, userId: user.id }, KEY), // ok: javascript-token-expiry
    jwt.sign({ userId: user.id }, KEY, more), // ok: javascript-token-expiry
  ];
}

module.exports = tokens;
