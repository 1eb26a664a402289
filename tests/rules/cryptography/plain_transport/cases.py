import ftplib
import imaplib
import smtplib
import telnetlib


def fetched(host, user, password, name):
    server = ftplib.FTP(host)  # expect: plain-transport
    server.login(user, password)
    return server.size(name)


def at_once(host, user, password):
    return ftplib.FTP(host, user, password)  # expect: plain-transport


def public(host, name):
    server = ftplib.FTP(host)  # ok: plain-transport
    return server.size(name)


def encrypted(host, user, password):
    server = ftplib.FTP_TLS(host)  # ok: plain-transport
    server.login(user, password)


def mailed(host, user, password, text):
    with smtplib.SMTP(host, 587) as server:  # ok: plain-transport
        server.starttls()
        server.login(user, password)
        server.sendmail(user, [user], text)


def mailed_in_the_open(host, user, password, text):
    with smtplib.SMTP(host, 25) as server:  # expect: plain-transport
        server.login(user, password)
        server.sendmail(user, [user], text)


def to_this_machine(user, password):
    server = smtplib.SMTP("localhost")  # ok: plain-transport
    server.login(user, password)


class Box:
    def __init__(self, host):
        self.server = imaplib.IMAP4(host)  # ok: plain-transport
        self.server.starttls()

    def enter(self, user, password):
        self.server.login(user, password)


def terminal(host):
    return telnetlib.Telnet(host)  # expect: plain-transport
