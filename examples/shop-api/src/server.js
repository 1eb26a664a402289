"use strict";

const express = require("express");
const cors = require("cors");
const serveIndex = require("serve-index");
const config = require("./config");
const log = require("./services/log");

const app = express();

app.set("view engine", "ejs");
app.use(express.json({ limit: "200kb" }));
app.use(express.urlencoded({ extended: false }));

app.use(require("./session"));

app.use("/assets", express.static("assets", { maxAge: "1d" }));

const partnerSites = ["https://partner.example", "https://stock.partner.example"];

app.use("/partners", cors({ origin: partnerSites }));
app.use("/partners", require("./routes/partners"));

app.use("/accounts", require("./routes/accounts"));
app.use("/recovery", require("./routes/recovery"));
app.use("/orders", require("./routes/orders"));
app.use("/reviews", require("./routes/reviews"));
app.use("/guides", require("./routes/guides"));
app.use("/media", require("./routes/media"));
app.use("/support", require("./routes/support"));
app.use("/admin", require("./routes/admin"));

app.use("/manuals", serveIndex("manuals", { icons: true }));

app.use("/catalogue", cors());
app.use("/catalogue", require("./routes/catalogue"));

app.use((err, req, res, next) => {
  log.error("request failed", err);
  res.status(500).json({ error: "failed", trace: err.stack });
});

app.listen(config.port, () => log.info(`listening on ${config.port}`));
