import ssl

first = ssl.SSLContext(ssl.PROTOCOL_TLSv1)  # expect: tls-version
second = ssl.SSLContext(ssl.PROTOCOL_SSLv3)  # expect: tls-version
third = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # ok: tls-version
third.options &= ~ssl.OP_NO_SSLv3  # expect: tls-version
third.options |= ssl.OP_NO_TLSv1  # ok: tls-version
third.minimum_version = ssl.TLSVersion.TLSv1_1  # expect: tls-version
third.minimum_version = ssl.TLSVersion.TLSv1_2  # ok: tls-version
fourth = ssl.create_default_context()  # ok: tls-version
if third.minimum_version < ssl.TLSVersion.TLSv1_1:  # ok: tls-version
    raise ValueError
wanted = 0
wanted &= ~ssl.OP_NO_TLSv1  # ok: tls-version
LOWEST = ssl.TLSVersion.TLSv1  # expect: tls-version


def lowest(options):
    found = ssl.TLSVersion.TLSv1  # ok: tls-version
    return found if options else None

SAME = {"tls1": ssl.PROTOCOL_TLSv1, "tls1.2": ssl.PROTOCOL_TLSv1_2}  # ok: tls-version
SAME[ssl.PROTOCOL_SSLv3] = ssl.PROTOCOL_SSLv3  # ok: tls-version
old = first.protocol == ssl.PROTOCOL_TLSv1  # ok: tls-version
options = {"ssl_version": ssl.PROTOCOL_TLSv1}  # expect: tls-version
