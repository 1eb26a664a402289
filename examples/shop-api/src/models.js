"use strict";

const { Sequelize, DataTypes } = require("sequelize");
const config = require("./config");

const database = new Sequelize(config.database);

const Order = database.define("order", {
  customerId: DataTypes.INTEGER,
  number: DataTypes.STRING,
  state: DataTypes.STRING,
  invoice: DataTypes.STRING,
  total: DataTypes.DECIMAL,
});

const Address = database.define("address", {
  customerId: DataTypes.INTEGER,
  street: DataTypes.STRING,
  city: DataTypes.STRING,
  postcode: DataTypes.STRING,
  current: DataTypes.BOOLEAN,
  verified: DataTypes.BOOLEAN,
});

module.exports = { database, Order, Address };
