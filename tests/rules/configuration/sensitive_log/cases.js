const winston = require("winston");

const logger = winston.createLogger();

function login(name, password) {
  console.log("login of " + name + " with " + password); // expect: javascript-sensitive-log
  logger.info(`signed in ${name}`); // ok: javascript-sensitive-log
}

function pay(card) {
  logger.debug("paying", card.creditCard); // expect: javascript-sensitive-log
  console.log(card.id); // ok: javascript-sensitive-log
}

function issue(user) {
  console.info("issued", user.accessToken); // expect: javascript-sensitive-log
  console.log("password length", user.passwordLength); // ok: javascript-sensitive-log
}
