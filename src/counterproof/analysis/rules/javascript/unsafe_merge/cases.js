function merge(target, source) { // expect: javascript-unsafe-merge
  for (const key in source) {
    if (typeof source[key] === "object") {
      merge(target[key], source[key]);
    } else {
      target[key] = source[key];
    }
  }
  return target;
}

function setPath(object, path, value) { // expect: javascript-unsafe-merge
  const keys = path.split(".");
  for (let i = 0; i < keys.length - 1; i++) {
    object = object[keys[i]];
  }
  object[keys[keys.length - 1]] = value;
}

function carefulMerge(target, source) { // ok: javascript-unsafe-merge
  for (const key of Object.keys(source)) {
    if (key === "__proto__" || key === "constructor") continue;
    if (typeof source[key] === "object") {
      carefulMerge(target[key], source[key]);
    } else {
      target[key] = source[key];
    }
  }
}

function copy(target, source) { // ok: javascript-unsafe-merge
  for (const key in source) {
    target[key] = source[key];
  }
}

function count(words) { // ok: javascript-unsafe-merge
  const found = {};
  for (const word of words) {
    found[word] = (found[word] || 0) + 1;
  }
  return found;
}
