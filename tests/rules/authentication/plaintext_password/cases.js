const bcrypt = require("bcrypt");

async function login(name, password) {
  const user = await find(name);
  if (user.password === password) { // expect: javascript-plaintext-password
    return user;
  }
}

const comparePasswords = (stored, typed) => stored === typed; // expect: javascript-plaintext-password

function byQuery(req) {
  return User.findOne({ where: { email: req.body.email, password: req.body.password } }); // expect: javascript-plaintext-password
}

function byHash(req) {
  return User.findOne({ where: { email: req.body.email, password: security.hash(req.body.password) } }); // ok: javascript-plaintext-password
}

async function strong(user, password) {
  return (await bcrypt.compare(password, user.password)) === true; // ok: javascript-plaintext-password
}

function form(body) {
  return body.password === body.confirmPassword; // ok: javascript-plaintext-password
}
