"""Tests against the billing mock. In this folder: python3 -m unittest"""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from billing_mock import Account

COMMAND = os.environ.get("BILLING_MOCK_COMMAND", "npx usage-billing-mock").split()
CONTRACT = "/contracts/65b000000000000000000001"


class BillingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        file = Path(folder.name, "ready.json")
        log = open(Path(folder.name, "stderr.log"), "w+", encoding="utf-8")
        cls.addClassCleanup(log.close)
        command = [*COMMAND, "--port", "0", "--ready-file", str(file)]
        cls.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        # The pid of the ready file is the mock itself, whatever has started it.
        cls.pid = cls.process.pid
        # Unlike tearDownClass, this comes also if what follows fails.
        cls.addClassCleanup(cls.stop)
        latest = time.monotonic() + 30
        while not file.exists():
            if cls.process.poll() is not None or time.monotonic() > latest:
                log.seek(0)
                raise RuntimeError(f"The mock has not become ready.\n{log.read()}")
            time.sleep(0.05)
        ready = json.loads(file.read_text(encoding="utf-8"))
        cls.url, cls.first_token, cls.pid = ready["url"], ready["token"], ready["pid"]

    @classmethod
    def stop(cls):
        if cls.process.poll() is None:
            os.kill(cls.pid, signal.SIGTERM)
            cls.process.wait(10)

    def setUp(self):
        # A token is an account: no test sees what another does, and none has to tidy up.
        self.token = f"{self.first_token}-{self._testMethodName}"

    def call(self, method, path, body=None, token=None):
        request = Request(
            self.url + path,
            method=method,
            headers={"Authorization": f"Bearer {token or self.token}"},
        )
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=10) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    def test_get_customer_by_name(self):
        for name in ["Blue/Green Hosting", "Müller & Söhne"]:
            status, response = self.call("GET", f"/customers/name/{quote(name, safe='')}")
            self.assertEqual((status, response["customer"]["name"]), (200, name))

    def test_walk_all_measurements(self):
        ids, query = set(), {"limit": 1000}
        while True:
            status, page = self.call("GET", f"/measurements?{urlencode(query)}")
            self.assertEqual(status, 200, page)
            ids.update(measurement["id"] for measurement in page["measurements"])
            if not page["hasMore"]:
                break
            query["cursor"] = page["nextCursor"]
        self.assertEqual(len(ids), page["total"])

    def test_delete_contract_once_in_each_account(self):
        self.assertEqual(self.call("DELETE", CONTRACT)[0], 200)
        self.assertEqual(self.call("DELETE", CONTRACT)[0], 404)
        self.assertEqual(self.call("DELETE", CONTRACT, token=f"{self.token}-other")[0], 200)

    def test_delete_events_by_refs(self):
        refs = ["acme-2026-03-31-001", "acme-2026-03-31-002"]
        status, response = self.call("POST", "/events/delete-by-refs", {"refs": refs})
        self.assertEqual(status, 200, response)
        self.assertEqual([event["ref"] for event in response["events"]], refs)
        self.assertTrue(all(event["deletedAt"] for event in response["events"]))

    def test_retry_after_a_fault(self):
        account = Account(self.url, self.token)
        account.faults.add(operationId="deleteContract", kind="status", status=503)
        for attempt in range(1, 4):
            status, _ = self.call("DELETE", CONTRACT)
            if status != 503:
                break
        self.assertEqual((status, attempt), (200, 2))
        self.assertEqual(account.journal.count(operationId="deleteContract"), 2)

    def test_stamp_of_a_deletion(self):
        Account(self.url, self.token).clock.set(frozenAt="2030-01-02T03:04:05.000Z")
        _, response = self.call("DELETE", CONTRACT)
        self.assertEqual(response["contract"]["deletedAt"], "2030-01-02T03:04:05.000Z")


if __name__ == "__main__":
    unittest.main()
