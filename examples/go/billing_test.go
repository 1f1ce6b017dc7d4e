// Package billing has tests with usage-billing-mock. In this folder: go test
package billing

import (
	"net/url"
	"reflect"
	"testing"

	"billing/billingmock"
)

const contract = "/contracts/65b000000000000000000001"

func deleteContract(account *billingmock.Account) int {
	return account.Call("DELETE", contract, nil, nil)
}

type deleted struct {
	Contract struct{ DeletedAt string }
	Events   []struct{ Ref, DeletedAt string }
}

func TestGetCustomerByName(t *testing.T) {
	account := billingmock.NewAccount(t)
	for _, name := range []string{"Blue/Green Hosting", "Müller & Söhne"} {
		var found customer
		status := account.Call("GET", "/customers/name/"+url.PathEscape(name), nil, &found)
		if status != 200 || found.Customer.Name != name {
			t.Errorf("%s: got %d and %+v", name, status, found)
		}
	}
}

type customer struct{ Customer struct{ Name string } }

func TestGetACustomerOfItsOwn(t *testing.T) {
	account := billingmock.NewAccount(t)
	account.PutRecord("customers", "c1", billingmock.M{"name": "Initech"})
	var found customer
	if account.Call("GET", "/customers/c1", nil, &found); found.Customer.Name != "Initech" {
		t.Errorf("got %+v, expected Initech", found)
	}
	account.Reset()
	if status := account.Call("GET", "/customers/c1", nil, nil); status != 404 {
		t.Errorf("got %d, expected 404", status)
	}
}

func TestDeleteContractOnceInEachAccount(t *testing.T) {
	account := billingmock.NewAccount(t)
	got := []int{deleteContract(account), deleteContract(account), deleteContract(billingmock.NewAccount(t))}
	if expected := []int{200, 404, 200}; !reflect.DeepEqual(got, expected) {
		t.Errorf("got %v, expected %v", got, expected)
	}
	requests := account.WaitForRequests(billingmock.M{"operationId": "deleteContract", "count": 2})
	if len(requests) != 2 {
		t.Errorf("got %v, expected 2 requests", requests)
	}
}

func TestStampOfADeletion(t *testing.T) {
	account := billingmock.NewAccount(t)
	account.SetClock(billingmock.M{"frozenAt": "2030-01-02T03:04:05.000Z"})
	var got deleted
	account.Call("DELETE", contract, nil, &got)
	if got.Contract.DeletedAt != "2030-01-02T03:04:05.000Z" {
		t.Errorf("got %+v, expected the time of the account's clock", got)
	}
}

func TestDeleteEventsByRefs(t *testing.T) {
	account := billingmock.NewAccount(t)
	var got deleted
	body := map[string][]string{"refs": {"acme-2026-03-31-001", "acme-2026-03-31-002"}}
	status := account.Call("POST", "/events/delete-by-refs", body, &got)
	if status != 200 || len(got.Events) != 2 {
		t.Fatalf("got %d and %+v", status, got)
	}
	for _, event := range got.Events {
		if event.DeletedAt == "" {
			t.Errorf("%s has no deletedAt", event.Ref)
		}
	}
}
