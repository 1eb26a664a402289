import re

VALUE = re.compile(r"[\x20-\x7e]*")


def early(stream, headers):
    head = b"HTTP/1.1 103 Early Hints\r\n"
    for name, value in headers:
        head += f"{name}: {value}\r\n".encode("latin-1")  # expect: header-text
    stream.send(head)


def early_checked(stream, headers):
    for name, value in headers:
        if not VALUE.fullmatch(value):
            raise ValueError(name)
        stream.send(f"{name}: {value}\r\n".encode("latin-1"))  # ok: header-text


def early_refused(stream, headers):
    for name, value in headers:
        if "\n" in value or "\r" in value:
            raise ValueError(name)
        stream.send("%s: %s\r\n" % (name, value))  # ok: header-text


def invite(stream, recipient):
    stream.write("To: " + recipient + "\r\n")  # expect: header-text


def sized(stream, length):
    stream.write("Content-Length: %s\r\n" % length)  # ok: header-text


class Message:
    def set_subject(self, subject):
        self.lines.append("Subject: %s\r\n" % subject)  # expect: header-text

    def set_kind(self):
        self.lines.append("Content-Type: %s\r\n" % self._kind())  # ok: header-text


def told(log, name):
    log.write("name: " + name + "\n")  # ok: header-text


def write_header(header):
    return header[0] + b": " + header[1] + b"\r\n"  # expect: header-text


def write_checked_header(header):
    check_header(header)
    return header[0] + b": " + header[1] + b"\r\n"  # ok: header-text
