function isPrivateHost(host) {
  return host === "localhost" || host === "127.0.0.1" || host.startsWith("192.168."); // expect: spelled-hosts
}

function isSafeUrl(url) {
  const { hostname } = new URL(url);
  return !/^(localhost|127\.|10\.|192\.168\.)/.test(hostname); // expect: spelled-hosts
}

function isLocalhost(host) {
  return host === "localhost" || host === "127.0.0.1"; // ok: spelled-hosts
}
