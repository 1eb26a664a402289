"use strict";

const { exec, execFile } = require("child_process");
const fs = require("fs");
const path = require("path");
const express = require("express");
const multer = require("multer");
const unzipper = require("unzipper");
const config = require("../config");
const passwords = require("../services/passwords");
const { requireUser, requireStaff } = require("../guards");

const router = express.Router();
const IMAGES = ["image/png", "image/jpeg"];

const pictures = multer({
  dest: config.pictures,
  fileFilter: (req, file, done) => done(null, IMAGES.includes(file.mimetype)),
});

router.get("/invoices/:name", requireUser, (req, res) => {
  res.sendFile(path.join(config.invoices, req.query.file));
});

router.post("/thumbnails", requireStaff, (req, res) => {
  exec(`convert ${req.body.picture} -resize 200x200 thumbnail.png`, (err) => {
    res.json({ made: !err });
  });
});

router.post("/avatars", requireUser, pictures.single("avatar"), (req, res) => {
  res.json({ name: passwords.pictureName(req.file.filename) });
});

router.post("/archives", requireStaff, (req, res) => {
  req
    .pipe(unzipper.Parse())
    .on("entry", (entry) => {
      entry.pipe(fs.createWriteStream(path.join(config.pictures, entry.path)));
    })
    .on("close", () => res.end());
});

router.post("/previews", requireStaff, (req, res) => {
  execFile("convert", [String(req.body.picture), "-resize", "400x400", "preview.png"], (err) => {
    res.json({ made: !err });
  });
});

module.exports = router;
