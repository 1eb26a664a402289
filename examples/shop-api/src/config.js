"use strict";

const path = require("path");

/** Settings of the API: from the environment where they differ between machines. */
module.exports = {
  port: Number(process.env.PORT || 3000),
  database: process.env.DATABASE_URL || "mysql://shop@localhost/shop",
  documents: process.env.MONGO_URL || "mongodb://localhost/shop",
  invoices: path.resolve(process.env.INVOICE_DIR || "invoices"),
  pictures: path.resolve("pictures"),
  paymentKey: process.env.PAYMENT_KEY,
  partners: ["stock.partner.example", "prices.partner.example"],
};
