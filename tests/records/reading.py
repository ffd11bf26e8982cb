"""Reading text as games."""

import io

import pytest

from neche.errors import InputError
from neche.records.ggf import read_ggf
from neche.records.pdn.reader import read_pdn
from neche.records.transcript import read_transcripts


def games_of(text, **options):
    """Return the games of a PDN text."""
    return list(read_pdn(io.BytesIO(_bytes(text)), "test.pdn", **options))


def ggf_games(text, **options):
    """Return the games of a GGF text."""
    return list(read_ggf(io.BytesIO(_bytes(text)), "test.ggf", **options))


def transcripts(text, **options):
    """Return the games of a text of transcripts."""
    return list(read_transcripts(io.BytesIO(_bytes(text)), "test.txt", **options))


def fault_of(read, text):
    """Return the one line that says why a text cannot be read."""
    with pytest.raises(InputError) as caught:
        read(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode()
