const swig = require("swig");
const nunjucks = require("nunjucks");
const handlebars = require("handlebars");

swig.setDefaults({ autoescape: false }); // expect: javascript-autoescape-off
nunjucks.configure("views", { autoescape: false }); // expect: javascript-autoescape-off
nunjucks.configure("views", { noCache: true }); // ok: javascript-autoescape-off
const letter = handlebars.compile("Dear {{name}}", { noEscape: true }); // expect: javascript-autoescape-off
const page = handlebars.compile("Dear {{name}}"); // ok: javascript-autoescape-off
