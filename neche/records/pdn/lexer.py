"""PDN as a stream of tokens, each with its place. Whatever is no token comes out as one of the kind `bad`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from neche.records.source import Place, read_lines

# A square by its number, or as column and row; letters beyond h are those of the board with ten columns.
_SQUARE = r"(?:[a-jA-J](?:10|[1-9])|[0-9]{1,2})"
_LETTERED = r"[a-jA-J](?:10|[1-9])"
_TOKENS = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<tag>\[\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)\s*"(?P<value>(?:[^"\\]|\\.)*|[^"]*)"\s*\])
    | (?P<open_comment>\{{)
    | ;(?P<rest>.*)
    | (?P<nag>\$[0-9]+)
    | (?P<mark>[!?]+|\([!?]+\))
    | (?P<open>\()
    | (?P<close>\))
    | (?P<setup>/[^/]*/)
    | (?P<result>(?:1/2-1/2|½-½|1-0|0-1|2-0|0-2|1-1|0-0)(?![0-9:x-]))
    | (?P<star>\*)
    | (?P<number>[0-9]+\s*\.+|\.+|…)
    | (?P<move>{_SQUARE}(?:\s*[-–x:X×]\s*{_SQUARE})+|{_LETTERED}(?:{_LETTERED})+|[0-9]{{4}}(?![0-9]))
    | (?P<bad>\S+?(?=[\s(){{}};$!?\[\]]|$)|\S)
    """,
    re.VERBOSE,
)
_ESCAPED = re.compile(r'\\(["\\])')
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a PDN file.

    kind: tag, comment, nag, mark, open, close, setup, result, star, move or bad. text: of a comment what it
    says, of a tag its value. name: of a tag. follows: it stands right after the token before.
    """

    kind: str
    text: str
    place: Place
    name: str = ""
    follows: bool = False


def tokens(stream: BinaryIO, name: str) -> Iterator[Token]:
    """Yield the tokens of a PDN file; move numbers, which say nothing that the moves do not, are left out.

    Raises:
        InputError: the file is no text.
    """
    comment: list[str] = []
    began: Place | None = None
    for number, line in read_lines(stream, name):
        at = 0
        if began is None and line.lstrip().startswith("%"):
            yield from _comment(line.strip()[1:], Place(name, number, 1))
            continue
        while at < len(line):
            if began is not None:
                end = line.find("}", at)
                comment.append(line[at:] if end < 0 else line[at:end])
                at = len(line) if end < 0 else end + 1
                if end >= 0:
                    yield from _comment(" ".join(comment), began)
                    began = None
                continue
            found = _TOKENS.match(line, at)
            assert found is not None
            place = Place(name, number, at + 1)
            if found.lastgroup == "open_comment":
                comment, began = [], place
            elif found.lastgroup == "rest":
                yield from _comment(found["rest"], place)
            elif found.lastgroup not in ("space", "number"):
                yield _token(found, place, follows=at > 0 and not line[at - 1].isspace())
            at = found.end()
    if began is not None:
        yield Token("bad", "{", began)


def _comment(text: str, place: Place) -> Iterator[Token]:
    """Yield a comment with single spaces, nothing if it says nothing."""
    words = text.split()
    if words:
        yield Token("comment", " ".join(words), place)


def _token(found: re.Match[str], place: Place, *, follows: bool) -> Token:
    if found["tag"] is not None:
        value = re.sub(r"\s", " ", _ESCAPED.sub(r"\1", found["value"]))
        return Token("tag", value, place, found["name"][0].upper() + found["name"][1:])
    kind = found.lastgroup or "bad"
    text = found[kind]
    return Token(
        kind, text if len(text) <= _SHOWN or kind in ("setup", "move") else text[:_SHOWN], place, "", follows
    )
