#!/bin/sh
# Tests with usage-billing-mock, in POSIX sh and curl: sh test-billing.sh
. ./billing-mock.sh

check() { # WORDS EXPECTED ACTUAL
  if [ "$2" = "$3" ]; then
    echo "ok - $1"
  else
    echo "not ok - $1: expected $2, got $3"
    failed=1
  fi
}

# Counts the members of this name in the body.
count() {
  printf '%s\n' "$mock_body" | tr ',{' '\n\n' | grep -c "^\"$1\":"
}

failed=0
contract=/contracts/65b000000000000000000001
json='Content-Type: application/json'
mock_start

mock_account 'get customer by name'
mock_call GET "/customers/name/$(mock_encode 'Blue/Green Hosting')"
check 'a customer is found by name' '200 cus_Q9x2BlueGreen' "$mock_status $(mock_value externalId)"

mock_account 'get a customer of its own'
mock_put_record customers c1 '{"name":"Initech"}'
mock_call GET /customers/c1
check 'a new customer is found' '200 Initech' "$mock_status $(mock_value name)"
mock_reset
mock_call GET /customers/c1
check 'a reset removes it' 404 "$mock_status"

mock_account 'delete contract'
mock_call DELETE "$contract"
check 'a contract is deleted' 200 "$mock_status"
mock_call DELETE "$contract"
check 'a deleted contract is not found' 404 "$mock_status"
mock_wait_for_requests '{"operationId":"deleteContract","count":2}'
check 'both requests are awaited' 2 "$(count operationId)"
mock_account 'delete contract in another account'
mock_call DELETE "$contract"
check 'another account still has the contract' 200 "$mock_status"

mock_account 'stamp of a deletion'
mock_set_clock '{"frozenAt":"2030-01-02T03:04:05.000Z"}'
mock_call DELETE "$contract"
check 'the clock stamps a deletion' 2030-01-02T03:04:05.000Z "$(mock_value deletedAt)"

mock_account 'delete events by refs'
mock_call POST /events/delete-by-refs -H "$json" \
  -d '{"refs":["acme-2026-03-31-001","acme-2026-03-31-002"]}'
check 'usage events are deleted by refs' '200 2' "$mock_status $(count deletedAt)"

exit "$failed"
