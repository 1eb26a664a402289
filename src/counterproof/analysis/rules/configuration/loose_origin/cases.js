const allowedOrigins = ["https://example.com", "https://shop.example.com"];

function contains(origin) {
  return origin.includes("example.com"); // expect: loose-origin
}

function begins(request) {
  return request.headers.origin.startsWith("https://example.com"); // expect: loose-origin
}

function ends(origin, domain) {
  return origin.endsWith(domain); // expect: loose-origin
}

function open(origin) {
  return /^https:\/\/.*\.example\.com/.test(origin); // expect: loose-origin
}

function listed(origin) {
  return allowedOrigins.includes(origin); // ok: loose-origin
}

function dotted(origin) {
  return origin.endsWith(".example.com"); // ok: loose-origin
}

function subdomain(origin, domain) {
  return origin.endsWith(`.${domain}`); // ok: loose-origin
}

function whole(origin) {
  return origin === "https://example.com"; // ok: loose-origin
}

function extension(origin) {
  return origin.startsWith("chrome-extension://"); // ok: loose-origin
}

function closed(origin) {
  return /^https:\/\/([a-z]+\.)?example\.com$/.test(origin); // ok: loose-origin
}
