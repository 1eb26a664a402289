function reload() {
  window.location.assign(window.location.origin + window.location.pathname + window.location.search); // ok: javascript-open-redirect
  window.location = location.search; // ok: javascript-open-redirect
  location.href = `${location.pathname}${decodeURIComponent(location.hash)}`; // ok: javascript-open-redirect
  location.replace(PAGE + window.location.search); // ok: javascript-open-redirect
}

function follow() {
  location.href = location.hash.slice(1); // expect: javascript-open-redirect
  location.href = location.search.split("next=")[1]; // expect: javascript-open-redirect
  window.location = new URL(location.search, PAGE).searchParams.get("next"); // expect: javascript-open-redirect
  location.assign(location.hash.replace("#", "")); // expect: javascript-open-redirect
  location.href = location.origin + location.hash.substring(1); // expect: javascript-open-redirect
  location.href = /next=(.*)/.exec(location.search)[1]; // expect: javascript-open-redirect
}
