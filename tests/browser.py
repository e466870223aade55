"""Chromium without a window, driven over pipes: what a page does in a real browser."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

FOUND = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
           "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--disable-extensions", "--hide-scrollbars", "--remote-debugging-pipe")  # fmt: skip


class Browser:
    """A browser with one page; ``errors``: what its console complained of, ``fetched``: addresses it asked for beyond the page itself."""

    def __init__(self, width=900, height=600):
        self._profile = tempfile.mkdtemp(prefix="vinculum-browser-")
        commands, self._write = os.pipe()
        self._read, answers = os.pipe()
        line = [
            "bash",
            "-c",
            f'exec "$@" 3<&{commands} 4>&{answers}',
            "bash",
            FOUND,
            *OPTIONS,
            f"--user-data-dir={self._profile}",
        ]
        self._process = subprocess.Popen(
            line, pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(commands)
        os.close(answers)
        self._count, self._left, self.errors, self.fetched = 0, b"", [], []
        self._session = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._ask(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self._ask("Browser.close")
        except (OSError, EOFError):
            pass
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
        os.close(self._write)
        os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    def resize(self, width, height, mobile=False):
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def open(self, path: Path, fragment="still", ready="document.body && document.body.dataset.ready === 'yes'"):
        """Load a page and wait until it says that it is ready."""
        self.errors.clear()
        self.fetched.clear()
        self._ask("Page.navigate", url=f"{path.resolve().as_uri()}#{fragment}")
        assert self.run(
            f"new Promise((done) => {{ let n = 0; const look = () => ({ready}) ? done(true) : ++n > 600 ? done(false) : "
            "setTimeout(look, 100); look(); })"
        ), self.errors

    def prefer(self, colors=None, media=""):
        """Show pages as to one who wishes "light" or "dark" ones, on the screen or in "print"."""
        features = [{"name": "prefers-color-scheme", "value": colors}] if colors else []
        self._ask("Emulation.setEmulatedMedia", media=media, features=features)

    def run(self, script):
        """The value of a JavaScript expression, awaited."""
        found = self._ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def printed(self) -> bytes:
        """The page as PDF, on A4."""
        found = self._ask(
            "Page.printToPDF", paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True, printBackground=True
        )
        return base64.b64decode(found["data"])

    def screenshot(self) -> bytes:
        """What is seen of the page, as PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _ask(self, method, **parameters):
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._count:
                assert "error" not in found, found
                return found["result"]
            self._take(found)

    def _next(self):
        while b"\0" not in self._left:
            part = os.read(self._read, 1 << 16)
            if not part:
                raise EOFError("the browser ended")
            self._left += part
        line, self._left = self._left.split(b"\0", 1)
        return json.loads(line)

    def _take(self, event):
        method, given = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(given["exceptionDetails"].get("exception", {}).get("description", str(given)))
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "assert"):
            self.errors.append(str([one.get("value", one.get("description")) for one in given["args"]]))
        elif method == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.errors.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not given["request"]["url"].startswith(
            ("file:", "data:", "blob:")
        ):
            self.fetched.append(given["request"]["url"])
