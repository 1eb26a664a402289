"use strict";

const axios = require("axios");

/** Tells a customer's own system that an order was sent. */
async function notify(address, order) {
  const answer = await axios.post(address, { id: order.id, state: order.state });
  return answer.status;
}

module.exports = { notify };
