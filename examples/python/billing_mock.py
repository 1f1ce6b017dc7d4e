"""An account of usage-billing-mock for each test, in unittest and pytest. Copy this file.

The mock is the one at USAGE_BILLING_MOCK_URL (with USAGE_BILLING_MOCK_CONTROL_TOKEN, if it needs
one). Without that variable, the first account starts the command; it ends with Python, however that ends.
"""

import atexit
import functools
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

COMMAND = os.environ.get("BILLING_MOCK_COMMAND", "npx --no -- usage-billing-mock").split()

ADVICE = (
    "If the package usage-billing-mock is missing, install it where the tests run, or set"
    " BILLING_MOCK_COMMAND to a command that starts it, or USAGE_BILLING_MOCK_URL to a running mock."
)

# Past the proxy of http_proxy, which would be told the tokens.
_DIRECTLY = build_opener(ProxyHandler({}))


class Account:
    """A copy of the data for one test. Give your client its `url` and `token`."""

    def __init__(self, test_name):
        self.url, self._control_token = _mock()
        self.token = f"{quote(test_name[-200:], safe='')}-{secrets.token_hex(4)}"
        self._test = test_name
        self._control("PUT", "/account", {"name": test_name[-200:]})

    def call(self, method, path, body=None, headers=()):
        """Sends a request; returns the status and the decoded body."""
        own = {"Authorization": f"Bearer {self.token}"}
        if path.startswith("/__control/"):
            own["X-Control-Token"] = self._control_token
        headers = {**own, **dict(headers)}
        return _send(method, self.url + path, headers, body)

    def add_fault(self, **members):
        return self._control("POST", "/faults", members)

    def add_stub(self, **members):
        return self._control("POST", "/stubs", members)

    def decide(self, decision, value):
        return self._control("PATCH", "/decisions", {decision: value})

    def set_clock(self, **members):
        return self._control("PUT", "/clock", members)

    def put_record(self, collection, identifier, **members):
        return self._control("PUT", f"/{collection}/{quote(identifier, safe='')}", members)

    def count_requests(self, **members):
        return self._control("POST", "/requests/count", members)["count"]

    def wait_for_requests(self, **members):
        return self._control("POST", "/requests/wait", members)["requests"]

    def mark_test(self, outcome, message=""):
        """The test "passed" or "failed": the page and the matrix then show what it has sent."""
        *file, title = self._test.split("::", 1)
        members = {"outcome": outcome, "file": "".join(file), "title": title[-2000:]}
        self._control("PUT", "/account/test", {**members, "message": message})

    def reset(self):
        self._control("POST", "/reset", {})

    def _control(self, method, path, members):
        status, body = self.call(method, f"/__control{path}", members)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {body.get('detail', body)}")
        return body


_failures = []


def _mock():
    """The mock's URL and control token. Only the first test says why there is none."""
    if _failures:
        raise RuntimeError("The mock has not started; the first test that failed says why.")
    try:
        return _find_or_start()
    except RuntimeError as error:
        _failures.append(error)
        raise


@functools.lru_cache(maxsize=None)
def _find_or_start():
    url = os.environ.get("USAGE_BILLING_MOCK_URL")
    if url:
        return url.rstrip("/"), os.environ.get("USAGE_BILLING_MOCK_CONTROL_TOKEN", "")
    folder = Path(tempfile.mkdtemp(prefix="billing-mock-"))
    file, log = folder / "ready.json", folder / "stderr.log"
    # On Windows, npx is a .cmd file, which only a search of the PATH finds.
    command = [shutil.which(COMMAND[0]) or COMMAND[0], *COMMAND[1:]]
    command += ["--port", "0", "--end-with", str(os.getpid()), "--ready-file", str(file)]
    try:
        with log.open("wb") as stderr:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise RuntimeError(f"The mock's command cannot start: {error}\n{ADVICE}") from None
    ready = {}
    atexit.register(_stop, process, folder, ready)
    latest = time.monotonic() + 30
    while not file.exists():
        if process.poll() is not None or time.monotonic() > latest:
            said = log.read_text("utf-8", "replace")
            raise RuntimeError(f"The mock has not become ready.\n{said}\n{ADVICE}")
        time.sleep(0.05)
    ready.update(json.loads(file.read_text("utf-8")))
    shutil.rmtree(folder, ignore_errors=True)
    return ready["url"], ready.get("controlToken", "")


def _stop(process, folder, ready):
    try:
        if ready:
            headers = {"X-Control-Token": ready.get("controlToken", "")}
            _send("POST", f"{ready['url']}/__control/stop", headers)
        else:
            process.terminate()
        process.wait(10)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()
    shutil.rmtree(folder, ignore_errors=True)


def _send(method, url, headers, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {**headers, "Content-Type": "application/json"} if data else headers
    try:
        response = _DIRECTLY.open(Request(url, data, headers, method=method), timeout=60)
    except HTTPError as error:
        response = error
    with response:
        text = response.read()
        return response.status, json.loads(text) if text else None
