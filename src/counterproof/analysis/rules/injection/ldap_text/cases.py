import ldap
from ldap.filter import escape_filter_chars


class Directory:
    def __init__(self, address, base):
        self.client = ldap.initialize(address)
        self.base = base

    def person(self, principal):
        wanted = "userPrincipalName=%s" % principal
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, wanted, ["mail"])  # expect: ldap-text

    def groups(self, person):
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, f"(&(objectClass=group)(member={person.dn}))")  # expect: ldap-text

    def escaped(self, principal):
        wanted = "userPrincipalName=%s" % escape_filter_chars(principal)
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, wanted)  # ok: ldap-text

    def everyone(self):
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, "(objectClass=person)")  # ok: ldap-text

    def under(self, unit):
        return self.client.search_s(f"ou={unit},{self.base}", ldap.SCOPE_SUBTREE, "(objectClass=person)")  # expect: ldap-text

    def members(self, group):
        wanted = "(&{0}({1}={2}))".format(self.group_filter, self.attribute, escape_filter_chars(group.dn))
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, filterstr=wanted)  # ok: ldap-text

    def by_either(self, form):
        wanted = "(|({first}={given})({second}={given}))".format(first=self.first, second=self.second, given=form.username)
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, wanted)  # expect: ldap-text

    def by_setting(self, username):
        wanted = f"(&(objectClass=person)(uid={username}))"
        if self.pattern:
            wanted = self.pattern.replace("USERNAME", username)
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, wanted)  # expect: ldap-text

    def by_escaped_setting(self, username):
        wanted = f"(&(objectClass=person)(uid={escape_filter_chars(username)}))"
        if self.pattern:
            wanted = self.pattern
        return self.client.search_s(self.base, ldap.SCOPE_SUBTREE, wanted)  # ok: ldap-text
