// Package billing tests against the billing mock. In this folder: go test
package billing

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

const contract = "/contracts/65b000000000000000000001"

// What the ready file tells.
var mock struct {
	URL   string
	Token string
	PID   int
}

var client = &http.Client{Timeout: 10 * time.Second}

func TestMain(m *testing.M) {
	stop, err := startMock()
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	stop()
	os.Exit(code)
}

// startMock starts the mock and waits until it can be called; stop is to be called in any case.
func startMock() (stop func(), err error) {
	folder, err := os.MkdirTemp("", "billing")
	if err != nil {
		return func() {}, err
	}
	stop = func() { os.RemoveAll(folder) }
	log, err := os.Create(filepath.Join(folder, "stderr.log"))
	if err != nil {
		return stop, err
	}
	defer log.Close()

	words := strings.Fields(os.Getenv("BILLING_MOCK_COMMAND"))
	if len(words) == 0 {
		words = []string{"npx", "usage-billing-mock"}
	}
	file := filepath.Join(folder, "ready.json")
	command := exec.Command(words[0], append(words[1:], "--port", "0", "--ready-file", file)...)
	command.Stderr = log
	if err := command.Start(); err != nil {
		return stop, err
	}
	ended := make(chan struct{})
	go func() { command.Wait(); close(ended) }()
	stop = func() {
		process := command.Process
		if mock.PID != 0 {
			// The pid of the ready file is the mock itself, whatever has started it.
			process, _ = os.FindProcess(mock.PID)
		}
		process.Signal(syscall.SIGTERM)
		<-ended
		os.RemoveAll(folder)
	}

	latest := time.After(30 * time.Second)
	for {
		if content, err := os.ReadFile(file); err == nil {
			return stop, json.Unmarshal(content, &mock)
		}
		select {
		case <-ended:
			return stop, notReady(log)
		case <-latest:
			return stop, notReady(log)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func notReady(log *os.File) error {
	words, _ := os.ReadFile(log.Name())
	return fmt.Errorf("the mock has not become ready:\n%s", words)
}

// tokenOf is a token of the test's own. A token is an account: no test sees what another does.
func tokenOf(t *testing.T) string { return mock.Token + "-" + t.Name() }

// call makes a request as an account, decodes the response into result and returns the status.
func call(t *testing.T, token, method, path, body string, result any) int {
	t.Helper()
	request, err := http.NewRequest(method, mock.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(result); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

func deleteContract(t *testing.T, token string) int {
	t.Helper()
	return call(t, token, "DELETE", contract, "", &struct{}{})
}

func TestGetCustomerByName(t *testing.T) {
	for _, name := range []string{"Blue/Green Hosting", "Müller & Söhne"} {
		var found struct{ Customer struct{ Name string } }
		status := call(t, tokenOf(t), "GET", "/customers/name/"+url.PathEscape(name), "", &found)
		if status != 200 || found.Customer.Name != name {
			t.Errorf("%s: got %d and %+v", name, status, found)
		}
	}
}

func TestWalkAllMeasurements(t *testing.T) {
	ids, query := map[string]bool{}, url.Values{"limit": {"1000"}}
	for {
		var page struct {
			Measurements []struct{ ID string }
			Total        int
			HasMore      bool
			NextCursor   string
		}
		if status := call(t, tokenOf(t), "GET", "/measurements?"+query.Encode(), "", &page); status != 200 {
			t.Fatalf("a page: got %d", status)
		}
		for _, measurement := range page.Measurements {
			ids[measurement.ID] = true
		}
		if !page.HasMore {
			if len(ids) != page.Total {
				t.Errorf("got %d measurements, expected %d", len(ids), page.Total)
			}
			return
		}
		query.Set("cursor", page.NextCursor)
	}
}

func TestDeleteContractOnceInEachAccount(t *testing.T) {
	token := tokenOf(t)
	got := []int{deleteContract(t, token), deleteContract(t, token), deleteContract(t, token+"-other")}
	if expected := []int{200, 404, 200}; !reflect.DeepEqual(got, expected) {
		t.Errorf("got %v, expected %v", got, expected)
	}
}

func TestDeleteEventsByRefs(t *testing.T) {
	var deleted struct {
		Events []struct{ Ref, DeletedAt string }
	}
	body := `{"refs": ["acme-2026-03-31-001", "acme-2026-03-31-002"]}`
	status := call(t, tokenOf(t), "POST", "/events/delete-by-refs", body, &deleted)
	if status != 200 || len(deleted.Events) != 2 {
		t.Fatalf("got %d and %+v", status, deleted)
	}
	for _, event := range deleted.Events {
		if event.DeletedAt == "" {
			t.Errorf("%s has no deletedAt", event.Ref)
		}
	}
}

func TestRetryAfterAFault(t *testing.T) {
	faults(t).add(members{"operationId": "deleteContract", "kind": "status", "status": 503})
	attempts, status := 1, deleteContract(t, tokenOf(t))
	for ; status == 503 && attempts < 3; attempts++ {
		status = deleteContract(t, tokenOf(t))
	}
	if attempts != 2 || status != 200 {
		t.Errorf("got %d at attempt %d, expected 200 at attempt 2", status, attempts)
	}
	if count := journal(t).count(members{"operationId": "deleteContract"}); count != 2 {
		t.Errorf("the mock received %d calls, expected 2", count)
	}
}

func TestStampOfADeletion(t *testing.T) {
	clock(t).set(members{"frozenAt": "2030-01-02T03:04:05.000Z"})
	var deleted struct{ Contract struct{ DeletedAt string } }
	call(t, tokenOf(t), "DELETE", contract, "", &deleted)
	if deleted.Contract.DeletedAt != "2030-01-02T03:04:05.000Z" {
		t.Errorf("got %+v, expected the time of the account's clock", deleted)
	}
}
