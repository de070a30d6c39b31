"""Drives headless Chromium by its DevTools protocol over a WebSocket (Debian: chromium, python3-websocket)."""

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

try:
    import websocket
except ImportError:
    websocket = None

SLOW_COPY = "GL Driver Message (OpenGL, Performance"  # Chromium copies a WebGL canvas to a page drawn in software
SECONDS = 60  # that a page may take for what is asked of it, on a machine that is busy with other tests


def missing_for_browser():
    if shutil.which("chromium") is None:
        return "chromium"
    return "python3-websocket" if websocket is None else None


class Browser:
    """Chromium starts at once, so that other work goes on meanwhile; `with` waits for it."""

    def __init__(self, folder):
        profile = Path(folder) / "profile"
        self.port = profile / "DevToolsActivePort"
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}",
             "--remote-allow-origins=*", "--no-first-run", "--disable-extensions", "--disable-background-networking",
             # WebGL is drawn in software; the rest of the page by plain code, which takes a third of that time
             "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing", "--hide-scrollbars", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def connect(self, port):
        end = time.monotonic() + SECONDS
        while not (port.is_file() and port.read_text().count("\n") >= 1):
            if time.monotonic() > end:
                raise TimeoutError("chromium does not start")
            time.sleep(0.05)
        number = port.read_text().splitlines()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{number}/json/list") as listed:
            target = next(each for each in json.load(listed) if each["type"] == "page")
        self.socket = websocket.create_connection(target["webSocketDebuggerUrl"], timeout=SECONDS, max_size=None)
        self.number = 0
        self.events = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Performance.enable", timeDomain="threadTicks")  # what other programs do does not count

    def __enter__(self):
        try:
            self.connect(self.port)
        except Exception:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.stop()

    def stop(self):
        self.process.kill()
        self.process.wait()

    def send(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def value(self, expression):
        """What an expression of JavaScript is."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition, text):
        end = time.monotonic() + SECONDS
        while not self.value(condition):
            if time.monotonic() > end:
                raise TimeoutError(text)
            time.sleep(0.03)

    def open(self, path):
        self.send("Page.navigate", url=path.resolve().as_uri())

    def size(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def resize(self, width, height):
        """Another size for the page that is open, which draws anew 0.15 s after its last change."""
        self.size(width, height)
        time.sleep(0.3)

    def prefer(self, theme):
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        time.sleep(0.05)

    def box(self, selector):
        return self.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
                          "e.scrollIntoView({block: 'center'}); return e.getBoundingClientRect().toJSON(); })()")

    def mouse(self, kind, x, y, buttons=0):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if kind != "mouseMoved" or buttons else "none",
                  buttons=buttons, clickCount=1)

    def click(self, selector):
        box = self.box(selector)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def press(self, within, text):
        """Clicks the button with this text."""
        self.value(f"[...document.querySelectorAll({json.dumps(within + ' button')})]"
                   f".find((b) => b.textContent === {json.dumps(text)}).dataset.pressed = 'here'")
        self.click("[data-pressed=here]")
        self.value("delete document.querySelector('[data-pressed=here]').dataset.pressed")

    def drag(self, x0, y0, x1, y1):
        self.mouse("mousePressed", x0, y0, 1)
        for share in (0.3, 0.6, 1.0):
            self.mouse("mouseMoved", x0 + share * (x1 - x0), y0 + share * (y1 - y0), 1)
        self.mouse("mouseReleased", x1, y1)

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def busy_seconds(self):
        """Time that the page's thread has worked since it began to load."""
        metrics = {each["name"]: each["value"] for each in self.send("Performance.getMetrics")["metrics"]}
        return metrics["TaskDuration"]

    def complaints(self):
        """Errors and warnings of the console, exceptions, and requests that are not for the page itself."""
        self.value("1")
        found = []
        for event in self.events:
            method, told = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = told["exceptionDetails"]
                found.append("exception: " + details.get("exception", {}).get("description", details["text"]))
            elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
                found.append("console: " + " ".join(str(each.get("value", "")) for each in told["args"]))
            elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
                if SLOW_COPY not in told["entry"]["text"]:
                    found.append("log: " + told["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not told["request"]["url"].startswith(("file:", "data:")):
                found.append("asks for " + told["request"]["url"])
        self.events.clear()
        return found
