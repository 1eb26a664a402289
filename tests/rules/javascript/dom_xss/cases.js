const box = document.getElementById("box");
const asked = new URLSearchParams(window.location.search);

box.innerHTML = "<b>" + decodeURIComponent(location.hash.slice(1)) + "</b>"; // expect: javascript-dom-xss

function greet() {
  box.insertAdjacentHTML("beforeend", `<p>${asked.get("name")}</p>`); // expect: javascript-dom-xss
  document.write("<p>" + asked.get("name") + "</p>"); // expect: javascript-dom-xss
  $("#greeting").html(document.referrer); // expect: javascript-dom-xss
}

greet();

window.addEventListener("hashchange", () => {
  const wanted = document.URL.split("#")[1];
  if (wanted) box.outerHTML = wanted; // expect: javascript-dom-xss
});

box.textContent = location.hash; // ok: javascript-dom-xss
box.innerHTML = DOMPurify.sanitize(location.hash); // ok: javascript-dom-xss
box.innerHTML = "<i>" + parseInt(asked.get("page"), 10) + "</i>"; // ok: javascript-dom-xss
box.innerHTML = "<i>" + encodeURIComponent(asked.get("page")) + "</i>"; // ok: javascript-dom-xss
$("#fixed").html("<b>fixed</b>"); // ok: javascript-dom-xss

function parameter(wanted) {
  for (const part of location.search.slice(1).split("&")) {
    const [name, value] = part.split("=");
    if (name === wanted) return decodeURIComponent(value);
  }
}

box.innerHTML = "<b>" + parameter("name") + "</b>"; // expect: javascript-dom-xss
