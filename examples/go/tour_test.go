package billing

import (
	"net/url"
	"os"
	"testing"

	"billing/billingmock" // In your module, its path comes first.
)

func TestMain(m *testing.M) { os.Exit(billingmock.Run(m)) }

func TestTour(t *testing.T) {
	account := billingmock.NewAccount(t)
	// In place of your client, which gets account.URL and account.Token.
	expect := func(expected int, method, path string, result any) {
		t.Helper()
		if status := account.Call(method, path, nil, result); status != expected {
			t.Errorf("%s %s: got %d, expected %d", method, path, status, expected)
		}
	}
	account.AddFault(billingmock.M{"kind": "status", "status": 503})
	expect(503, "DELETE", contract, nil)
	expect(200, "DELETE", contract, nil)
	if count := account.CountRequests(billingmock.M{"operationId": "deleteContract"}); count != 2 {
		t.Errorf("the mock received %d requests, expected 2", count)
	}

	account.Decide("repeat-delete", "gone")
	expect(410, "DELETE", contract, nil)

	var page struct {
		HasMore    bool
		NextCursor string
	}
	measurements := "/measurements?limit=1000"
	expect(200, "GET", measurements, &page)
	for page.HasMore {
		account.Call("GET", measurements+"&cursor="+url.QueryEscape(page.NextCursor), nil, &page)
	}
	if count := account.CountRequests(billingmock.M{"operationId": "listMeasurements"}); count != 7 {
		t.Errorf("got %d pages, expected 7", count)
	}

	account.AddStub(billingmock.M{"method": "GET", "path": "/invoices/{id}", "body": billingmock.M{"id": "{{path.id}}"}})
	expect(200, "GET", "/invoices/i1", nil)
}
