# An account of usage-billing-mock for each test, in POSIX sh and curl. Copy this file, and source it:
#
#   . ./billing-mock.sh
#   mock_start
#   mock_account 'a contract is deleted'
#   ./your-client "$mock_url" "$mock_token"

# Starts a mock that ends with the script, however that ends, unless one is at USAGE_BILLING_MOCK_URL.
mock_start() {
  mock_pid=
  mock_url=${USAGE_BILLING_MOCK_URL:-} mock_control_token=${USAGE_BILLING_MOCK_CONTROL_TOKEN:-}
  mock_url=${mock_url%/}
  [ -z "$mock_url" ] || return 0
  mock_folder=$(mktemp -d) || exit 1
  # shellcheck disable=SC2086 # the words of BILLING_MOCK_COMMAND are to be split; bats waits for whoever has 3
  ${BILLING_MOCK_COMMAND:-npx --no -- usage-billing-mock} --port 0 --end-with $$ \
    --ready-file "$mock_folder/ready.json" >"$mock_folder/stdout" 2>"$mock_folder/stderr" 3>&- &
  mock_pid=$!
  mock_latest=$(($(date +%s) + 30))
  until [ -f "$mock_folder/ready.json" ]; do
    if ! kill -0 "$mock_pid" 2>/dev/null || [ "$(date +%s)" -gt "$mock_latest" ]; then
      echo 'the mock has not become ready:' >&2
      cat "$mock_folder/stderr" >&2
      kill "$mock_pid" 2>/dev/null || :
      rm -rf "$mock_folder"
      exit 1
    fi
    sleep 0.1 2>/dev/null || sleep 1
  done
  mock_body=$(cat "$mock_folder/ready.json")
  # --end-with stops the mock soon after the script has ended; a trap, before that. One of the script's own stays.
  trap >"$mock_folder/traps"
  grep -q 'EXIT$' "$mock_folder/traps" || trap mock_stop EXIT
  rm -rf "$mock_folder" 2>/dev/null || :
  mock_url=$(mock_value url) mock_control_token=$(mock_value controlToken)
}

# Stops the mock before the script ends.
mock_stop() {
  [ -n "$mock_pid" ] || return 0
  mock_curl --max-time 10 -X POST -H "X-Control-Token: $mock_control_token" \
    -o /dev/null "$mock_url/__control/stop" 2>/dev/null || kill "$mock_pid" 2>/dev/null
  wait "$mock_pid" || :
  mock_pid=
}

# curl without the settings of ~/.curlrc, which may retry a call, and past the proxy, which would be told the tokens.
mock_curl() {
  curl -q -sS --noproxy '*' "$@"
}

# NAME: from here on, $mock_token is that of an account of its own.
mock_account() {
  mock_test=$(mock_json "$1")
  mock_token=$(mock_encode "$1")-$(od -An -N4 -tx1 /dev/urandom | tr -d ' \n')
  mock_control PUT /account "{\"name\":$mock_test}"
}

# OUTCOME [MESSAGE]: the test of $mock_token has passed or failed; the page then shows what it has sent.
mock_mark_test() {
  mock_control PUT /account/test "{\"outcome\":\"$1\",\"file\":$(mock_json "$0"),\"title\":$mock_test,\"message\":$(mock_json "${2:-}")}"
}

# METHOD PATH [CURL-OPTION...]: sends a request; the status comes to $mock_status, the body to $mock_body.
mock_call() {
  mock_method=$1 mock_path=$2
  shift 2
  mock_body=$(mock_curl --max-time 60 -X "$mock_method" -H "Authorization: Bearer $mock_token" \
    -w '\n%{http_code}' "$@" "$mock_url$mock_path") || return
  mock_status=${mock_body##*"
"} mock_body=${mock_body%"
"*}
}

# The value of a text member of $mock_body that it has once.
mock_value() {
  printf '%s\n' "$mock_body" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

# A text as a part of a path.
mock_encode() {
  printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'
}

# A text as JSON.
mock_json() {
  printf '"%s"' "$(printf %s "$1" | tr '\n' ' ' | sed 's/[\\"]/\\&/g')"
}

mock_control() { # METHOD PATH JSON
  mock_call "$1" "/__control$2" -H "X-Control-Token: $mock_control_token" \
    -H 'Content-Type: application/json' -d "$3"
  case $mock_status in
    2??) ;;
    *) echo "$1 $2: $mock_status $mock_body" >&2 && exit 1 ;;
  esac
}

# Each takes its members as JSON, as control.openapi.yaml describes them.
mock_add_fault() { mock_control POST /faults "$1"; }
mock_add_stub() { mock_control POST /stubs "$1"; }
mock_set_clock() { mock_control PUT /clock "$1"; }
mock_wait_for_requests() { mock_control POST /requests/wait "$1"; }
mock_reset() { mock_control POST /reset '{}'; }

mock_decide() { # DECISION VALUE
  mock_control PATCH /decisions "{\"$1\":\"$2\"}"
}

mock_put_record() { # COLLECTION ID JSON
  mock_control PUT "/$1/$(mock_encode "$2")" "$3"
}

mock_count_requests() { # JSON
  mock_control POST /requests/count "$1"
  printf '%s\n' "$mock_body" | sed 's/.*"count":\([0-9]*\).*/\1/'
}
