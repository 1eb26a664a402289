function literal(text) {
  return `"${text.replace(/"/g, '\\"')}"`; // expect: half-escaped
}

function command(folder) {
  return `cd "${folder.split('"').join('\\"')}"`; // expect: half-escaped
}

function attribute(text) {
  return text.replace("<", "&lt;"); // expect: half-escaped
}

function every(text) {
  return text.replace(/</g, "&lt;").replaceAll('"', "&quot;"); // ok: half-escaped
}

function both(text) {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"`; // ok: half-escaped
}

function together(text) {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`; // ok: half-escaped
}

function own(text) {
  return JSON.stringify(text); // ok: half-escaped
}

function shortened(text) {
  return text.replace("-", " "); // ok: half-escaped
}
