const express = require("express");

const router = express.Router();

function requireUser(req, res, next) {
  if (!req.session.userId) return res.status(401).end();
  next();
}

router.delete("/notes/:id", requireUser, (req, res) => res.json(remove(req.session.userId, req.params.id))); // ok: unguarded-destruction
router.delete("/comments/:id", (req, res) => res.json(removeComment(req.params.id))); // expect: unguarded-destruction

module.exports = router;
