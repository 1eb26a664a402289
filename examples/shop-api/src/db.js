"use strict";

const mysql = require("mysql2/promise");
const mongoose = require("mongoose");
const config = require("./config");

const pool = mysql.createPool(config.database);

const Review = mongoose.model(
  "Review",
  new mongoose.Schema({ product: Number, author: String, text: String, stars: Number }),
);

async function rows(text, values) {
  const [found] = await pool.query(text, values);
  return found;
}

async function one(text, values) {
  const found = await rows(text, values);
  return found[0];
}

module.exports = { pool, rows, one, Review };
