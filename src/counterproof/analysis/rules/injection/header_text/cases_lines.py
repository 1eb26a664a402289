import re


class Response:
    def set_cookie(self, cookie, value):
        text = f"{cookie}={value}"  # expect: header-text
        self.headers["Set-Cookie"] = text

    def set_checked(self, cookie, value):
        if "\n" in value:
            raise ValueError(value)
        self.headers["Set-Cookie"] = f"{cookie}={value}"  # ok: header-text


class Mailer:
    def recipient(self, address):
        self.socket.send(f"RCPT TO:<{address}>\r\n".encode())  # expect: header-text

    def sender(self, address):
        if re.search(r"[\r\n]", address):
            raise ValueError(address)
        self.socket.send(f"MAIL FROM:<{address}>\r\n".encode())  # ok: header-text

    def greet(self):
        self.socket.send(b"NOOP\r\n")  # ok: header-text


def setting(key, text):
    return f"{key}={text}"  # ok: header-text


class Cookies:
    def __init__(self):
        self.headers = {}

    def keep(self, cookie, value, path=None):
        line = "{cookie}={value}".format(cookie=cookie, value=value)  # expect: header-text
        if path:
            line += "; Path=" + path
        self.headers["Set-Cookie"] = [line]

    def keep_checked(self, cookie, value):
        if "\n" in value or "\r" in value:
            raise ValueError(value)
        line = "{cookie}={value}".format(cookie=cookie, value=value)  # ok: header-text
        self.headers["Set-Cookie"] = [line]
