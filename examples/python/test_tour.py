import unittest
from urllib.parse import quote

from billing_mock import Account


class TourTest(unittest.TestCase):
    def test_tour(self):
        account = Account(self.id())
        # In place of your client, which gets account.url and account.token.
        contract = "/contracts/65b000000000000000000001"
        account.add_fault(kind="status", status=503)
        self.assertEqual(account.call("DELETE", contract)[0], 503)
        self.assertEqual(account.call("DELETE", contract)[0], 200)
        self.assertEqual(account.count_requests(operationId="deleteContract"), 2)

        account.decide("repeat-delete", "gone")
        self.assertEqual(account.call("DELETE", contract)[0], 410)

        measurements = "/measurements?limit=1000"
        _, page = account.call("GET", measurements)
        while page["hasMore"]:
            _, page = account.call("GET", f"{measurements}&cursor={quote(page['nextCursor'])}")
        self.assertEqual(account.count_requests(operationId="listMeasurements"), 7)

        account.add_stub(method="GET", path="/invoices/{id}", body={"id": "{{path.id}}"})
        self.assertEqual(account.call("GET", "/invoices/i1"), (200, {"id": "i1"}))
        account.mark_test("passed")
