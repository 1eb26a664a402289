const express = require("express");

const app = express();

app.get("/things/:id", (request, response) => {
  response.status(404).send(`no ${request.params.id}`); // expect: javascript-xss
});

app.put("/things/:id", (request, response) => {
  response.status(404).send(`no ${request.params.id}`); // ok: javascript-xss
});

app.delete("/things/:id", (request, response) => {
  response.status(404).send(`no ${request.params.id}`); // ok: javascript-xss
});
