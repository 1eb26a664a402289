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

function served(prefix, folder, address) {
  if (!address.startsWith(prefix)) {
    return undefined;
  }
  return path.join(folder, address.slice(prefix.length)); // expect: javascript-loose-prefix
}

function servedLater(prefix, folder, address) {
  if (address.pathname.startsWith(prefix)) {
    const rest = address.pathname.slice(prefix.length);
    return path.join(folder, decodeURIComponent(rest)); // expect: javascript-loose-prefix
  }
  return undefined;
}

function servedWithin(prefix, folder, address) {
  const rest = address.startsWith(prefix) ? address.slice(prefix.length) : "";
  if (rest.includes("..")) {
    return undefined;
  }
  return path.join(folder, rest); // ok: javascript-loose-prefix
}

function named(prefix, folder, name) {
  const label = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return { label, file: path.join(folder, "index.js") }; // ok: javascript-loose-prefix
}

function closedBelow(folder, file) {
  const base = folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`;
  return path.resolve(file).startsWith(base); // ok: javascript-loose-prefix
}
