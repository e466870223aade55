"""JSON that is made piece by piece, since the texts of all numbers of a large model at once need ten times its memory."""

import json
from dataclasses import fields, is_dataclass
from io import BytesIO
from itertools import islice
from typing import Any

from vinculum.tolerances.sizes import JSON_PIECE


def json_bytes(data: Any) -> bytes:
    """The JSON text of plain data and dataclasses, without spaces."""
    out = BytesIO()
    _write(data, out)
    return out.getvalue()


def _write(data: Any, out: BytesIO) -> None:
    if is_dataclass(data):
        data = _entries(data)
    if isinstance(data, dict) and 0 < len(data) <= JSON_PIECE:
        for k, (key, value) in enumerate(data.items()):
            out.write(b"{" if k == 0 else b",")
            out.write(json.dumps(str(key)).encode() + b":")
            _write(value, out)
        out.write(b"}")
    elif isinstance(data, dict) and data:
        items = iter(data.items())
        _write_parts((dict(islice(items, JSON_PIECE)) for _ in range(0, len(data), JSON_PIECE)), b"{}", out)
    elif isinstance(data, (list, tuple)) and len(data) > JSON_PIECE:
        parts = (data[first : first + JSON_PIECE] for first in range(0, len(data), JSON_PIECE))
        _write_parts(parts, b"[]", out)
    else:
        out.write(_text(data))


def _write_parts(parts, brackets: bytes, out: BytesIO) -> None:
    """Write dictionaries, or lists, as one."""
    for k, part in enumerate(parts):
        out.write(brackets[:1] if k == 0 else b",")
        out.write(_text(part)[1:-1])
    out.write(brackets[1:])


def _text(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":"), default=_entries).encode()


def _entries(data: Any) -> dict[str, Any]:
    """The fields of a dataclass by name."""
    return {one.name: getattr(data, one.name) for one in fields(data)}
