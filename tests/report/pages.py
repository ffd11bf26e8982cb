"""Read a page like a browser, but more strictly."""

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Reader(HTMLParser):
    """Reads a page; raises if tags do not match."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.ids, self.words = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)


def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def read_alone(page):
    """Read a self-contained page: it loads nothing, and every link leads to a part of itself."""
    reader = read(page)
    assert [tag for tag, _ in reader.tags].count("html") == 1
    assert len(reader.ids) == len(set(reader.ids))
    for tag, attributes in reader.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not any(name.startswith("on") for name in attributes)
        assert attributes.get("src") is None
        if target := attributes.get("href"):
            assert target.startswith("#")
            assert target[1:] in reader.ids
    assert set(re.findall(r"https?://[^\"' )]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in page
    assert "url(" not in page
    return reader
