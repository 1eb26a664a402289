def issued(name, sign):
    new_jwt = sign(name)
    print("issued", new_jwt)  # expect: sensitive-log
    return new_jwt


def counted(names):
    print("issued", len(names))  # ok: sensitive-log
