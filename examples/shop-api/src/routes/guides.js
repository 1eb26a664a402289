"use strict";

const path = require("path");
const express = require("express");

const router = express.Router();

router.get("/:name", (req, res) => {
  res.sendFile(path.basename(req.params.name), { root: "manuals" });
});

module.exports = router;
