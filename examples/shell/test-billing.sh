#!/bin/sh
# Tests against the billing mock, in POSIX sh and curl: sh test-billing.sh
set -u

folder=$(mktemp -d) || exit 1
failed=0

stop() {
  # The pid of the ready file is the mock itself, whatever has started it.
  kill "$(ready_value pid)" 2>/dev/null || kill "$starter" 2>/dev/null
  wait "$starter"
  rm -rf "$folder"
}

# The value of a member of the JSON in the ready file, which is one line.
ready_value() {
  sed "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/" "$folder/ready.json" 2>/dev/null
}

# METHOD PATH TOKEN [CURL-OPTION...]: the status comes to $status, the body to $body.
call() {
  method=$1 path=$2 account=$3
  shift 3
  status=$(curl -sS --max-time 10 -X "$method" "$url$path" -H "Authorization: Bearer $account" \
    -o "$folder/body" -w '%{http_code}' "$@")
  body=$(cat "$folder/body")
}

# The value of a text member of the body, which occurs once.
value() {
  printf '%s\n' "$body" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

# Counts the members of this name in the body.
count() {
  printf '%s\n' "$body" | tr ',{' '\n\n' | grep -c "^\"$1\":"
}

check() { # WORDS EXPECTED ACTUAL
  if [ "$2" = "$3" ]; then
    echo "ok - $1"
  else
    echo "not ok - $1: expected $2, got $3"
    failed=1
  fi
}

# Words that BILLING_MOCK_COMMAND has are to be split.
# shellcheck disable=SC2086
${BILLING_MOCK_COMMAND:-npx usage-billing-mock} --port 0 --ready-file "$folder/ready.json" \
  >/dev/null 2>"$folder/stderr" &
starter=$!
trap stop EXIT
trap 'exit 1' HUP INT TERM

seconds=0
until [ -f "$folder/ready.json" ]; do
  if [ "$seconds" -ge 30 ] || ! kill -0 "$starter" 2>/dev/null; then
    echo "not ok - the mock has not become ready"
    cat "$folder/stderr" >&2
    exit 1
  fi
  sleep 1
  seconds=$((seconds + 1))
done
url=$(ready_value url)
# A token is an account: no test sees what another does, and none has to tidy up.
token=$(ready_value token)
contract=/contracts/65b000000000000000000001
json='Content-Type: application/json'

call GET /customers/name/Blue%2FGreen%20Hosting "$token-name"
check 'a customer is found by name' '200 cus_Q9x2BlueGreen' "$status $(value externalId)"

measurements=0 cursor=''
while
  call GET /measurements "$token-walk" -G -d limit=1000 \
    ${cursor:+--data-urlencode "cursor=$cursor"}
  measurements=$((measurements + $(count meterId)))
  cursor=$(value nextCursor)
  [ -n "$cursor" ]
do :; done
total=$(printf '%s\n' "$body" | sed 's/.*"total":\([0-9]*\).*/\1/')
check 'all measurements are walked by cursor' "200 $total" "$status $measurements"

call DELETE "$contract" "$token-delete"
check 'a contract is deleted' 200 "$status"
call DELETE "$contract" "$token-delete"
check 'a deleted contract is not found' 404 "$status"
call DELETE "$contract" "$token-other"
check 'another account still has the contract' 200 "$status"

call POST /events/delete-by-refs "$token-events" -H "$json" \
  -d '{"refs":["acme-2026-03-31-001","acme-2026-03-31-002"]}'
check 'usage events are deleted by refs' '200 2' "$status $(count deletedAt)"

call POST /__control/faults "$token-fault" -H "$json" \
  -d '{"operationId":"deleteContract","kind":"status","status":503,"times":1}'
check 'a fault is arranged' 201 "$status"
for attempt in 1 2 3; do
  call DELETE "$contract" "$token-fault"
  [ "$status" = 503 ] || break
done
check 'a delete is tried again after a 503' '200 at attempt 2' "$status at attempt $attempt"

exit "$failed"
