// Elements from names and texts. Text only ever becomes a text node: nothing here parses HTML.

const $ = (id) => document.getElementById(id);
const island = JSON.parse($("island").textContent);
const text = (index) => island.text[index];

function append(node, children) {
  for (const child of children) {
    if (child !== null && child !== "") node.append(child);
  }
  return node;
}

/** An element with a class and children; a string child is text. */
function element(name, style, ...children) {
  const node = document.createElement(name);
  if (style) node.className = style;
  return append(node, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes that our own code chose. */
function drawn(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return append(node, children);
}
