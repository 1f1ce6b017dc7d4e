set -eu
. ./billing-mock.sh
mock_start

mock_account 'a tour'
# In place of your client, which gets $mock_url and $mock_token.
contract=/contracts/65b000000000000000000001
mock_add_fault '{"kind":"status","status":503}'
mock_call DELETE "$contract"
[ "$mock_status" = 503 ]
mock_call DELETE "$contract"
[ "$mock_status" = 200 ]
[ "$(mock_count_requests '{"operationId":"deleteContract"}')" = 2 ]

mock_decide repeat-delete gone
mock_call DELETE "$contract"
[ "$mock_status" = 410 ]

measurements='/measurements?limit=1000'
mock_call GET "$measurements"
while cursor=$(mock_value nextCursor) && [ -n "$cursor" ]; do
  mock_call GET "$measurements&cursor=$(mock_encode "$cursor")"
done
[ "$(mock_count_requests '{"operationId":"listMeasurements"}')" = 7 ]

mock_add_stub '{"method":"GET","path":"/invoices/{id}","body":{"id":"{{path.id}}"}}'
mock_call GET /invoices/i1
[ "$mock_body" = '{"id":"i1"}' ]
mock_mark_test passed
