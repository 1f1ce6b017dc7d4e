// Package billingmock gives each test an account of usage-billing-mock. Copy this folder.
package billingmock

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// M has the members of a JSON object, such as a fault, a filter or a record.
type M map[string]any

// An Account is a copy of the data for one test. Give your client its URL and Token.
type Account struct {
	URL, Token, controlToken string
	t                        testing.TB
}

// folder is the package's, in which its tests begin.
var folder, _ = os.Getwd()

// started is what the ready file says of the mock that Run has started.
var started struct{ URL, ControlToken string }

// client has no proxy, which would be told the tokens, and none of what tests set in http.DefaultTransport. Each request
// gets its own connection, because Go sends one again if a fault resets a connection that was used before.
var client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}

// Run runs the tests of a package with the mock at USAGE_BILLING_MOCK_URL, or with one that it starts
// and stops. In TestMain: os.Exit(billingmock.Run(m)).
func Run(m *testing.M) int {
	if os.Getenv("USAGE_BILLING_MOCK_URL") == "" {
		stop, err := start()
		defer stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// NewAccount opens an account, and names it after the test.
func NewAccount(t testing.TB) *Account {
	t.Helper()
	address, controlToken := os.Getenv("USAGE_BILLING_MOCK_URL"), os.Getenv("USAGE_BILLING_MOCK_CONTROL_TOKEN")
	if address == "" {
		address, controlToken = started.URL, started.ControlToken
	}
	if address == "" {
		t.Fatal("no mock is running: call billingmock.Run in TestMain")
	}
	// Read because it differs in each run of the matrix, so that go test reuses no result of another.
	_ = os.Getenv("USAGE_BILLING_MOCK_RUN")
	random := make([]byte, 4)
	rand.Read(random)
	name := fmt.Sprintf("%.200s", t.Name())
	token := fmt.Sprintf("%s-%x", url.QueryEscape(name), random)
	account := &Account{strings.TrimSuffix(address, "/"), token, controlToken, t}
	account.control("PUT", "/account", M{"name": name})
	// The page and the matrix then show what this test has sent.
	t.Cleanup(func() {
		test := M{"outcome": "passed", "file": folder, "title": t.Name()}
		if t.Failed() {
			test["outcome"], test["message"] = "failed", t.Name()+" failed"
		}
		if !t.Skipped() {
			account.control("PUT", "/account/test", test)
		}
	})
	return account
}

func (a *Account) AddFault(fault M) { a.t.Helper(); a.control("POST", "/faults", fault) }
func (a *Account) AddStub(stub M)   { a.t.Helper(); a.control("POST", "/stubs", stub) }
func (a *Account) SetClock(clock M) { a.t.Helper(); a.control("PUT", "/clock", clock) }
func (a *Account) Reset()           { a.t.Helper(); a.control("POST", "/reset", M{}) }

func (a *Account) Decide(decision, value string) {
	a.t.Helper()
	a.control("PATCH", "/decisions", M{decision: value})
}

func (a *Account) PutRecord(collection, id string, record M) {
	a.t.Helper()
	a.control("PUT", "/"+collection+"/"+url.PathEscape(id), record)
}

func (a *Account) CountRequests(filter M) int {
	a.t.Helper()
	return int(a.control("POST", "/requests/count", filter)["count"].(float64))
}

// WaitForRequests waits for as many requests as the count in the filter.
func (a *Account) WaitForRequests(filter M) []any {
	a.t.Helper()
	return a.control("POST", "/requests/wait", filter)["requests"].([]any)
}

func (a *Account) control(method, path string, body M) (response M) {
	a.t.Helper()
	if status := a.Call(method, "/__control"+path, body, &response); status >= 300 {
		a.t.Fatalf("%s %s: %d %v", method, path, status, response["detail"])
	}
	return response
}

// Call sends a request, decodes the body of the response into result unless it is nil, and returns the status.
func (a *Account) Call(method, path string, body, result any) int {
	a.t.Helper()
	var content bytes.Buffer
	if body != nil {
		json.NewEncoder(&content).Encode(body)
	}
	request, err := http.NewRequest(method, a.URL+path, &content)
	if err != nil {
		a.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+a.Token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(path, "/__control/") {
		request.Header.Set("X-Control-Token", a.controlToken)
	}
	response, err := client.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	if result == nil {
		return response.StatusCode
	}
	if err := json.NewDecoder(response.Body).Decode(result); err != nil {
		a.t.Fatalf("%s %s: %d, and a body that is not the JSON expected: %v", method, path, response.StatusCode, err)
	}
	return response.StatusCode
}

// start starts the command and waits until it can be called; stop is to be called in any case.
func start() (stop func(), err error) {
	folder, err := os.MkdirTemp("", "billing-mock-")
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
		words = []string{"npx", "--no", "--", "usage-billing-mock"}
	}
	file := filepath.Join(folder, "ready.json")
	command := exec.Command(words[0], append(words[1:], "--port", "0", "--end-with", strconv.Itoa(os.Getpid()), "--ready-file", file)...)
	command.Stderr = log
	if err := command.Start(); err != nil {
		return stop, err
	}
	ended := make(chan struct{})
	go func() { command.Wait(); close(ended) }()
	stop = func() {
		request, _ := http.NewRequest("POST", started.URL+"/__control/stop", nil)
		request.Header.Set("X-Control-Token", started.ControlToken)
		if _, err := client.Do(request); err != nil {
			command.Process.Signal(syscall.SIGTERM) // before it is ready; Windows has only Kill
		}
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			command.Process.Kill()
		}
		os.RemoveAll(folder)
	}
	for latest := time.After(30 * time.Second); ; {
		if content, err := os.ReadFile(file); err == nil {
			os.RemoveAll(folder)
			return stop, json.Unmarshal(content, &started)
		}
		select {
		case <-time.After(50 * time.Millisecond):
			continue
		case <-ended:
		case <-latest:
		}
		output, _ := os.ReadFile(log.Name())
		return stop, fmt.Errorf("the mock has not become ready:\n%s", output)
	}
}
