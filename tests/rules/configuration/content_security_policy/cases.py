POLICY = "default-src 'self'; script-src 'self' 'nonce-abc'"


class Page:
    def answer(self, nonce):
        self.send_header("Content-Security-Policy", "default-src * 'unsafe-inline'")  # expect: content-security-policy
        self.send_header("Content-Security-Policy", "default-src 'self'")  # ok: content-security-policy
        self.send_header("Content-Security-Policy", POLICY)  # ok: content-security-policy
        self.send_header("X-XSS-Protection", "0")  # ok: content-security-policy


def headers(response, policy):
    response.headers["Content-Security-Policy"] = "script-src 'self' 'unsafe-inline'"  # expect: content-security-policy
    response.headers["Content-Security-Policy"] = policy  # ok: content-security-policy
    return {"Content-Security-Policy": "default-src *"}  # expect: content-security-policy
