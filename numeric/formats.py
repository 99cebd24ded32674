"""The binary floating-point formats of statements, under the name that the bounds use.

Format, FORMATS, BINARY64, BINARY32, BFLOAT16, BINARY16, format_of, round_to_format == see
symbolic/formats.py, where they stand since statements round to them
"""

from ..symbolic.formats import (
    BFLOAT16,
    BINARY16,
    BINARY32,
    BINARY64,
    FORMATS,
    Format,
    format_of,
    round_to_format,
)

__all__ = [
    "BFLOAT16",
    "BINARY16",
    "BINARY32",
    "BINARY64",
    "FORMATS",
    "Format",
    "format_of",
    "round_to_format",
]
