"""Arrays and a header as the bytes of one .npz file: the same content gives the same bytes.

`numpy.load` can read the file; `numpy.savez` would add the time of day. A file that is read must equal, byte
for byte, what would be written, so a flipped bit or a missing end is always found.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from neche.errors import InputError

HEADER = "header.json"
_CHECK = "check"
# The earliest time that the format allows, and the permissions of a file that anyone may read.
_EPOCH, _RIGHTS = (1980, 1, 1, 0, 0, 0), 0o644 << 16
_UNIX = 3

Arrays = dict[str, NDArray[Any]]


def to_bytes(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the file: `header` (JSON values) with a checksum of everything, and the arrays by name."""
    members = {f"{name}.npy": _npy_bytes(array) for name, array in arrays.items()}
    words = {**header, _CHECK: _checksum(header, members)}
    text = (json.dumps(words, indent=1, ensure_ascii=False) + "\n").encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name, content in {HEADER: text, **members}.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr, entry.create_system = _RIGHTS, _UNIX
            file.writestr(entry, content)
    return buffer.getvalue()


def from_bytes(content: bytes, name: str) -> tuple[dict[str, Any], Arrays]:
    """Return header and arrays of a file called `name`; InputError unless `to_bytes` wrote exactly this."""
    damaged = InputError(f"{name}: is damaged, or not a file of neche")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            members = {entry: file.read(entry) for entry in file.namelist()}
        header = json.loads(members.pop(HEADER))
        header.pop(_CHECK)
        arrays = {key.removesuffix(".npy"): np.load(io.BytesIO(part)) for key, part in members.items()}
        is_intact = to_bytes(header, arrays) == content
    # A damaged file can raise anything: each library reports it in its own way.
    except Exception:
        raise damaged from None
    if not is_intact:
        raise damaged
    return header, arrays


def _npy_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    npy.write_array(buffer, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _checksum(header: Mapping[str, Any], members: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256(json.dumps(dict(header), sort_keys=True).encode())
    for name, content in members.items():
        digest.update(name.encode() + b"\n" + content)
    return digest.hexdigest()
