function redirectTo(response, next) {
  response.redirect(next.startsWith("/") ? next : "/"); // expect: leading-slash
}

function safeRedirect(url) {
  if (/^https?:\/\//.test(url)) return "/"; // expect: leading-slash
  return url;
}

function returnTarget(url) {
  if (!url.startsWith("/") || url.startsWith("//")) return "/"; // ok: leading-slash
  return url;
}

function redirectInside(url) {
  return new URL(url, "https://example.com").origin === "https://example.com" && url.startsWith("/"); // ok: leading-slash
}

function readable(path) {
  return path.startsWith("/"); // ok: leading-slash
}
