const express = require("express");
const serveIndex = require("serve-index");

const app = express();

app.use("/ftp", serveIndex("ftp", { icons: true })); // expect: javascript-open-folder
app.use(express.static("public")); // ok: javascript-open-folder
app.use("/assets", express.static("assets", { maxAge: "1d" })); // ok: javascript-open-folder
