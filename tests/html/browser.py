"""A headless Chromium by the WebDriver protocol, with nothing but the standard library.
Each browser has a profile of its own that is thrown away."""
import base64
import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--window-size=1280,900"]
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Control": "\ue009", "End": "\ue010",
        "ArrowRight": "\ue014"}


def is_there():
    return all(shutil.which(name) for name in ("chromium", "chromedriver"))


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="coretruth-browser-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        else:
            raise RuntimeError("chromedriver did not start")
        self.base = f"http://127.0.0.1:{found[1]}/session"
        options = {"binary": shutil.which("chromium"), "args": FLAGS + [f"--user-data-dir={self.profile}"]}
        answer = self.ask("POST", "", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/" + answer["sessionId"]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=90) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode(errors="replace")[:400]) from None

    def chrome(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    def script(self, text, *arguments):
        return self.ask("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def press(self, *names):
        """Keys one after the other; "Control+v" holds the first."""
        for name in names:
            keys = [KEYS.get(key, key) for key in name.split("+")]
            actions = [{"type": "keyDown", "value": key} for key in keys]
            actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
            self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def wait(self, condition, seconds=10):
        """True once the script's value is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.script(f"return {condition}"):
                return True
            time.sleep(0.1)
        return False

    def console(self):
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def show(self, width, is_dark=False):
        self.chrome("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1,
                    mobile=width < 600)
        self.chrome("Emulation.setEmulatedMedia", media="screen", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def screenshot(self, path):
        """The whole page, as long as it is."""
        size = self.script("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        image = self.chrome("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                            clip={"x": 0, "y": 0, "width": size[0], "height": min(size[1], 16000), "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))

    def print(self, path):
        self.chrome("Emulation.setEmulatedMedia", media="")
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.chrome("Page.printToPDF", paperWidth=8.27, paperHeight=11.69,
                                                    printBackground=True)["data"]))

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.profile, ignore_errors=True)
