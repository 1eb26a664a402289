const path = require("path");

function entry(name) {
  return name.replace(/^([/\\]*[.]+[/\\]+)*[/\\]*/, ""); // expect: dots-removed
}

function member(entry) {
  const folder = /[/\\]$/.test(entry.path);
  entry.path = entry.path.replace(/^([/\\]*[.]+[/\\]+)*[/\\]*/, ""); // expect: dots-removed
  return folder;
}

function cleaned(name) {
  return path.normalize(name).replace(/^(\.\.(\/|\\|$))+/, ""); // ok: dots-removed
}

function simple(name) {
  return name.replace(/\.\.\//g, ""); // expect: dots-removed
}

function refused(name) {
  if (name.includes("..")) {
    throw new Error(name);
  }
  return name.replace(/\.\.\//g, ""); // ok: dots-removed
}
