import set from "lodash/set";
import _ from "lodash";

export function assign(result, head, value) {
  set(result, head, value); // expect: javascript-unsafe-merge
  _.set(result, "fixed.path", value); // ok: javascript-unsafe-merge
}

const { set: put } = require("lodash");
const paths = require("object-path");

export function place(result, head, value) {
  put(result, head, value); // expect: javascript-unsafe-merge
  paths.set(result, head, value); // expect: javascript-unsafe-merge
  paths.set(result, "fixed.path", value); // ok: javascript-unsafe-merge
}

function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === "object") {
      merge(target[key], source[key]);
    } else {
      target[key] = source[key]; // expect: javascript-unsafe-merge
    }
  }
  return target;
}

function setPath(object, path, value) {
  const keys = path.split(".");
  for (let i = 0; i < keys.length - 1; i++) {
    object = object[keys[i]];
  }
  object[keys[keys.length - 1]] = value; // expect: javascript-unsafe-merge
}

function carefulMerge(target, source) {
  for (const key of Object.keys(source)) {
    if (key === "__proto__" || key === "constructor") continue;
    if (typeof source[key] === "object") {
      carefulMerge(target[key], source[key]);
    } else {
      target[key] = source[key]; // ok: javascript-unsafe-merge
    }
  }
}

function copy(target, source) {
  for (const key in source) {
    target[key] = source[key]; // ok: javascript-unsafe-merge
  }
}

function count(words) {
  const found = {};
  for (const word of words) {
    found[word] = (found[word] || 0) + 1; // ok: javascript-unsafe-merge
  }
  return found;
}

function leavesTheOnlyNameOut(target, source) {
  for (const key of Object.keys(source)) {
    if (key === "__proto__") continue;
    if (typeof target[key] === "object") {
      leavesTheOnlyNameOut(target[key], source[key]);
    } else {
      target[key] = source[key]; // ok: javascript-unsafe-merge
    }
  }
}

function update(target, source) {
  Object.keys(source).forEach((key) => {
    if (target.hasOwnProperty(key)) {
      if (typeof target[key] === "object") update(target[key], source[key]);
      else target[key] = source[key]; // ok: javascript-unsafe-merge
    }
  });
}

function setKeys(object, keys, value) {
  let place = object;
  keys.slice(0, -1).forEach(function (key) {
    if (place[key] === undefined) place[key] = {};
    place = place[key];
  });
  place[keys[keys.length - 1]] = value; // expect: javascript-unsafe-merge
}

function setFirst(object, path, value) {
  const name = path[0];
  if (path.length === 1) {
    object[name] = value; // expect: javascript-unsafe-merge
    return;
  }
  setFirst(object[name], path.slice(1), value);
}

function setReduced(object, path, value) {
  path.slice(0, -1).reduce((each, key) => each[key], object)[path.pop()] = value; // expect: javascript-unsafe-merge
}

function chained(object, keys, value) {
  let place = object;
  for (let i = 0; i < keys.length; i++) {
    place = place[keys[i]] = i === keys.length - 1 ? value : place[keys[i]] || {}; // expect: javascript-unsafe-merge
  }
}

const NAMES = ["__proto__", "constructor", "prototype"];

function asks(object, path, value) {
  for (const key of path) {
    if (NAMES.includes(key)) return;
    object = object[key];
  }
  object[path[0]] = value; // ok: javascript-unsafe-merge
}

function squeeze(array, depth) {
  for (let i = 0; i < array.length; i++) {
    array[i] = squeeze(array[i], depth - 1); // ok: javascript-unsafe-merge
  }
  return array;
}

function compile(name, schema) {
  const properties = schema.properties;
  for (const key in properties) {
    compile(name + key, properties[key]);
    properties[key] = name; // ok: javascript-unsafe-merge
  }
}

function freeze(object) {
  const names = Object.getOwnPropertyNames(object);
  for (const name of names) {
    const value = object[name];
    object[name] = value && typeof value === "object" ? freeze(value) : value; // ok: javascript-unsafe-merge
  }
  return Object.freeze(object);
}

function joined() {
  const result = {};
  const put = (value, key) => {
    result[key] = joined(result[key], value); // ok: javascript-unsafe-merge
  };
  for (const each of arguments) each.forEach(put);
  return result;
}

export function setByPath(object, path, value) {
  const keys = path.split(".");
  const last = keys.pop();
  const parent = keys.reduce((found, key) => found?.[key], object);
  parent[last] = value; // expect: javascript-unsafe-merge
}

export function countByName(rows, name) {
  const counts = rows.reduce((found, row) => ({ ...found, [row.name]: 1 }), {});
  counts[name] = 0; // ok: javascript-unsafe-merge
  return counts;
}

const hasOwnProperty = Object.prototype.hasOwnProperty;

export function setOwn(object, path, value) {
  const keys = path.split(".");
  const last = keys.pop();
  const parent = keys.reduce((found, key) => (hasOwnProperty.call(found, key) ? found[key] : undefined), object);
  parent[last] = value; // ok: javascript-unsafe-merge
}

function setDottedCarefully(object, key, value) {
  const parts = key.split(".");
  let found = object;
  for (const part of parts.slice(0, -1)) {
    if (part === "__proto__" || part === "constructor") return;
    found = found[part];
  }
  const last = parts[parts.length - 1];
  if (last !== "__proto__" && last !== "constructor") {
    found[last] = value; // ok: javascript-unsafe-merge
  }
}

function putAtText(object, path, value) {
  const parts = path.split(".");
  let found = object;
  for (let i = 0; i < parts.length - 1; i++) {
    const part = parts[i];
    if (part === "__proto__" || part === "constructor") return;
    found = found[part];
  }
  found[parts[parts.length - 1]] = value; // ok: javascript-unsafe-merge
}
