"""Output on streams that cannot write every character: it is written in ASCII there, and never a fault.

A stream of another encoding than UTF-8 is usual on Windows (cp1252, when output goes to a file) and where the
locale is C. Characters that one cannot write are replaced by what looks like them, most by one character, so
that columns stay where they are.
"""

import codecs
import io
import sys
import unicodedata

_ERRORS = "neche-plain"
_ALIKE = {
    **dict(zip("▁▂▃▄▅▆▇█", "_.-=+*%#", strict=True)),
    **dict(zip("→↑↓≥≤−·…–—×●♛", ">^v><-.~--xoK", strict=True)),
    **dict.fromkeys("─━═╌╍╸╺╶╴", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”„", '"'),
    "±": "+-",
    "½": "1/2",
    "∝": "~",
}


def write_any_text() -> None:
    """Let standard output and standard error write any text, in their own encoding."""
    for stream in (sys.stdout, sys.stderr):
        # A caller may have put something else in their place, such as a StringIO.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def to_ascii(text: str) -> str:
    """Return a text in ASCII: characters by what looks like them, letters without accents.

    >>> to_ascii("0.50 → ▁▅█, Zoë ± 3 日")
    '0.50 > _+#, Zoe +- 3 ?'
    """
    known = "".join(_ALIKE.get(character, character) for character in text)
    plain = "".join(part for part in unicodedata.normalize("NFKD", known) if not unicodedata.combining(part))
    return plain.encode("ascii", "replace").decode("ascii")


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return to_ascii(error.object[error.start : error.end]), error.end


codecs.register_error(_ERRORS, _replace)
