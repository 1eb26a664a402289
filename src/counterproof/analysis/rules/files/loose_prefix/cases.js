const path = require("path");

function inside(root, name) {
  const full = path.resolve(root, name);
  return full.startsWith(root); // expect: javascript-loose-prefix
}

function cut(server, request) {
  if (request.fullPath.slice(0, server.dir.length) !== server.dir) { // expect: javascript-loose-prefix
    return false;
  }
  return true;
}

function closed(root, name) {
  const full = path.resolve(root, name);
  return full.startsWith(root + path.sep); // ok: javascript-loose-prefix
}

function closedBefore(folder, name) {
  const base = path.resolve(folder) + "/";
  return path.resolve(base, name).startsWith(base); // ok: javascript-loose-prefix
}

function text(name) {
  return name.startsWith("base"); // ok: javascript-loose-prefix
}

function relative(root, name) {
  return !path.relative(root, path.resolve(root, name)).startsWith(".."); // ok: javascript-loose-prefix
}
