from html import escape

from .wrappers import BaseResponse, encoded, to_bytes


def redirect(location, code=302):
    shown = location
    location = encoded(location)
    return BaseResponse('<p>Go to <a href="#">%s</a>.' % shown, code, mimetype="text/html")  # expect: unescaped-markup


def escaped(location, code=302):
    shown = escape(location)
    return BaseResponse('<p>Go to <a href="#">%s</a>.' % shown, code, mimetype="text/html")  # ok: unescaped-markup


def plain(location, code=302):
    return BaseResponse("<p>%s</p>" % location, code, mimetype="text/plain")  # ok: unescaped-markup


class Renderer:
    def image(self, src, alt="", title=None):
        text = '<img src="' + self.address(src) + '" alt="' + alt + '"'  # expect: unescaped-markup
        if title:
            text += ' title="' + escape(title) + '"'
        return text + ">"

    def escaped_image(self, src, alt="", title=None):
        text = '<img src="' + self.address(src) + '" alt="' + escape(alt) + '"'  # ok: unescaped-markup
        return text + ' title="' + escape(title) + '">'

    def link(self, item, text):
        return '<a href="%s" %s>%s</a>' % (item.url, item.attrs, escape(text))  # expect: unescaped-markup

    def paragraph(self, text):
        return "<p>%s</p>" % text  # ok: unescaped-markup

    def heading(self, text, level, anchor):
        return '<h%d id="%s">%s</h%d>' % (level, escape(anchor), text, level)  # ok: unescaped-markup

    def feed(self, site, page):
        return '<link title="%s: %s" href="%s">' % (escape(site.name), page.page_name, escape(page.address()))  # expect: unescaped-markup

    def option(self, file):
        return '<option selected>%s</option>' % file.display_name  # expect: unescaped-markup


def missing(stream, client):
    stream.start([("Content-Type", "text/html")], 404)
    stream.write(to_bytes("Not found: %s" % client.address))  # expect: unescaped-markup


def missing_escaped(stream, client):
    stream.start([("Content-Type", "text/html")], 404)
    stream.write("Not found: %s" % escape(client.address))  # ok: unescaped-markup


def hint(form, sender):
    form.fields["copy"].help_text += f' (to <a href="#">{sender.email}</a>)'  # expect: unescaped-markup


def banner(web, base):
    asked = web.input()
    script_src = base + "/banner.js"
    if "day" in asked:
        script_src += "?day=" + asked.day
    return '<script src="%s"></script><p title="%s">' % (script_src, escape(base))  # expect: unescaped-markup


def banner_of(day):
    script_src = "/banner.js?day=" + str(int(day))
    return '<script src="%s"></script>' % script_src  # ok: unescaped-markup


def form(stream, pagename):
    stream.append(
        """
        <input type="radio" value="%(kind)s">
        <input type="text" name="page" value="%(pagename)s">
        """
        % dict(
            kind=escape("move"),
            pagename=pagename,  # expect: unescaped-markup
        )
    )
