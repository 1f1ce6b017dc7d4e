"""Tests with usage-billing-mock. In this folder: python3 -m unittest, or pytest."""

import unittest
from urllib.parse import quote

from billing_mock import Account

CONTRACT = "/contracts/65b000000000000000000001"


class BillingTest(unittest.TestCase):
    def setUp(self):
        self.account = Account(self.id())

    def test_get_customer_by_name(self):
        for name in ["Blue/Green Hosting", "Müller & Söhne"]:
            status, body = self.account.call("GET", f"/customers/name/{quote(name, safe='')}")
            self.assertEqual((status, body["customer"]["name"]), (200, name))

    def test_get_a_customer_of_its_own(self):
        account = self.account
        account.put_record("customers", "c1", name="Initech")
        self.assertEqual(account.call("GET", "/customers/c1")[1]["customer"]["name"], "Initech")
        account.reset()
        self.assertEqual(account.call("GET", "/customers/c1")[0], 404)

    def test_delete_contract_once_in_each_account(self):
        self.assertEqual(self.account.call("DELETE", CONTRACT)[0], 200)
        self.assertEqual(self.account.call("DELETE", CONTRACT)[0], 404)
        self.assertEqual(Account("another").call("DELETE", CONTRACT)[0], 200)
        requests = self.account.wait_for_requests(operationId="deleteContract", count=2)
        self.assertEqual([request["status"] for request in requests], [200, 404])

    def test_stamp_of_a_deletion(self):
        account = self.account
        account.set_clock(frozenAt="2030-01-02T03:04:05.000Z")
        _, body = account.call("DELETE", CONTRACT)
        self.assertEqual(body["contract"]["deletedAt"], "2030-01-02T03:04:05.000Z")

    def test_delete_events_by_refs(self):
        refs = ["acme-2026-03-31-001", "acme-2026-03-31-002"]
        status, body = self.account.call("POST", "/events/delete-by-refs", {"refs": refs})
        self.assertEqual(status, 200, body)
        self.assertEqual([event["ref"] for event in body["events"]], refs)
        self.assertTrue(all(event["deletedAt"] for event in body["events"]))


if __name__ == "__main__":
    unittest.main()
