function clean(html) {
  return html.replace(/<script[^>]*>.*?<\/script>/gi, ""); // expect: tags-removed
}

function handlers(html) {
  return html.replace(/\son\w+="[^"]*"/g, ""); // expect: tags-removed
}

function link(address) {
  return address.replace("javascript:", ""); // expect: tags-removed
}

function excerpt(html) {
  return html.replace(/<script.*?>/g, "").slice(0, 80); // ok: tags-removed
}

function parsed(html) {
  return DOMPurify.sanitize(html.replace(/<script.*?>/g, "")); // ok: tags-removed
}

function renamed(text) {
  return text.replace(/javascript:/g, "typescript:"); // ok: tags-removed
}

function inScript(text) {
  return text.replace(/<\/script/g, "<\\/script"); // expect: tags-removed
}

function inScriptOfAnyCase(text) {
  return text.replace(/<\/script/gi, "<\\/script"); // ok: tags-removed
}
