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


class Protocol:
    def execute(self, *words):
        command = b" ".join(words) + b"\r\n"  # expect: header-text
        self.transport.write(command)

    def execute_checked(self, *words):
        if any(b"\n" in each or b"\r" in each for each in words):
            raise ValueError(words)
        self.transport.write(b" ".join(words) + b"\r\n")  # ok: header-text

    def execute_whole(self, command):
        self.transport.write(command + b"\r\n")  # ok: header-text


def encode_event(name):
    return f"event: {name}\n"  # expect: header-text


def encode_lines(text):
    return "".join(f"data: {line}\n" for line in text.splitlines())  # ok: header-text


class ServerSentEvent:
    def head(self, name):
        return f"event: {name}\n"  # expect: header-text

    def number(self, count):
        return f"id: {count}\n"  # ok: header-text


def described(name):
    return f"data: {name}\n"  # ok: header-text
