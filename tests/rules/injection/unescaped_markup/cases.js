function row(item) {
  return `<td>${item.title}</td>`; // expect: javascript-unescaped-markup
}

function image(src, caption) {
  let out = '<img alt="' + caption + '">'; // expect: javascript-unescaped-markup
  return out;
}

function list(names) {
  const parts = [];
  parts.push("<ul>");
  for (const name of names) parts.push("<li>" + escapeHtml(name) + "</li>"); // ok: javascript-unescaped-markup
  return parts.join("");
}

class Dialog {
  constructor(options) {
    this.message = options.message;
  }

  render() {
    this.element.insertAdjacentHTML("beforeend", `<p>${this.message}</p>`); // expect: javascript-unescaped-markup
  }
}

function number(count) {
  return `<b>${count}</b>`; // ok: javascript-unescaped-markup
}

function plain(name) {
  return `hello ${name}, 1 < 2`; // ok: javascript-unescaped-markup
}

function wrapped(html) {
  return `<div>${html}</div>`; // ok: javascript-unescaped-markup
}

function status(text) {
  $("#status").html(text.split("\n").join("<br/>")); // expect: javascript-unescaped-markup
  $("#status").text(text); // ok: javascript-unescaped-markup
}

function show(element, reply) {
  element.innerHTML = reply.message; // expect: javascript-unescaped-markup
  element.innerHTML = sanitize(reply.message); // ok: javascript-unescaped-markup
  element.innerHTML = ""; // ok: javascript-unescaped-markup
}

function linked(item) {
  return `<a href="${item.url}">more</a>`; // expect: javascript-unescaped-markup
}

function nested(rows) {
  return rows.map((row) => `<td>${row.text.trim()}</td>`); // expect: javascript-unescaped-markup
}

function known(rows) {
  return rows.map((row) => `<td>${escapeHtml(row.text)}</td>`); // ok: javascript-unescaped-markup
}

class Tooltip {
  show() {
    const { title } = this.options;
    this.box.innerHTML = ("" + (title || " ")).replace(/\n/g, " "); // expect: javascript-unescaped-markup
  }

  add() {
    const { hint } = this.options;
    this.box.innerHTML += hint; // expect: javascript-unescaped-markup
    this.box.innerHTML += "<br>"; // ok: javascript-unescaped-markup
  }

  repeat() {
    this.box.innerHTML = this.element.getAttribute("data-title"); // expect: javascript-unescaped-markup
    this.box.textContent = this.element.getAttribute("data-title"); // ok: javascript-unescaped-markup
    this.box.innerHTML = clean(this.element.dataset.title); // ok: javascript-unescaped-markup
    this.box.innerHTML = this.i18n.hello; // ok: javascript-unescaped-markup
  }

  fill(content) {
    document.write(content); // expect: javascript-unescaped-markup
    stream.write(content); // ok: javascript-unescaped-markup
  }

  place(content, html) {
    this.box.append(document.createRange().createContextualFragment(content)); // expect: javascript-unescaped-markup
    this.box.innerHTML = html; // ok: javascript-unescaped-markup
    this.box.innerHTML = this.other.innerHTML; // ok: javascript-unescaped-markup
  }

  make(content) {
    return h("div", { innerHTML: content }); // expect: javascript-unescaped-markup
  }

  paste(event) {
    const pasted = event.clipboardData.getData("text/html");
    this.box.innerHTML = pasted; // expect: javascript-unescaped-markup
    this.box.innerHTML = this.model.getData("text"); // ok: javascript-unescaped-markup
  }

  restore() {
    this.box.innerHTML = localStorage.getItem("note"); // expect: javascript-unescaped-markup
  }
}

function announce(error) {
  $("<p/>").append("" + error.code + " " + error.reason); // expect: javascript-unescaped-markup
  $("<p/>").append(error.element); // ok: javascript-unescaped-markup
  list.append("failed: " + error.reason); // ok: javascript-unescaped-markup
}

function copy() {
  $("#name").html($("#field").val()); // expect: javascript-unescaped-markup
  $("#name").html($("#template").html()); // ok: javascript-unescaped-markup
}

export function bootstrap(key) {
  assertValidKey(key);
  return `<script>window.${key} = []</script>`; // ok: javascript-unescaped-markup
}

export function bootstrapLogged(key) {
  logKey(key);
  return `<script>window.${key} = []</script>`; // expect: javascript-unescaped-markup
}

export function transported(data) {
  return `(window[Symbol.for("data")] ??= []).push(${SuperJSON.stringify(data)})`; // expect: javascript-unescaped-markup
}

export function transportedEscaped(data) {
  return `(window[Symbol.for("data")] ??= []).push(${htmlEscape(SuperJSON.stringify(data))})`; // ok: javascript-unescaped-markup
}

export function Bold({ options }) {
  let shown = options.text ?? "";
  shown = shown.replace(/\*\*(.*?)\*\*/g, "<b>$1</b>");
  return h("p", { dangerouslySetInnerHTML: { __html: shown } }); // expect: javascript-unescaped-markup
}

export function Rendered({ options }) {
  const shown = render(options.text);
  return h("p", { dangerouslySetInnerHTML: { __html: shown } }); // ok: javascript-unescaped-markup
}

export function Formatted({ value }) {
  let text = value.params.text ?? "";
  text = text.replace(/\*\*(.*?)\*\*/g, "<b>$1</b>");
  text = text.replace(/__(.*?)__/g, "<i>$1</i>");
  text = text.replace(/~~(.*?)~~/g, "<u>$1</u>");
  text = text.replace(/ {2}\n/g, "<br>");
  return { __html: text }; // expect: javascript-unescaped-markup
}

export function FormattedSafely({ value }) {
  let text = escapeHtml(value.params.text);
  text = text.replace(/\*\*(.*?)\*\*/g, "<b>$1</b>");
  return { __html: text }; // ok: javascript-unescaped-markup
}

export function twice(list, error) {
  list.innerHTML = `<li>${error.reason}</li>`; // expect: javascript-unescaped-markup
  list.innerHTML += `<li>${error.detail}</li>`; // the finding of this function speaks for both
}

class Shelf {
  constructor() {
    this.base = "/books";
  }

  show(files) {
    this.list.innerHTML = files.map((file) => { // ok: javascript-unescaped-markup
      const name = this.escapeHtml(file);
      const href = `${this.base}?name=${encodeURIComponent(file)}`;
      return `<li>${name} <a href="${href}">get</a></li>`; // ok: javascript-unescaped-markup
    }).join("");
  }

  showRaw(files) {
    this.list.innerHTML = files.map((file) => {
      return `<li>${file.title}</li>`; // expect: javascript-unescaped-markup
    }).join("");
  }

  async load() {
    try {
      await fetch(this.base);
    } catch (error) {
      this.list.innerHTML = `<p>failed: ${error.message}</p>`; // ok: javascript-unescaped-markup
    }
  }

  point(title) {
    this.title = title;
    this.list.innerHTML = `<p>${this.title}</p>`; // expect: javascript-unescaped-markup
  }
}
