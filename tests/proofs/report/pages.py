"""Reading the pages that a test looks at."""

from html.parser import HTMLParser
from typing import Any

VOID = {"wbr", "meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Tags in order, the text, and whether every tag that opens also closes."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def attributes(self, tag: str, name: str) -> list[str]:
        """The values of an attribute of the elements of one kind."""
        return [a[name] or "" for t, a in self.tags if t == tag and name in a]


def poisoned(value: Any, attack: str, kept: set[str]) -> Any:
    """A record with an attack in every text but those under the keys `kept`."""
    if isinstance(value, dict):
        return {k: v if k in kept else poisoned(v, attack, kept) for k, v in value.items()}
    if isinstance(value, list):
        return [poisoned(v, attack, kept) for v in value]
    return value + attack if isinstance(value, str) else value
