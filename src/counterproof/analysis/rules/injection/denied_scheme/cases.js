function attribute(element, name, value) {
  if (name === "href" && value.startsWith("javascript:")) return; // expect: denied-scheme
  element.setAttribute(name, value);
}

function link(address) {
  if (/^(javascript|data|vbscript):/i.test(address)) throw new Error("no"); // expect: denied-scheme
  return `<a href="${encodeURI(address)}">there</a>`;
}

function lowered(address) {
  return address.toLowerCase().indexOf("javascript:") === 0 ? "#" : address; // expect: denied-scheme
}

function parsed(address) {
  const { protocol } = new URL(address, "https://example.com");
  return protocol === "javascript:" ? "#" : address; // ok: denied-scheme
}

function cleaned(address) {
  const plain = address.replace(/[\u0000-\u0020]+/g, "");
  return plain.startsWith("javascript:") ? "#" : plain; // ok: denied-scheme
}

function language(name) {
  return name === "javascript" ? "js" : name; // ok: denied-scheme
}

function kind(type) {
  return type.startsWith("text/javascript"); // ok: denied-scheme
}
