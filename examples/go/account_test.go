package billing

import (
	"encoding/json"
	"testing"
)

// members of a fault, a record or a filter.
type members map[string]any

// part is what a test arranges or inspects of an account, in the verbs of the mock's library.
type part struct {
	t           *testing.T
	token, path string
}

func faults(t *testing.T) part  { return part{t, tokenOf(t), "/faults"} }
func journal(t *testing.T) part { return part{t, tokenOf(t), "/requests"} }
func clock(t *testing.T) part   { return part{t, tokenOf(t), "/clock"} }

func (p part) add(given members) { p.call("POST", "", given) }
func (p part) set(given members) { p.call("PUT", "", given) }
func (p part) count(given members) int {
	return int(p.call("POST", "/count", given)["count"].(float64))
}

func (p part) call(method, path string, given members) (response members) {
	p.t.Helper()
	body, _ := json.Marshal(given)
	if status := call(p.t, p.token, method, "/__control"+p.path+path, string(body), &response); status >= 300 {
		p.t.Fatalf("%s %s%s: got %d and %v", method, p.path, path, status, response)
	}
	return response
}
