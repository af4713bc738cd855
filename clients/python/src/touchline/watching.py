"""The studio's page, told to the user: on stderr, and in a browser where there is one to be seen."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser

_VARIABLE = "TOUCHLINE_BROWSER"


def wish(browser: bool | None) -> bool | None:
    """Whether the page is to be opened: what is said, else what the environment says, else None."""
    if browser is not None:
        return bool(browser)
    said = os.environ.get(_VARIABLE, "")
    if said not in ("", "0", "1"):
        raise ValueError(f"{_VARIABLE} is {said!r}; allowed is 0 or 1")
    return None if said == "" else said == "1"


def tell(url: str, wanted: bool | None) -> None:
    """Says where the page is, and opens it if that is wanted; without a word, where there is a display."""
    if sys.stderr is not None:
        print(f"touchline: watch at {url}", file=sys.stderr, flush=True)
    if wanted or (wanted is None and _has_display()):
        # Some browsers keep their caller waiting, and a terminal's would take the terminal.
        threading.Thread(target=_open, args=(url, wanted is True), name="touchline-browser", daemon=True).start()


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(url: str, is_asked_for: bool) -> None:
    try:
        found = webbrowser.get()
        # This very class is that of browsers in the terminal, and of what the user has named.
        if type(found) is not webbrowser.GenericBrowser or is_asked_for or "BROWSER" in os.environ:
            found.open(url)
    except (webbrowser.Error, OSError):
        # The address has been told; who wants the page opens it.
        pass
