"""The version of the package, as numbers and as text."""

VERSION = (2026, 2, 0)
VERSION_STATUS = ""
VERSION_TEXT = ".".join(str(part) for part in VERSION) + VERSION_STATUS
