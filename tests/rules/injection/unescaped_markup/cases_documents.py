import html


class Report:
    def __init__(self, file):
        self.file = file

    def start(self):
        self.file.write("<!DOCTYPE html><html><body>")  # ok: unescaped-markup

    def entry(self, comic):
        self.file.write("<br/>%s\n" % comic.text)  # expect: unescaped-markup

    def size(self, comic):
        self.file.write('<img width="%d"/>' % comic.width)  # ok: unescaped-markup

    def careful(self, comic):
        self.file.write("<br/>%s\n" % html.escape(comic.text))  # ok: unescaped-markup


class Chat:
    def say(self, person):
        self.channel.write("<b>%s</b>" % person.nick)  # ok: unescaped-markup


def table(file, rows):
    file.write("<table>")
    for row in rows:
        file.write(f"<td>{len(row)}</td>")  # ok: unescaped-markup


class Answer:
    def tell(self, status):
        self._write(f"<html><body><h1>{self.server.error}</h1></body></html>")  # expect: unescaped-markup

    def tell_number(self, status: int):
        self._write(f"<html><body><h1>{status}</h1></body></html>")  # ok: unescaped-markup

    def _write(self, text):
        return self.wfile.write(text.encode("utf-8"))
